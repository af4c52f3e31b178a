import GarlandDiagnostics
import Glibc

/// A report file that other programs see only when it is complete, or not at all.
///
/// The file is written without a name (`O_TMPFILE`) if the file system supports this, so that even a crash leaves no partial file.
/// Otherwise, it is written under a temporary name in the folder of the target. If the target is not a regular file, such as `/dev/stdout`
/// or a named pipe, the report is written directly to the target. The target `-` means standard output.
final class ReportFile {
  /// Writes the bytes of the report to the file, through a buffer.
  let writer: FileDescriptorWriter
  private let path: String
  private let placement: Placement
  private var isDone = false

  private enum Placement {
    case direct
    case unnamed(target: String)
    case named(temporary: String, target: String)
  }

  /// Opens the file for writing, so that a wrong path is found before the run sends anything. Creates the
  /// folder if it does not exist.
  /// - Parameter path: the path as the user wrote it; `-` is standard output.
  init(path: String) throws(ReportError) {
    self.path = path
    if path == "-" {
      let descriptor = dup(STDOUT_FILENO)
      guard descriptor >= 0 else { throw .cannotWrite(path: path, reason: errno) }
      writer = FileDescriptorWriter(descriptor)
      placement = .direct
      return
    }
    var facts = stat()
    if stat(path, &facts) == 0 {
      switch facts.st_mode & S_IFMT {
      case S_IFDIR: throw .isDirectory(path: path)
      case S_IFREG:
        guard access(path, W_OK) == 0 else { throw .cannotWrite(path: path, reason: errno) }
      default:
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .cannotWrite(path: path, reason: errno) }
        writer = FileDescriptorWriter(descriptor)
        placement = .direct
        return
      }
    }
    // The missing folder would be made, but the report could not be written at the end of the run.
    if path.hasSuffix("/") { throw .isDirectory(path: path) }
    let target = WholeFile.resolvingLinks(path)
    let folder = WholeFile.folder(of: target)
    do throws(WholeFile.Failure) {
      try WholeFile.makeFolder(folder)
    } catch .system(let reason) {
      throw .cannotWrite(path: path, reason: reason)
    } catch {
      throw .cannotWrite(path: path, reason: EEXIST)
    }
    let unnamed = TemporaryFile.openUnnamed(in: folder)
    if unnamed >= 0 {
      writer = FileDescriptorWriter(unnamed)
      placement = .unnamed(target: target)
      return
    }
    let temporary = WholeFile.nameBeside(target)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .cannotWrite(path: path, reason: errno) }
    writer = FileDescriptorWriter(descriptor)
    placement = .named(temporary: temporary, target: target)
  }

  /// Opens a temporary file for a report that is uploaded. The file disappears when it is closed.
  /// - Parameter url: the URL to which the report is sent.
  init(scratchFor url: String) throws(ReportError) {
    path = ReportURL.shown(url)
    let descriptor = TemporaryFile.openScratch(in: "/tmp")
    guard descriptor >= 0 else { throw .cannotWrite(path: path, reason: errno) }
    writer = FileDescriptorWriter(descriptor)
    placement = .direct
  }

  deinit {
    if !isDone, case .named(let temporary, _) = placement { unlink(temporary) }
  }

  /// Completes the file and makes it visible at its path.
  func commit() throws(ReportError) {
    guard !isDone else { return }
    writer.flush()
    if let failure = writer.failure { throw fail(failure) }
    switch placement {
    case .direct:
      if let failure = writer.close(), failure != EPIPE { throw fail(failure) }
    case .unnamed(let target):
      try adoptPermissions(of: target)
      // A link cannot replace an existing file, but a rename can, so the file gets a temporary name first.
      let temporary = WholeFile.nameBeside(target)
      let status = linkat(AT_FDCWD, "/proc/self/fd/\(writer.descriptor)", AT_FDCWD, temporary, AT_SYMLINK_FOLLOW)
      guard status == 0 else { throw fail(errno) }
      try put(temporary, at: target)
    case .named(let temporary, let target):
      try adoptPermissions(of: target)
      try put(temporary, at: target)
    }
    isDone = true
  }

  /// Gives the new file the permissions of the file `target`, which it replaces.
  private func adoptPermissions(of target: String) throws(ReportError) {
    if case .system(let reason)? = WholeFile.adoptPermissions(of: target, writer.descriptor) { throw fail(reason) }
  }

  private func put(_ temporary: String, at target: String) throws(ReportError) {
    if let failure = writer.close() {
      unlink(temporary)
      throw fail(failure)
    }
    guard rename(temporary, target) == 0 else {
      let reason = errno
      unlink(temporary)
      throw fail(reason)
    }
  }

  private func fail(_ reason: Int32) -> ReportError { .cannotWrite(path: path, reason: reason) }
}

/// Formats the URL to which a report is uploaded.
package enum ReportURL {
  /// Returns the form of a URL for messages: user and password are removed, and `…` replaces the query, which may contain a key.
  package static func shown(_ url: String) -> String {
    let bare = withoutUser(url)
    return bare.firstIndex(of: "?").map { bare[...$0] + "…" } ?? bare
  }

  private static func withoutUser(_ url: String) -> String {
    guard let start = url.firstRange(of: "://")?.upperBound else { return url }
    let end = url[start...].firstIndex { "/?#".contains($0) } ?? url.endIndex
    guard let at = url[start..<end].lastIndex(of: "@") else { return url }
    return String(url[..<start] + url[url.index(after: at)...])
  }
}
