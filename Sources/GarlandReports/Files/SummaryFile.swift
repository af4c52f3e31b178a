import Glibc

/// Appends a summary to the file in which a CI system collects the summaries of a job. An append writes either all its bytes or nothing.
final class SummaryFile {
  /// The size of the file in bytes before the summary is appended.
  let size: Int
  private let path: String
  private let descriptor: Int32

  /// Opens a file, and creates it if it does not exist.
  init(path: String) throws(ReportError) {
    self.path = path
    descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .noSummary(path: path, reason: errno) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else {
      let reason = errno
      close(descriptor)
      throw .noSummary(path: path, reason: reason)
    }
    size = Int(facts.st_size)
  }

  deinit { close(descriptor) }

  /// Appends bytes. If only a part of them can be written, this part is removed again.
  func append(_ bytes: [UInt8]) throws(ReportError) {
    let writer = FileDescriptorWriter(dup(descriptor))
    writer.write(bytes)
    guard let reason = writer.close() else { return }
    ftruncate(descriptor, off_t(size))
    throw .noSummary(path: path, reason: reason)
  }
}
