import Glibc

/// The end of the file that collects the summaries of a job, to which something is appended, all of it or nothing.
final class SummaryFile {
  /// The size of the file before.
  let size: Int
  private let path: String
  private let descriptor: Int32

  /// Opens a file, which is made where there is none.
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

  /// Appends bytes. A part of them that was written is taken back when the rest can't be.
  func append(_ bytes: [UInt8]) throws(ReportError) {
    let writer = FileDescriptorWriter(dup(descriptor))
    writer.write(bytes)
    guard let reason = writer.close() else { return }
    ftruncate(descriptor, off_t(size))
    throw .noSummary(path: path, reason: reason)
  }
}
