import Glibc

/// A TCP connection that sends the given bytes unchanged and returns the received bytes unchanged.
final class RawClient {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// The state of a connection when no more bytes could be read.
  enum End: Hashable {
    /// The other end closed the connection properly.
    case closed
    /// The other end reset the connection.
    case reset
    /// No byte arrived while the client waited.
    case silence
  }

  private let descriptor: Int32
  private var buffer: [UInt8] = []

  init(port: Int, patience: Double = 5) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw Failure(description: "socket: \(errno)") }
    wait(atMost: patience)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
    guard status == 0 else { throw Failure(description: "connect: \(errno)") }
  }

  deinit { close(descriptor) }

  /// Sets the seconds that the client waits for the next bytes.
  func wait(atMost patience: Double) {
    var timeout = timeval(tv_sec: Int(patience), tv_usec: Int(patience.truncatingRemainder(dividingBy: 1) * 1e6))
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
  }

  func send(_ text: String) throws { try send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { bytes in
        Glibc.send(descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw Failure(description: "send: \(errno)") }
      sent += count
    }
  }

  /// Reads the next response; `to` is the method of its request, because a response to HEAD has no
  /// body.
  func response(to method: String = "GET") throws -> RawResponse {
    while true {
      let response = try singleResponse(to: method)
      if response.status != 100 { return response }
    }
  }

  /// Reads the next response, which may have status 100.
  func singleResponse(to method: String = "GET") throws -> RawResponse {
    let end = Array("\r\n\r\n".utf8)
    var scanned = 0
    while true {
      if let position = find(end, from: max(0, scanned - 3)) {
        let head = String(decoding: buffer[..<position], as: UTF8.self)
        buffer.removeFirst(position + 4)
        return try body(of: RawResponse(head: head), method)
      }
      scanned = buffer.count
      if let ended = more() {
        throw Failure(description: "\(ended) after \(buffer.count) bytes: \(String(decoding: buffer, as: UTF8.self))")
      }
    }
  }

  /// Returns all bytes until the connection ends, and the way in which it ended.
  func rest(limit: Int = .max) -> (bytes: [UInt8], end: End?) {
    while buffer.count < limit {
      if let end = more() { return (buffer, end) }
    }
    return (buffer, nil)
  }

  /// Reads until the received bytes end with a text. Returns false if the connection ends or no
  /// more bytes come before that.
  func reads(upTo text: String) -> Bool {
    while !buffer.reversed().starts(with: text.utf8.reversed()) {
      if more() != nil { return false }
    }
    return true
  }

  /// Reads and drops bytes until `limit` is reached or the connection ends; returns their number.
  func drain(upTo limit: Int) -> Int {
    var count = buffer.count
    buffer = []
    while count < limit, more() == nil {
      count += buffer.count
      buffer.removeAll(keepingCapacity: true)
    }
    return count
  }

  private func body(of response: RawResponse, _ method: String) throws -> RawResponse {
    var response = response
    if method == "HEAD" || response.status < 200 || response.status == 204 || response.status == 304 { return response }
    if response.first("Transfer-Encoding") == "chunked" {
      while true {
        let size = Int(try line(), radix: 16) ?? -1
        guard size >= 0 else { throw Failure(description: "a chunk without a size") }
        if size == 0 { break }
        response.body += try take(size)
        response.chunks += 1
        guard try line().isEmpty else { throw Failure(description: "a chunk without an end") }
      }
      while try !line().isEmpty {}
    } else if let length = response.first("Content-Length").flatMap({ Int($0) }) {
      response.body = try take(length)
    } else {
      response.body = rest().bytes
      buffer = []
    }
    return response
  }

  private func line() throws -> String {
    while true {
      if let position = find([0x0D, 0x0A], from: 0) {
        let text = String(decoding: buffer[..<position], as: UTF8.self)
        buffer.removeFirst(position + 2)
        return text
      }
      if let end = more() { throw Failure(description: "\(end) in the middle of a line") }
    }
  }

  private func take(_ count: Int) throws -> [UInt8] {
    while buffer.count < count {
      if let end = more() { throw Failure(description: "\(end) after \(buffer.count) of \(count) bytes") }
    }
    defer { buffer.removeFirst(count) }
    return Array(buffer[..<count])
  }

  private func more() -> End? {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(descriptor, &chunk, chunk.count, 0)
    if count > 0 {
      buffer += chunk[..<count]
      return nil
    }
    if count == 0 { return .closed }
    return errno == ECONNRESET ? .reset : .silence
  }

  private func find(_ needle: [UInt8], from start: Int) -> Int? {
    guard buffer.count >= needle.count else { return nil }
    for position in start..<max(start, buffer.count - needle.count + 1) where buffer[position...].starts(with: needle) { return position }
    return nil
  }
}
