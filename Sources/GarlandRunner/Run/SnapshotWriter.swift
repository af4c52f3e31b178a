import GarlandDiagnostics
import GarlandResults
import Glibc

/// Writes snapshots.
enum SnapshotWriter {
  /// Writes what a judgement leaves to be written, if nothing else is wrong with the response: a snapshot of an error page would be no use to anyone.
  /// What can't be written becomes a failure.
  static func settled(_ judgement: Judgement) -> Judgement {
    guard !judgement.snapshots.isEmpty else { return judgement }
    var judgement = judgement
    guard judgement.failures.isEmpty else {
      for write in judgement.snapshots {
        judgement.notices.append(
          Diagnostic(
            "snapshot", severity: .warning, "the snapshot \(write.shown) is not written: other expectations of the step failed",
            at: write.range))
      }
      judgement.snapshots = []
      return judgement
    }
    for write in judgement.snapshots {
      if let problem = Self.write(write.bytes, to: write.path) {
        judgement.failures.append(
          CheckFailure(.value, subject: "snapshot", message: "\(write.shown) can't be written: \(problem)", at: write.range))
      } else {
        judgement.notices.append(
          Diagnostic(
            "snapshot", severity: .warning, "the snapshot \(write.shown) was \(write.isNew ? "written" : "updated")", at: write.range))
      }
    }
    return judgement
  }

  /// In one step: at no time is there half of it. Returns the system's words if it can't be done.
  private static func write(_ bytes: [UInt8], to path: String) -> String? {
    if let slash = path.lastIndex(of: "/"), slash != path.startIndex, let problem = makeFolder(String(path[..<slash])) { return problem }
    let temporary = path + ".garland-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { return words(errno) }
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress?.advanced(by: written), bytes.count - written) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let code = errno
        close(descriptor)
        unlink(temporary)
        return words(code)
      }
      written += count
    }
    let closed = close(descriptor)
    guard closed == 0, rename(temporary, path) == 0 else {
      let code = errno
      unlink(temporary)
      return words(code)
    }
    return nil
  }

  private static func makeFolder(_ path: String) -> String? {
    var status = stat()
    if stat(path, &status) == 0 { return nil }
    if let slash = path.lastIndex(of: "/"), slash != path.startIndex, let problem = makeFolder(String(path[..<slash])) { return problem }
    return mkdir(path, 0o777) == 0 || errno == EEXIST ? nil : words(errno)
  }

  private static func words(_ code: Int32) -> String { String(cString: strerror(code)) }
}
