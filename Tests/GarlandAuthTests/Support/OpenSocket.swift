import Glibc

/// A connection to a port of this machine, closed on release.
final class OpenSocket: Sendable {
  private let socket: Int32

  init?(port: UInt16) {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = withUnsafeBytes(of: &address) { bytes in
      bytes.baseAddress.map { connect(socket, $0.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count)) } ?? -1
    }
    guard socket >= 0, status == 0 else {
      close(socket)
      return nil
    }
  }

  deinit { close(socket) }

  func send(_ text: String) {
    let bytes = Array(text.utf8)
    _ = Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  /// Reads a file of the kernel, which has no size and arrives in pieces.
  private static func contents(of path: String) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(file, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the addresses of the listeners on a port as in `/proc/net`.
  static func listeners(on port: UInt16) -> [String] {
    ["/proc/net/tcp", "/proc/net/tcp6"].flatMap { path -> [String] in
      return contents(of: path).split(separator: "\n").dropFirst().compactMap { line in
        let words = line.split(separator: " ")
        guard words.count > 3, words[3] == "0A" else { return nil }
        let parts = words[1].split(separator: ":")
        return parts.count == 2 && UInt16(parts[1], radix: 16) == port ? String(parts[0]) : nil
      }
    }
  }
}
