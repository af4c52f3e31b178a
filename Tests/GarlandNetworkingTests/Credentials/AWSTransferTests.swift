import GarlandCrypto
import HTTPTypes
import TestSupport
import Testing
import TransferTestSupport

@testable import GarlandNetworking
@testable import GarlandTransfer

/// Tests AWS signatures over the network. The server computes them from the received request.
@Suite(.timeLimit(.minutes(15))) struct AWSTransferTests {
  let engine = Engine()

  private static func key(service: String = "s3") -> AWSCredential {
    AWSCredential(accessKey: "AKIDEXAMPLE", secretKey: "secret/key", region: "eu-central-1", service: service)
  }

  /// Creates a server that answers with `right`, `wrong` or `unsigned`, and records the header.
  private func server(_ service: String = "s3", noting seen: Captured) throws -> RawServer {
    try RawServer { connection in
      while let (head, body) = connection.readRequest() {
        seen.add(head)
        let verdict = (try? Self.verdict(head, body, service)) ?? "broken"
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(verdict.utf8.count)\r\n\r\n\(verdict)")
      }
    }
  }

  private static func verdict(_ head: String, _ body: [UInt8], _ service: String) throws -> String {
    let lines = head.split(separator: "\r\n").map(String.init)
    let start = lines[0].split(separator: " ").map(String.init)
    let target = start[1].split(separator: "?", maxSplits: 1).map(String.init)
    var fields: [(name: String, value: String)] = []
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
      fields.append((parts[0].lowercased(), parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""))
    }
    guard let authorization = fields.first(where: { $0.name == "authorization" })?.value else { return "unsigned" }
    let signed = authorization.split(separator: "SignedHeaders=")[1].split(separator: ",")[0].split(separator: ";").map(String.init)
    let digest = try Digest(of: body, using: .sha256).hex
    let payload = fields.first { $0.name == "x-amz-content-sha256" }?.value ?? digest
    if payload != digest, payload != "UNSIGNED-PAYLOAD" { return "wrong payload" }
    let request = AWSRequest(
      method: start[0], path: target[0], query: target.count > 1 ? target[1] : nil, fields: fields.filter { signed.contains($0.name) },
      payload: payload, encodesPathOnce: service == "s3")
    guard let date = fields.first(where: { $0.name == "x-amz-date" })?.value else { return "no date" }
    let day = String(date.prefix(8))
    var signingKey = Array("AWS4secret/key".utf8)
    for part in [day, "eu-central-1", service, "aws4_request"] {
      signingKey = try HMAC.authenticate(part.utf8, key: signingKey, using: .sha256).bytes
    }
    let text =
      "AWS4-HMAC-SHA256\n\(date)\n\(day)/eu-central-1/\(service)/aws4_request\n\(try Digest(of: request.canonical.utf8, using: .sha256).hex)"
    let expected = try HMAC.authenticate(text.utf8, key: signingKey, using: .sha256).hex
    return authorization.hasSuffix("Signature=\(expected)") ? "right" : "wrong"
  }

  private func verdict(_ request: TransferRequest) async throws -> String {
    String(decoding: try await engine.response(for: request).bytes, as: UTF8.self)
  }

  @Test(arguments: ["s3", "execute-api"]) func `the AWS signature is valid for every kind of body`(_ service: String) async throws {
    let seen = Captured()
    let server = try server(service, noting: seen)
    let folder = try TemporaryFolder()
    let path = try folder.write("body", [UInt8](repeating: 65, count: 400_000))
    let stream = BodyStream {
      AsyncStream {
        $0.yield(Array("piece".utf8)); $0.yield(Array(" by piece".utf8)); $0.finish()
      }
    }
    var key = Self.key(service: service)
    for token in [nil, "a token/with=signs"] {
      key.sessionToken = token
      var request = TransferRequest(url: server.url + "/a%20b/c$d(e)/?x=y%20z&a=%C3%A4&flag", credential: .aws(key))
      request.headerFields[.contentType] = "text/plain"
      request.headerFields.append(HTTPField(name: try #require(HTTPField.Name("X-Amz-Meta-Two")), value: "  two   words "))
      #expect(try await verdict(request) == "right")
      request.method = .put
      for body in [
        TransferBody.bytes(Array("hello".utf8)), .bytes([UInt8](repeating: 66, count: 300_000)), .file(path: path),
        .file(path: path, offset: 5, length: 10), .stream(stream),
      ] {
        request.body = body
        #expect(try await verdict(request) == "right")
        request.compression = RequestCompression(.gzip)
        #expect(try await verdict(request) == "right")
        request.compression = nil
      }
    }
    // The first reading yields the length: storage services accept no chunks.
    #expect(seen.all.allSatisfy { !$0.contains("Transfer-Encoding") })
  }

  @Test func `AWS signing refuses a body that can be read only once, unless the payload is unsigned`() async throws {
    let server = try server(noting: Captured())
    var key = Self.key()
    let once = BodyStream(length: 5, isRepeatable: false) {
      AsyncStream {
        $0.yield(Array("hello".utf8)); $0.finish()
      }
    }
    var request = TransferRequest(url: server.url, method: .put, body: .stream(once), credential: .aws(key))
    let error = await #expect(throws: NetworkingError.self) { try await engine.response(for: request) }
    #expect(error?.reason == .authentication(.bodyNotRepeatable))
    key.payload = .unsigned
    request.credential = .aws(key)
    #expect(try await verdict(request) == "right")
  }

  @Test func `if the body for an AWS signature cannot be read, the request fails before it is sent`() async throws {
    let request = TransferRequest(
      url: "http://127.0.0.1:1/", method: .put, body: .file(path: "/nowhere/at/all"), credential: .aws(Self.key()))
    let error = await #expect(throws: NetworkingError.self) { try await engine.response(for: request) }
    #expect(error?.reason.kind == .upload)
    let stream = BodyStream { AsyncThrowingStream<[UInt8], any Error> { $0.finish(throwing: CancellationError()) } }
    let failing = TransferRequest(url: "http://127.0.0.1:1/", method: .put, body: .stream(stream), credential: .aws(Self.key()))
    let other = await #expect(throws: NetworkingError.self) { try await engine.response(for: failing) }
    guard case .bodyStream = other?.reason else {
      Issue.record("\(String(describing: other))")
      return
    }
  }

  @Test func `a redirect to another origin carries no AWS signature`() async throws {
    let seen = Captured()
    let server = try server(noting: seen)
    let target = server.url
    let elsewhere = try RawServer { connection in
      while connection.readRequest() != nil {
        connection.send("HTTP/1.1 302 Off\r\nLocation: \(target)/x\r\nContent-Length: 0\r\n\r\n")
      }
    }
    var key = Self.key()
    key.sessionToken = "canary-token"
    for handler in [nil, Redirector.follow] {
      let session = Session(.ephemeral)
      let sent = session.request(elsewhere.url).authenticate(.aws(key))
      if let handler { sent.redirect(using: handler) }
      #expect(try await sent.string == "unsigned")
    }
    #expect(!seen.all.joined().contains("canary"))
    #expect(!seen.all.joined().lowercased().contains("x-amz"))
  }

  @Test func `each redirect within the origin gets its own AWS signature`() async throws {
    let server = try RawServer { connection in
      while let (head, body) = connection.readRequest() {
        if head.contains(" /from ") {
          connection.send("HTTP/1.1 307 Off\r\nLocation: /to?b=2&a=1\r\nContent-Length: 0\r\n\r\n")
          continue
        }
        let verdict = (try? Self.verdict(head, body, "execute-api")) ?? "broken"
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(verdict.utf8.count)\r\n\r\n\(verdict)")
      }
    }
    let key = Self.key(service: "execute-api")
    #expect(try await verdict(TransferRequest(url: server.url + "/from", credential: .aws(key))) == "right")
    let content = TransferBody.bytes(Array("content".utf8))
    #expect(try await verdict(TransferRequest(url: server.url + "/from", method: .put, body: content, credential: .aws(key))) == "right")
  }

  @Test func `an AWS signature can be sent in the query instead of the header`() async throws {
    let seen = Captured()
    let server = try server(noting: seen)
    var key = Self.key()
    key.placement = .query(expires: .seconds(60))
    key.sessionToken = "canary-token"
    let response = try await engine.response(for: TransferRequest(url: server.url + "/a?b=c", credential: .aws(key)))
    #expect(seen.text.hasPrefix("GET /a?b=c&X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIDEXAMPLE%2F"))
    #expect(seen.text.contains("&X-Amz-Expires=60&X-Amz-Security-Token=canary-token&X-Amz-SignedHeaders=host&X-Amz-Signature="))
    #expect(response.url == server.url + "/a?b=c")
  }
}
