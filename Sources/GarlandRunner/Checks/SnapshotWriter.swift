import GarlandDiagnostics
import GarlandResults

/// Writes the snapshot files with which `expect.snapshot` compares responses.
enum SnapshotWriter {
  /// Writes the snapshots of a checked response. If the response has a failure, writes no snapshot, since a snapshot of an error page would
  /// be useless. A file that can't be written becomes a failure.
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
      do throws(WholeFile.Failure) {
        try write.files.write(write.bytes, to: write.path)
        judgement.notices.append(
          Diagnostic(
            "snapshot", severity: .warning, "the snapshot \(write.shown) was \(write.isNew ? "written" : "updated")", at: write.range))
      } catch {
        judgement.failures.append(
          CheckFailure(.file, subject: "snapshot", message: "\(write.shown) can't be written: \(error)", at: write.range))
      }
    }
    return judgement
  }
}
