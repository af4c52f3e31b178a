import Glibc

/// Reads whole files.
package enum FileContent {
  package static func read(_ path: String) throws(FileFailure) -> [UInt8] {
    func failure(_ operation: FileFailure.Operation) -> FileFailure {
      FileFailure(path: path, operation: operation, detail: systemMessage(errno))
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(.open) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(.read) }
    let size = Int(status.st_size)
    var problem = false
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let received = Glibc.read(descriptor, buffer.baseAddress.map { $0 + count }, size - count)
        if received < 0, errno == EINTR { continue }
        if received < 0 { problem = true }
        if received <= 0 { break }
        count += received
      }
    }
    if problem { throw failure(.read) }
    return bytes
  }
}
