import GarlandNetworking
import GarlandSandbox
import HTTPTypes
import Testing
import TransferTestSupport

@Suite(.timeLimit(.minutes(15))) struct ValidationTests {
  @Test(
    arguments: [
      ("text/html", "text/html", true), ("text/html", "TEXT/HTML; charset=utf-8", true), ("text/*", "text/plain", true),
      ("*/*", "image/png", true), ("*/json", "application/json", true), ("application/json", "application/problem+json", false),
      ("application/*+json", "application/problem+json", true), ("application/*+json", "application/json", false),
      ("text/html; charset=utf-8", "text/html", false), ("text/html; charset=utf-8", "text/html; level=1; charset=\"UTF-8\"", true),
      ("text/html;q=0.5", "text/html", true), ("image/*", "text/plain", false), ("text/html", "nonsense", false),
      ("text/html", "text/", false),
    ] as [(String, String, Bool)])
  func `a media range in an Accept field matches only media types with its type and parameters`(
    _ range: String, _ type: String, _ expected: Bool
  ) {
    #expect(MediaRange(range)?.matches(type) == expected)
  }

  @Test func `an Accept field is split into media ranges`() {
    let ranges = MediaRange.list(#"text/html;q=0.8, application/xml ;a="x,y",, image/* , odd"#)
    #expect(ranges.map(\.description) == ["text/html;q=0.8", #"application/xml ;a="x,y""#, "image/*"])
    #expect(MediaRange("") == nil)
    #expect(MediaRange("/x") == nil)
  }

  @Test func `validate() without arguments refuses an error status, or a content type that the Accept field does not allow`() async throws {
    try await withSandbox { (session, sandbox) async throws in
      #expect(await session.request(sandbox.url + "/status/404").response().error == nil)
      let missing = await session.request(sandbox.url + "/status/404").validate().response()
      #expect(missing.error?.reason == .validation(.unacceptableStatus(404)))
      #expect(missing.error?.description == "the status 404 is not accepted")
      #expect(missing.status == 404)
      #expect(missing.error?.partialResponse?.status.code == 404)
      #expect(await session.request(sandbox.url + "/json", headers: [.accept: "application/*"]).validate().response().error == nil)
      let html = await session.request(sandbox.url + "/json", headers: [.accept: "text/html, text/plain;q=0.5"]).validate().response()
      guard case .validation(.unacceptableContentType(let type, let acceptable)) = html.error?.reason else {
        Issue.record("\(html)")
        return
      }
      #expect(type.hasPrefix("application/json"))
      #expect(acceptable == ["text/html", "text/plain;q=0.5"])
    }
  }

  @Test func `if several validators refuse a response, the error is that of the first validator`() async throws {
    struct Odd: Error {}
    try await withSandbox { (session, sandbox) async throws in
      let both = await session.request(sandbox.url + "/status/500").validate { _, _ in throw Odd() }.validate().response()
      #expect(both.error?.reason == .validation(.custom(.init(Odd()))))
      let other = await session.request(sandbox.url + "/status/500").validate().validate { _, _ in throw Odd() }.response()
      #expect(other.error?.reason == .validation(.unacceptableStatus(500)))
      let fine = await session.request(sandbox.url + "/status/418").validate(statuses: [418]).validate { _, _ in }.response()
      #expect(fine.error == nil)
    }
  }

  @Test func `the content type is validated only if the response has a body`() async throws {
    try await withSandbox { (session, sandbox) async throws in
      for path in ["/status/204", "/status/205"] {
        let request = session.request(sandbox.url + path).validate(contentTypes: ["image/png"])
        #expect(try await request.data.isEmpty)
        #expect(try await request.string == "")
        #expect(try await request.json == .null)
        #expect(try await request.response(of: Empty.self).value == Empty())
        #expect(try await request.response(of: Int?.self).value == nil)
        #expect(await request.response(of: Int.self).error?.reason == .serialization(.empty))
      }
      #expect(try await session.request(sandbox.url + "/json", method: .head).validate(contentTypes: ["image/png"]).string == "")
      let wrong = await session.request(sandbox.url + "/json").validate(contentTypes: ["image/png"]).response()
      #expect(wrong.error?.reason.kind == .validation)
      let empty = session.request(sandbox.url + "/bytes/0").validate(contentTypes: ["image/png"])
      #expect(await empty.response().error == nil)
      #expect(await empty.response(with: DataResponseSerializer()).error?.reason == .serialization(.empty))
    }
  }

  @Test func `a response without a content type passes validation only if every content type is accepted`() async throws {
    let server = try PlainServer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
    let session = Session(.ephemeral)
    let refused = await session.request(server.url).validate(contentTypes: ["text/plain"]).response()
    #expect(refused.error?.reason == .validation(.missingContentType(acceptable: ["text/plain"])))
    #expect(await session.request(server.url).validate(contentTypes: ["text/plain", "*/*"]).response().error == nil)
  }
}
