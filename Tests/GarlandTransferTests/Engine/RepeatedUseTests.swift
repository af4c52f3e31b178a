import GarlandTransfer
import HTTPTypes
import TestSupport
import Testing
import TransferTestSupport

/// Tests that a libcurl handle which had a plain request before receives only the differences of the next
/// request.
@Suite(.timeLimit(.minutes(15))) struct RepeatedUseTests {
  private static let targets = [
    "/a?b=1", "/", "", "?q=1", "/a/../b/./c", "/%2F%2f%zz", "/a?b=?c&d=/e", "/ä/ö?ü=ß", "//two//slashes", "/a;p=1,2:3@4",
    "/?%E2%82%AC=%e2%82%ac",
    "/a#fragment", "/a b?c d", "/a?", "/[x]?{y}|z",
    // Each target differs from the one before only in path and query: with a query, without a query, with an
    // empty query, longer than the copy buffer, and the target after each of these.
    "/a", "/b?c=d", "/b", "/b/c?d=e&f=g,h:i", "/c/?", "/c/d//e?f=/g", "/" + String(repeating: "long/", count: 400), "/x?y=1", "/%41",
    "/x?y=2", "/x?y=3", "/" + String(repeating: "a", count: 1022), "/" + String(repeating: "a", count: 1023) + "?b",
    "/" + String(repeating: "a", count: 1022) + "?b",
    "/a",
  ]

  @Test func `a reused libcurl handle sends the same bytes as a new handle`() async throws {
    let seen = Captured()
    let server = try RawServer { connection in
      while let request = connection.readRequest() {
        seen.add(request.head)
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      }
    }
    let engine = Engine()
    // Only requests with identical settings are alike.
    let settings = TransferSettings()
    for target in Self.targets {
      #expect(try await engine.response(for: TransferRequest(url: server.url + target, settings: settings)).status == .ok)
    }
    let again = seen.all
    for target in Self.targets { #expect(try await Engine().response(for: TransferRequest(url: server.url + target)).status == .ok) }
    #expect(again.count == Self.targets.count)
    #expect(Array(seen.all.dropFirst(again.count)) == again)
    #expect(again.first?.hasPrefix("GET /a?b=1 HTTP/1.1\r\n") == true)
    #expect(again.last?.hasPrefix("GET /a HTTP/1.1\r\n") == true)
  }

  /// libcurl keeps the values of an earlier request until they are replaced. The requests go to another host,
  /// to another port, and back.
  @Test func `if requests to two servers alternate on one libcurl handle, each request reaches its server`() async throws {
    let engine = Engine()
    let settings = TransferSettings()
    var servers: [(server: RawServer, seen: Captured)] = []
    for _ in 0..<2 {
      let seen = Captured()
      let server = try RawServer { connection in
        while let request = connection.readRequest() {
          seen.add(String(request.head.prefix { $0 != "\r\n" }))
          connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
      }
      servers.append((server, seen))
    }
    for round in 0..<4 {
      for (index, server) in servers.enumerated() {
        let url = "\(server.server.url)/\(round)?at=\(index)"
        #expect(try await engine.response(for: TransferRequest(url: url, settings: settings)).status == .ok)
      }
    }
    for (index, server) in servers.enumerated() {
      #expect(server.seen.all == (0..<4).map { "GET /\($0)?at=\(index) HTTP/1.1" })
    }
  }

  @Test func `after one request was redirected to another server, the next request goes to the original server`() async throws {
    let seen = (here: Captured(), there: Captured())
    let there = try RawServer { connection in
      while let request = connection.readRequest() {
        seen.there.add(String(request.head.prefix { $0 != "\r\n" }))
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      }
    }
    let target = there.url + "/there?a=b"
    let here = try RawServer { connection in
      while let request = connection.readRequest() {
        seen.here.add(String(request.head.prefix { $0 != "\r\n" }))
        let isLast = request.head.contains("/go")
        connection.send("HTTP/1.1 \(isLast ? "302 Found\r\nLocation: \(target)" : "200 OK")\r\nContent-Length: 0\r\n\r\n")
      }
    }
    let engine = Engine()
    let settings = TransferSettings()
    let paths = ["/1", "/2?c", "/3", "/go", "/4", "/5?d", "/go?e", "/6"]
    for path in paths {
      #expect(try await engine.response(for: TransferRequest(url: here.url + path, settings: settings)).status == .ok)
    }
    #expect(seen.here.all == paths.map { "GET \($0) HTTP/1.1" })
    #expect(seen.there.all == Array(repeating: "GET /there?a=b HTTP/1.1", count: 2))
  }
}
