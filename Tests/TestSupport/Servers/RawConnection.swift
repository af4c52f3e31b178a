import Glibc
import Synchronization

/// One connection of a ``RawServer``.
public final class RawConnection: Sendable {
  private let socket: Int32
  private let state = Mutex((isOpen: true, leftover: [UInt8]()))

  init(_ socket: Int32) {
    self.socket = socket
    var on: Int32 = 1
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Reads up to and with the empty line after a header. Empty at the end of the connection.
  public func readHead() -> String {
    var bytes = state.withLock { state in
      defer { state.leftover = [] }
      return state.leftover
    }
    while true {
      if let end = Self.end(of: bytes) {
        state.withLock { $0.leftover = Array(bytes[end...]) }
        return String(decoding: bytes[..<end], as: UTF8.self)
      }
      guard let more = receive() else { return "" }
      bytes += more
    }
  }

  /// Reads a header and the content that its `Content-Length` announces. Nil at the end of the connection.
  public func readRequest() -> (head: String, body: [UInt8])? {
    let head = readHead()
    if head.isEmpty { return nil }
    var length = 0
    for line in head.split(separator: "\r\n") where line.lowercased().hasPrefix("content-length:") {
      length = Int(line.split(separator: ":")[1].drop { $0 == " " }) ?? 0
    }
    return (head, read(length))
  }

  /// Reads so many bytes, or fewer at the end of the connection.
  public func read(_ count: Int) -> [UInt8] {
    var bytes = state.withLock { state in
      defer { state.leftover = [] }
      return state.leftover
    }
    while bytes.count < count, let more = receive() { bytes += more }
    if bytes.count > count {
      let rest = Array(bytes[count...])
      state.withLock { $0.leftover = rest }
      bytes.removeLast(bytes.count - count)
    }
    return bytes
  }

  /// Waits until the client closes the connection.
  public func readToEnd() { while receive() != nil {} }

  /// Sends a text. False when the client has gone.
  @discardableResult
  public func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Sends bytes. False when the client has gone.
  @discardableResult
  public func send(_ bytes: [UInt8]) -> Bool {
    var start = 0
    while start < bytes.count {
      let count = bytes.withUnsafeBytes { Glibc.send(socket, $0.baseAddress.map { $0 + start }, bytes.count - start, Int32(MSG_NOSIGNAL)) }
      if count <= 0 { return false }
      start += count
    }
    return true
  }

  /// Waits, as a slow server does.
  public func pause(_ duration: Duration) {
    usleep(UInt32(duration.components.seconds * 1_000_000 + duration.components.attoseconds / 1_000_000_000_000))
  }

  /// Announces to the client that nothing more will be sent. The client can still send.
  public func finishSending() { shutdown(socket, Int32(SHUT_WR)) }

  /// Closes it by a TCP reset. Linux keeps the bytes that have already arrived, so the client still reads them.
  public func reset() {
    var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
    close()
  }

  /// Closes it.
  public func close() {
    let mustClose = state.withLock { state in
      defer { state.isOpen = false }
      return state.isOpen
    }
    if mustClose { Glibc.close(socket) }
  }

  private func receive() -> [UInt8]? {
    let bytes = [UInt8](unsafeUninitializedCapacity: 65536) { buffer, count in
      count = max(0, recv(socket, buffer.baseAddress, buffer.count, 0))
    }
    return bytes.isEmpty ? nil : bytes
  }

  private static func end(of bytes: [UInt8]) -> Int? {
    guard bytes.count >= 4 else { return nil }
    for index in 0...(bytes.count - 4)
    where bytes[index] == 13 && bytes[index + 1] == 10 && bytes[index + 2] == 13 && bytes[index + 3] == 10 {
      return index + 4
    }
    return nil
  }
}
