import GarlandNetworking
import HTTPTypes
import TestSupport
import Testing
import TransferTestSupport

/// Tests credentials together with a cache: a response for one user is not used for another user, and
/// challenges are not stored.
@Suite(.timeLimit(.minutes(15))) struct CachedCredentialTests {
  private static func server(_ seen: Captured) throws -> RawServer {
    try RawServer { connection in
      while let (head, _) = connection.readRequest() {
        let line = head.split(separator: "\r\n").first { $0.hasPrefix("Authorization: ") }.map(String.init)
        seen.add(line ?? "-")
        if let line {
          let user = line.split(separator: "\"").dropFirst().first.map(String.init) ?? ""
          let condition = head.contains("If-None-Match") ? "304 Not Modified" : "200 OK"
          let body = head.contains("If-None-Match") ? "" : user
          let control =
            head.contains("/short") ? "no-cache" : head.contains("/vary") ? "public, max-age=86400\r\nVary: Authorization" : "max-age=86400"
          connection.send(
            "HTTP/1.1 \(condition)\r\nCache-Control: \(control)\r\nETag: \"\(user)\"\r\n"
              + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        } else {
          connection.send(
            "HTTP/1.1 401 No\r\nWWW-Authenticate: Digest realm=r, nonce=n, qop=auth\r\nCache-Control: max-age=86400\r\nContent-Length: 2\r\n\r\nno"
          )
        }
      }
    }
  }

  @Test func `a cached response is used only for the user who requested it`() async throws {
    let seen = Captured()
    let server = try Self.server(seen)
    var configuration = SessionConfiguration.ephemeral
    configuration.cache = ResponseCache()
    let session = Session(configuration)
    func get(_ path: String, _ user: String) async throws -> (String, [TransactionMetrics.Source?]) {
      let request = session.request(server.url + path).authenticate(.digest(user: user, password: "p")).validate()
      let text = try await request.string
      return (text, request.metrics.flatMap(\.transactions).map(\.source))
    }
    var (text, sources) = try await get("/long", "alice")
    #expect(text == "alice" && sources == [.network, .network])
    (text, sources) = try await get("/long", "alice")
    #expect(text == "alice" && sources == [.cache])
    (text, sources) = try await get("/long", "bob")
    #expect(text == "bob" && sources == [.network, .network])
    // The request is sent again with the nonce of the first challenge.
    (text, sources) = try await get("/short", "alice")
    #expect(text == "alice" && sources.last == .network)
    let count = seen.all.count
    (text, sources) = try await get("/short", "alice")
    #expect(text == "alice")
    #expect(seen.all.count == count + 1)
    #expect(seen.all.last?.contains("nc=00000003") == true, "\(seen.all)")
    // The response itself allows all caches to store it, and varies by user.
    for user in ["alice", "bob"] {
      (text, sources) = try await get("/vary", user)
      #expect(text == user && sources.last == .network)
      (text, sources) = try await get("/vary", user)
      #expect(text == user && sources == [.cache])
    }
    // Without a credential no stored response is used.
    #expect(await session.request(server.url + "/long").response().status == 401)
  }
}
