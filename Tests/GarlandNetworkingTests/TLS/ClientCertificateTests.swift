import GarlandNetworking
import HTTPTypes
import TestSupport
import Testing
import TransferTestSupport

/// Tests mutual TLS, with nginx.
@Suite(.timeLimit(.minutes(15))) struct ClientCertificateTests {
  let server: TrustServer
  let session: Session

  init() throws {
    server = try TrustServer.shared()
    session = try server.session()
  }

  enum Form: CaseIterable {
    case files, fileWithKey, bytes, bytesWithKey, encryptedKey, encryptedKeyBytes, pkcs12, pkcs12Bytes, pkcs12WithoutPassword, bySuffix
  }

  private func certificate(_ form: Form, password: String = "secret") throws -> ClientCertificate {
    switch form {
    case .files: .pem(file: server.file("client.pem"), key: server.file("client.key"))
    case .fileWithKey: .pem(file: server.file("client-both.pem"))
    case .bytes: .pem(try server.bytes("client.pem"), key: try server.bytes("client.key"))
    case .bytesWithKey: .pem(try server.bytes("client-both.pem"))
    case .encryptedKey: .pem(file: server.file("client.pem"), key: server.file("client-encrypted.key"), password: password)
    case .encryptedKeyBytes: .pem(try server.bytes("client.pem"), key: try server.bytes("client-encrypted.key"), password: password)
    case .pkcs12: .pkcs12(file: server.file("client.p12"), password: password)
    case .pkcs12Bytes: .pkcs12(try server.bytes("client.p12"), password: password)
    case .pkcs12WithoutPassword: .file(server.file("client.pfx"))
    case .bySuffix: .file(server.file("client.p12"), password: password)
    }
  }

  @Test(arguments: Form.allCases)
  func `a client certificate that is set for one request is not sent with other requests`(_ form: Form) async throws {
    let certificate = try certificate(form)
    let answer = try TrustAnswer(try await session.request(server.url(.mutual)).authenticate(certificate: certificate).validate().string)
    #expect(answer.client == "CN=client")
    // A request without a certificate sends none, even if another one's connection exists.
    #expect(try await session.answer(server.url(.mutual)).client == "")
  }

  @Test(arguments: [Form.encryptedKey, .encryptedKeyBytes, .pkcs12, .pkcs12Bytes])
  func `a client certificate with a wrong password fails the request`(_ form: Form) async throws {
    let wrong = try certificate(form, password: "wrong")
    #expect(await session.failure(server.url(.mutual), { $0.settings.tls.clientCertificate = wrong }) == .clientCertificate)
    // The right password opens a connection, which requests with a wrong one cannot use.
    let right = try certificate(form)
    #expect(try await session.answer(server.url(.mutual), { $0.settings.tls.clientCertificate = right }).client == "CN=client")
    #expect(await session.failure(server.url(.mutual), { $0.settings.tls.clientCertificate = wrong }) == .clientCertificate)
  }

  @Test func `the error for an invalid client certificate names the file`() async throws {
    let broken: [ClientCertificate] = [
      .pem(file: server.file("no-such-file.pem")),
      .pem(file: server.file("client.pem")),
      .pem(file: server.file("client.pem"), key: server.file("server.key")),
      .pem(file: server.file("client.pem"), key: server.file("no-such-file.key")),
      .pem(Array("nothing".utf8)),
      .pkcs12(file: server.file("client.pem"), password: "secret"),
      .pkcs12([1, 2, 3]),
      .pkcs12(file: server.file("no-such-file.p12")),
    ]
    for certificate in broken {
      let failure = await session.failure(server.url(.mutual), { $0.settings.tls.clientCertificate = certificate })
      #expect(failure == .clientCertificate, "\(certificate)")
    }
    let response = await session.request(server.url(.mutual)).authenticate(certificate: .pem(file: "/no/such.pem")).response()
    #expect(response.error?.description.contains("/no/such.pem") == true)
  }

  @Test func `a session's client certificate is sent with every request`() async throws {
    let certificate = try certificate(.pkcs12Bytes)
    let session = try server.session { $0.clientCertificate = certificate }
    for kind in [TrustServer.Kind.mutual, .mutual2] { #expect(try await session.answer(server.url(kind)).client == "CN=client") }
    #expect(try await session.answer(server.url(.mutual), { $0.settings.tls.clientCertificate = nil }).client == "")
  }

  /// A different port is a different origin.
  @Test(arguments: Form.allCases, [true, false])
  func `after a redirect to another origin, a client certificate is not sent`(_ form: Form, withHandler: Bool) async throws {
    let certificate = try certificate(form)
    func client(_ path: String) async throws -> String {
      let request = session.request(server.url(.mutual) + path).authenticate(certificate: certificate).validate()
      if withHandler { request.redirect(using: Redirector.follow) }
      return try TrustAnswer(try await request.string).client
    }
    #expect(try await client("/to?\(server.url(.mutual))/same") == "CN=client")
    #expect(try await client("/to?\(server.url(.mutual2))/other") == "")
    // A dropped certificate is not sent on the way back.
    #expect(try await client("/to?\(server.url(.mutual2))/to?\(server.url(.mutual))/back") == "")
  }

  @Test func `if a request has a client certificate and pinned keys, the certificate is sent and the pins are checked`() async throws {
    let certificate = try certificate(.pkcs12)
    let pinned = try server.session(try server.pins("intermediate")) { $0.clientCertificate = certificate }
    #expect(try await pinned.answer(server.url(.mutual)).client == "CN=client")
    let refused = try server.session(try server.pins("other")) { $0.clientCertificate = certificate }
    #expect(await refused.refusal(server.url(.mutual))?.problem.isPin == true)
  }

  @Test func `the curl command of a request names a certificate file, but contains no certificate data or password`() throws {
    let file = session.request(server.url(.mutual)).authenticate(certificate: .pkcs12(file: "/me.p12", password: "secret"))
    #expect(file.cURLDescription.contains("--cert /me.p12"))
    #expect(file.cURLDescription.contains("--cert-type P12"))
    let bytes = session.request(server.url(.mutual)).authenticate(certificate: .pem([1], password: "hidden"))
    #expect(!bytes.cURLDescription.contains("--cert"))
    #expect(!bytes.cURLDescription.contains("hidden"))
  }
}
