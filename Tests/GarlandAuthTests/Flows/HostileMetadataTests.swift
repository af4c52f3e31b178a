import GarlandAuth
import GarlandJSON
import GarlandNetworking
import TestSupport
import Testing

/// Tests provider metadata that is wrong, belongs to another provider, or contains URLs that a client must not
/// follow.
@Suite(.timeLimit(.minutes(15))) struct HostileMetadataTests {
  /// A missing page may be a JSON object with a member `error`, or the page of an application.
  @Test(arguments: [#"{"error":"not_found"}"#, "<html>", "{", "[]"], [404, 200, 500])
  func `if the first metadata URL of an OAuth issuer returns no metadata, the second URL is used`(body: String, status: Int) async throws {
    let provider = try CannedProvider { path, _, _ in
      switch path {
      case "/token": .init(#"{"access_token":"access-1"}"#)
      case "/.well-known/oauth-authorization-server/id": .init(#"{"issuer":"PROVIDER/id","token_endpoint":"PROVIDER/token"}"#)
      default: .init(body, status: status, type: "text/html")
      }
    }
    let configuration = provider.configuration(.clientCredentials) {
      $0.endpoints.token = nil
      $0.issuer = "\(provider.url)/id"
    }
    let message = await HostileProviderTests.message(provider.manager(configuration))
    guard !(status == 200 && body == #"{"error":"not_found"}"#) else {
      // The body counts as invalid metadata.
      #expect(message == "the response of the provider's metadata URL is not valid: it names no issuer")
      return
    }
    #expect(message == "accepted: access-1")
  }

  @Test func `if the URL of an OAuth issuer is https, metadata that names an http endpoint is refused`() async throws {
    let transport = FixedMetadata([
      "issuer": "https://id.example", "token_endpoint": "http://id.example/token", "authorization_endpoint": "https://id.example/a",
    ])
    var configuration = OAuthConfiguration(grant: .clientCredentials, clientID: "c")
    configuration.issuer = "https://id.example"
    #expect(
      await HostileProviderTests.message(TokenManager(configuration, transport: transport))
        == "the response of the provider's metadata URL is not valid: its token_endpoint is http://id.example/token, but the URL of the issuer is https"
    )
    // The endpoints for clients with certificates must not leave TLS either (RFC 8705 section 5).
    let aliases = FixedMetadata([
      "issuer": "https://id.example", "token_endpoint": "https://id.example/token",
      "mtls_endpoint_aliases": ["token_endpoint": "http://id.example/token"],
    ])
    configuration.authentication = .certificate(file: "client.pem", key: nil)
    #expect(
      await HostileProviderTests.message(TokenManager(configuration, transport: aliases))
        == "the response of the provider's metadata URL is not valid: its token_endpoint is http://id.example/token, but the URL of the issuer is https"
    )
  }

  /// An attacker between the client and the provider could have inserted the redirect.
  @Test func `a redirect from https to http is refused in a request for the metadata of an OAuth provider`() async throws {
    var configuration = OAuthConfiguration(grant: .clientCredentials, clientID: "c")
    configuration.issuer = "https://id.example"
    let transport = try RedirectedMetadata()
    #expect(
      await HostileProviderTests.message(TokenManager(configuration, transport: transport))
        == "the response of the provider's metadata URL is not valid: a redirect leads from https to \(transport.server.url)/elsewhere")
  }

  /// A provider must not make this machine read a file.
  @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/keys", "data:,{}", "//id.example/keys", ""])
  func `the metadata of an OAuth provider is refused if one of its endpoints is not an http or https URL`(url: String) async throws {
    for name in ["jwks_uri", "token_endpoint"] {
      var metadata: JSONObject = ["issuer": "http://id.example", "token_endpoint": "http://id.example/token"]
      metadata[name] = .string(url)
      let transport = FixedMetadata(metadata)
      var configuration = OAuthConfiguration(grant: .clientCredentials, clientID: "c")
      configuration.issuer = "http://id.example"
      #expect(
        await HostileProviderTests.message(TokenManager(configuration, transport: transport))
          == "the response of the provider's metadata URL is not valid: its \(name) is \(url), which is not an http URL")
    }
  }

  /// If a parameter occurred twice, the receiver could not know which value to use.
  @Test func `an extra OAuth parameter is refused if Garland itself sends a parameter of this name`() async throws {
    let provider = try CannedProvider { _, _, _ in .init(#"{"access_token":"access-1"}"#) }
    for name in ["grant_type", "client_id", "scope"] {
      let configuration = provider.configuration(.clientCredentials) {
        $0.scope = ["read"]
        $0.extra = [(name, "x")]
      }
      #expect(
        await HostileProviderTests.message(provider.manager(configuration)).hasSuffix(
          "`extra` must not contain \(name), which is sent automatically"))
    }
    let configuration = provider.configuration(.authorizationCode(CannedUser(answer: ""))) { $0.extra = [("state", "x")] }
    #expect(
      await HostileProviderTests.message(provider.manager(configuration)).hasSuffix(
        "`extra` must not contain state, which is sent automatically"))
    #expect(provider.requests.all.isEmpty)
  }
}

/// A transport that answers only with fixed metadata.
struct FixedMetadata: AuthTransport {
  private let provider: CannedProvider?
  private let session: Session

  init(_ object: JSONObject) {
    let text = JSONValue.object(object).jsonText()
    provider = try? CannedProvider { _, _, _ in .init(text) }
    session = provider?.session ?? Session(.ephemeral)
  }

  func send(_ request: TransferRequest, for purpose: AuthPurpose) async throws(NetworkingError) -> TransferResponse {
    var changed = request
    changed.url = provider?.url ?? ""
    return try await SessionTransport(session).send(changed, for: purpose)
  }
}

/// A transport that redirects the request for metadata.
struct RedirectedMetadata: AuthTransport {
  let server: RawServer
  private let session = Session(.ephemeral)

  init() throws {
    server = try RawServer { connection in
      while let (head, _) = connection.readRequest() {
        let isElsewhere = head.hasPrefix("GET /elsewhere ")
        connection.send(
          isElsewhere
            ? "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
            : "HTTP/1.1 302 Off\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n")
      }
    }
  }

  func send(_ request: TransferRequest, for purpose: AuthPurpose) async throws(NetworkingError) -> TransferResponse {
    var changed = request
    changed.url = server.url
    return try await SessionTransport(session).send(changed, for: purpose)
  }
}
