import Glibc

/// Reads a body from a file, or from a part of a file, piece by piece.
final class FileReader: BodyReader {
  private let path: String
  private let offset: Int64
  private var descriptor: Int32
  private var position: Int64 = 0
  private let isSeekable: Bool
  let length: Int64?

  init(path: String, offset: Int64, length: Int64?) throws(NetworkingError) {
    self.path = path
    self.offset = offset
    // The file is opened without blocking: a named pipe without a writer would stop the engine.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw NetworkingError(.upload(.init(path: path, operation: .open, detail: systemMessage(errno)))) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      let detail = status.st_mode & S_IFMT == S_IFDIR ? systemMessage(EISDIR) : "not a regular file"
      _ = Glibc.close(descriptor)
      throw NetworkingError(.upload(.init(path: path, operation: .read, detail: detail)))
    }
    let available = Int64(status.st_size) - offset
    guard offset >= 0, available >= 0, length ?? 0 <= available, length ?? 0 >= 0 else {
      _ = Glibc.close(descriptor)
      throw NetworkingError(.upload(.init(path: path, operation: .read, detail: "the requested part is outside of the file")))
    }
    self.descriptor = descriptor
    self.length = length ?? available
    isSeekable = true
  }

  deinit { close() }

  var isRepeatable: Bool { isSeekable }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> BodyReadOutcome {
    let wanted = Int(min(Int64(buffer.count), (length ?? 0) - position))
    if wanted == 0 { return .end }
    let count = pread(descriptor, buffer.baseAddress, wanted, off_t(offset + position))
    if count < 0 { return .failed(.upload(.init(path: path, operation: .read, detail: systemMessage(errno)))) }
    // The length was announced in the header, so missing bytes cannot be replaced.
    if count == 0 { return .failed(.upload(.init(path: path, operation: .read, detail: "it became shorter while it was sent"))) }
    position += Int64(count)
    return .bytes(count)
  }

  func rewind() -> Bool {
    position = 0
    return isSeekable
  }

  func close() {
    guard descriptor >= 0 else { return }
    _ = Glibc.close(descriptor)
    descriptor = -1
  }
}
