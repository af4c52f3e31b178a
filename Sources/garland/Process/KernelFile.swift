import Glibc

/// The files of the kernel in `/proc` and `/sys`.
enum KernelFile {
  /// Returns the content of a kernel file, such as `/proc/self/status`; empty if the file can't be read. The size of such a file is unknown
  /// before it is read.
  static func contents(_ path: String) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count > 0 { bytes += buffer[..<count] } else if count == 0 || errno != EINTR { return bytes }
    }
  }
}
