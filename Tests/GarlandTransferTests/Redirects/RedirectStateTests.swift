import GarlandTransfer
import HTTPTypes
import Testing

@Suite struct RedirectStateTests {
  private func state(_ method: HTTPRequest.Method, sendsBody: Bool = false, policy: RedirectPolicy = .follow()) throws -> RedirectState {
    let key = try #require(HTTPField.Name("X-Api-Key"))
    let fields: HTTPFields = [.authorization: "Bearer t", .cookie: "a=b", key: "k", .accept: "text/plain", .contentType: "text/plain"]
    return RedirectState(
      method: method, url: try URLReference("https://a/x"), headerFields: fields, sendsBody: sendsBody, credentialFields: [key],
      policy: policy)
  }

  @Test(arguments: [
    (301, "GET", "GET", false), (301, "POST", "GET", false), (302, "POST", "GET", false), (303, "POST", "GET", false),
    (303, "PUT", "GET", false), (303, "HEAD", "HEAD", false), (301, "PUT", "PUT", true), (302, "DELETE", "DELETE", true),
    (307, "POST", "POST", true), (308, "PUT", "PUT", true),
  ])
  func `a redirect changes the method and the body according to its status`(
    _ status: Int, _ before: String, _ after: String, _ keepsBody: Bool
  )
    throws
  {
    let sendsBody = before != "GET" && before != "HEAD"
    var state = try state(try #require(HTTPRequest.Method(before)), sendsBody: sendsBody)
    #expect(state.next(status: status, location: "/y", isBodyRepeatable: true) == .follow)
    #expect(state.method.rawValue == after)
    #expect(state.sendsBody == (sendsBody && keepsBody))
    #expect((state.headerFields[.contentType] != nil) == (before == "GET" || before == "HEAD" || keepsBody))
    #expect(state.headerFields[.authorization] != nil)
    #expect(state.url.description == "https://a/y")
  }

  @Test(arguments: ["http://a/y", "https://b/y", "https://a:444/y", "//b/y"])
  func `after a redirect to another origin, no credentials are sent, even if a later redirect leads back`(_ location: String) throws {
    var state = try state(.get)
    #expect(state.next(status: 302, location: location, isBodyRepeatable: true) == .follow)
    #expect(state.headerFields.map(\.name) == [.accept, .contentType])
    #expect(!state.isTrusted)
    #expect(state.next(status: 302, location: "https://a/x", isBodyRepeatable: true) == .follow)
    #expect(state.headerFields[.authorization] == nil)
    #expect(!state.isTrusted)
  }

  @Test func `a redirect that can't be followed causes an error, unless the redirect has no Location field`() throws {
    var loop = try state(.get)
    for _ in 0..<20 { #expect(loop.next(status: 302, location: "/x", isBodyRepeatable: true) == .follow) }
    #expect(loop.next(status: 302, location: "/x", isBodyRepeatable: true) == .fail(.tooMany(limit: 20)))
    var other = try state(.post, sendsBody: true)
    #expect(other.next(status: 307, location: "/y", isBodyRepeatable: false) == .fail(.bodyNotRepeatable))
    #expect(other.next(status: 302, location: "ftp://h/", isBodyRepeatable: true) == .fail(.unsupportedScheme("ftp")))
    #expect(other.next(status: 304, location: "/y", isBodyRepeatable: true) == .deliver)
    #expect(other.next(status: 302, location: nil, isBodyRepeatable: true) == .deliver)
    var kept = try state(.get, policy: .deliver)
    #expect(kept.next(status: 302, location: "/y", isBodyRepeatable: true) == .deliver)
  }
}
