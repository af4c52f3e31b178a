import Glibc
import Synchronization
import TestSupport
import Testing

@testable import GarlandRunner

/// Tests of the server with real sockets.
@Suite(.timeLimit(.minutes(15))) struct ListenServerTests {
  private final class Log: Sendable {
    let arrivals = Mutex<[ListenServer.Arrival]>([])
  }

  private static func server(_ log: Log) -> ListenServer {
    ListenServer { _, request in
      request.path == "/hook" ? 200 : 404
    } arrived: { _, arrival in
      log.arrivals.withLock { $0.append(arrival) }
    }
  }

  /// Sends bytes, and returns what it receives until the server closes the connection.
  private static func ask(_ port: Int, _ pieces: [[UInt8]]) -> String {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0 }
    }
    guard isConnected else { return "not connected" }
    var one: Int32 = 1
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    for piece in pieces { _ = send(socket, piece, piece.count, Int32(MSG_NOSIGNAL)) }
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = recv(socket, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      answer += buffer[..<count]
    }
    return String(decoding: answer, as: UTF8.self)
  }

  private static func ask(_ port: Int, _ text: String) -> String { ask(port, [Array(text.utf8)]) }

  @Test func `a run's callback server sends a response to each request and informs the run about the request`() throws {
    let log = Log()
    let server = Self.server(log)
    defer { server.shutDown() }
    let port = try server.open(bodyLimit: 100)
    let other = try server.open()
    #expect(port != other)
    #expect(Self.ask(port, "GET /hook HTTP/1.1\r\nHost: h\r\n\r\n") == "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    #expect(Self.ask(other, "GET /no HTTP/1.1\r\nHost: h\r\n\r\n").hasPrefix("HTTP/1.1 404 Not Found\r\n"))
    #expect(
      Self.ask(port, "POST /hook HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nhi").hasPrefix(
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n"))
    #expect(Self.ask(port, "nonsense\r\n\r\n").hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
    #expect(Self.ask(port, "POST /hook HTTP/1.1\r\nHost: h\r\nContent-Length: 101\r\n\r\n").hasPrefix("HTTP/1.1 413 "))
    let found = log.arrivals.withLock { $0 }.map { arrival in
      switch arrival {
      case .request(let request): "\(request.method) \(request.target) \(String(decoding: request.body, as: UTF8.self))"
      case .refused: "refused"
      }
    }
    #expect(found == ["GET /hook ", "GET /no ", "POST /hook hi", "refused", "refused"])
  }

  /// A client that sends slowly, a client that sends nothing and a client that disconnects do not delay other clients.
  @Test func `a slow, silent or closed connection to the server for callbacks does not delay other connections`() throws {
    let log = Log()
    let server = Self.server(log)
    defer { server.shutDown() }
    let port = try server.open()
    let silent = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(silent) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = connect(silent, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
    let text = Array("POST /hook HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n".utf8)
    for _ in 0..<20 { #expect(Self.ask(port, text.map { [$0] }).hasPrefix("HTTP/1.1 200 OK")) }
    let body = [UInt8](repeating: 120, count: 3 << 20)
    let head = Array("POST /hook HTTP/1.1\r\nHost: h\r\nContent-Length: \(body.count)\r\n\r\n".utf8)
    #expect(Self.ask(port, [head, body]).hasPrefix("HTTP/1.1 200 OK"))
    #expect(log.arrivals.withLock { $0.count } == 21)
  }

  @Test func `after a listening server is shut down, its port refuses connections`() throws {
    let log = Log()
    let server = Self.server(log)
    let port = try server.open()
    #expect(Self.ask(port, "GET /hook HTTP/1.1\r\nHost: h\r\n\r\n").hasPrefix("HTTP/1.1 200"))
    server.shutDown()
    // The port is closed as soon as the thread has handled the command. Until then, a client is rejected.
    while Self.ask(port, "GET /hook HTTP/1.1\r\nHost: h\r\n\r\n") != "not connected" {}
    #expect(log.arrivals.withLock { $0.count } >= 1)
  }
}
