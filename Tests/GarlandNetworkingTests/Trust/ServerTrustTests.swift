import GarlandNetworking
import HTTPTypes
import Synchronization
import TestSupport
import Testing
import TransferTestSupport

/// Tests server trust with nginx and many kinds of certificates.
@Suite(.timeLimit(.minutes(15))) struct ServerTrustTests {
  let server: TrustServer

  init() throws { server = try TrustServer.shared() }

  // MARK: Pins

  @Test(arguments: ["server", "intermediate", "root"])
  func `a server is accepted if a pin matches at least one certificate of its chain`(_ name: String) async throws {
    let url = server.url(.server)
    #expect(try await server.session(try server.pins("other", name)).refusal(url) == nil)
    let certificates = try PinnedCertificatesTrustEvaluator([server.certificate("other"), server.certificate(name)])
    #expect(try await server.session(certificates).refusal(url) == nil)
  }

  @Test func `when no key matches a pin, the error lists the expected and the found keys`() async throws {
    let pin = try server.pin("other")
    let refusal = try #require(try await server.session(try server.pins("other")).refusal(server.url(.server)))
    let chain = try ["server", "intermediate", "root"].map { try server.certificate($0) }
    #expect(refusal.host == "localhost")
    #expect(refusal.evaluator == "pinned keys")
    #expect(refusal.problem == .keyNotPinned(expected: [pin], found: chain))
    let found = chain.map { "\($0.publicKeyPin) (\($0.subject))" }
    #expect(chain.map(\.subject) == ["CN=server", "CN=intermediate", "CN=root"])
    #expect(
      refusal.description
        == "the server of localhost was refused by pinned keys: expected \(pin), the keys of its chain are \(found[0]), \(found[1]) and \(found[2])"
    )
    let response = try await server.session(try server.pins("other")).request(server.url(.server)).response()
    #expect(response.error?.reason.kind == .tls)
    #expect(response.error?.isUnreachable == true)
    #expect(response.error?.description == refusal.description)
    let anyHost = try PublicKeysTrustEvaluator([pin], validatesHost: false)
    #expect(try await server.session(anyHost).refusal(server.url(.server))?.problem == refusal.problem)
  }

  @Test func `when no certificate matches a pin, the error lists the expected and the found certificates`() async throws {
    let other = try server.certificate("other")
    let refusal = try await server.session(try PinnedCertificatesTrustEvaluator([other])).refusal(server.url(.server))
    let chain = try ["server", "intermediate", "root"].map { try server.certificate($0) }
    #expect(refusal?.problem == .certificateNotPinned(expected: [other], found: chain))
    #expect(refusal?.description.contains("expected CN=other (\(other.fingerprint)), its chain has CN=server (") == true)
    let anyHost = try PinnedCertificatesTrustEvaluator([other], validatesHost: false)
    #expect(try await server.session(anyHost).refusal(server.url(.server))?.problem == refusal?.problem)
  }

  /// A server may send any certificates beside its chain.
  @Test func `a pin does not match a certificate that the server sends in addition to its chain`() async throws {
    let url = server.url(.extra)
    #expect(try await server.session().answer(url).version == "TLSv1.3")
    for name in ["stranger", "other"] {
      #expect(try await server.session(try server.pins(name)).refusal(url)?.problem.isPin == true)
      let certificates = try PinnedCertificatesTrustEvaluator([server.certificate(name)])
      #expect(try await server.session(certificates).refusal(url)?.problem.isPin == true)
    }
    // The right certificate is found among the others.
    #expect(try await server.session(try server.pins("root")).refusal(url) == nil)
  }

  /// Two chains lead from the certificate to a root. Only the verified chain is evaluated.
  @Test func `for a cross-signed certificate, trust evaluators check the chain that ends at the trusted root`() async throws {
    let url = server.url(.crossed)
    #expect(try await server.session(trusting: "root.pem", try server.pins("root")).refusal(url) == nil)
    #expect(try await server.session(trusting: "root.pem", try server.pins("root2")).refusal(url) == nil)
    #expect(try await server.session(trusting: "root2.pem", try server.pins("root2")).refusal(url) == nil)
    let refusal = try await server.session(trusting: "root2.pem", try server.pins("root")).refusal(url)
    let chain = try ["crossed", "root2"].map { try server.certificate($0) }
    #expect(refusal?.problem == .keyNotPinned(expected: [try server.pin("root")], found: chain))
    // Another certificate with the same key.
    let cross = try PinnedCertificatesTrustEvaluator([server.certificate("cross")])
    #expect(try await server.session(trusting: "root2.pem", cross).refusal(url)?.problem.isPin == true)
    #expect(try await server.session(trusting: "root.pem", cross).refusal(url) == nil)
  }

  @Test func `trust evaluators check the certificate of the server for each request, even on a reused connection`() async throws {
    let counter = CountingEvaluator()
    let session = try server.session(counter)
    let url = server.url(.server)
    let first = try await session.port(url)
    let response = await session.request(url + "/again").validate().response()
    #expect(response.metrics.last?.transactions.last?.isReused == true)
    #expect(response.metrics.last?.transactions.last?.localPort == first)
    #expect(
      counter.chains.map { $0.map(\.subject) } == [
        ["CN=server", "CN=intermediate", "CN=root"], ["CN=server", "CN=intermediate", "CN=root"],
      ])

    // Both requests have evaluators, so that the second reuses the first one's connection.
    let engine = Engine()
    var request = TransferRequest(url: url + "/accepted")
    request.settings.tls.authorities = server.file("root.pem")
    request.settings.serverTrust = try ServerTrustManager(["localhost": server.pins("intermediate")])
    let accepted = try await engine.response(for: request)
    request.url = url + "/refused-on-a-reused-connection"
    request.settings.serverTrust = try ServerTrustManager(["localhost": server.pins("other")])
    let error = await #expect(throws: NetworkingError.self) { try await engine.response(for: request) }
    #expect(error?.metrics.transactions.last?.localPort == accepted.metrics.transactions.last?.localPort)
    #expect(error?.reason.kind == .tls)
    // The connection is not kept for other requests.
    request.url = url + "/after"
    request.settings.serverTrust = try ServerTrustManager(["localhost": server.pins("intermediate")])
    let after = try await engine.response(for: request)
    #expect(after.metrics.transactions.last?.localPort != accepted.metrics.transactions.last?.localPort)
    let log = try server.log()
    #expect(log.contains("/accepted"))
    #expect(log.contains("/after"))
    #expect(!log.contains("/refused-on-a-reused-connection"))
  }

  @Test func `if the client does not trust a server, it sends no part of the request to the server`() async throws {
    let session = try server.session(try server.pins("other"))
    let body = [UInt8](repeating: 0x41, count: 100_000)
    for kind in [TrustServer.Kind.server, .old] {
      let upload = session.upload(body, to: server.url(kind) + "/refused-upload")
      let response = await upload.response()
      #expect(response.error?.reason.kind == .tls)
      #expect(response.metrics.last?.transactions.last?.requestBodyBytes == 0)
    }
    _ = try await server.session().answer(server.url(.server))
    #expect(try !server.log().contains { $0.contains("refused-upload") })
  }

  @Test func `the pins of a server's public key are checked on a connection through a proxy tunnel`() async throws {
    let proxy = try TunnelProxy(to: server.port(.server))
    for (name, isAccepted) in [("server", true), ("other", false)] {
      let session = try server.session(try server.pins(name))
      let response = await session.request(server.url(.server), modify: { $0.settings.proxy = .url(proxy.url) }).response()
      #expect((response.error == nil) == isAccepted)
      if !isAccepted, case .trust(let refusal) = response.error?.reason { #expect(refusal.problem.isPin) }
    }
    #expect(proxy.heads.count == 2)
  }

  @Test func `for each of forty concurrent requests, the trust evaluator is called`() async throws {
    let counter = CountingEvaluator()
    let session = try server.session(counter)
    let requests = (0..<40).map { _ in session.request(server.url(.server)).validate().resume() }
    for request in requests { #expect(await request.response().error == nil) }
    #expect(counter.chains.count == 40)
  }

  // MARK: Bad certificates

  @Test(arguments: [TrustServer.Kind.expired, .wronghost, .unknown, .selfsigned])
  func `an invalid certificate is refused even if it matches a pin`(_ kind: TrustServer.Kind) async throws {
    // A matching pin for an invalid certificate.
    let pins = try server.pins(kind.certificate)
    let failure = try await server.session(pins).failure(server.url(kind))
    #expect(failure == (kind == .wronghost ? .wrongHost : .untrusted))
    let certificates = try PinnedCertificatesTrustEvaluator([server.certificate(kind.certificate)])
    #expect(try await server.session(certificates).failure(server.url(kind)) == failure)
    #expect(try await server.session(.default).failure(server.url(kind)) == failure)
    #expect(try await server.session(RevocationTrustEvaluator(requiresStaple: false)).failure(server.url(kind)) == failure)
    #expect(try await server.session(.disabled).answer(server.url(kind)).version == "TLSv1.3")
    // Disabling verification does not disable evaluators.
    #expect(try await server.session(pins, { $0.verifies = false }).failure(server.url(kind)) == failure)
  }

  @Test func `each kind of trust evaluator has an option to accept a certificate that is not valid for the host`() async throws {
    let url = server.url(.wronghost)
    let evaluators: [any ServerTrustEvaluating] = [
      DefaultTrustEvaluator(validatesHost: false), RevocationTrustEvaluator(requiresStaple: false, validatesHost: false),
      try PublicKeysTrustEvaluator([server.pin("wronghost")], validatesHost: false),
      try PinnedCertificatesTrustEvaluator([server.certificate("root")], validatesHost: false),
      try AuthorityTrustEvaluator([server.certificate("root")], validatesHost: false),
    ]
    for evaluator in evaluators + [CompositeTrustEvaluator(Array(evaluators.prefix(2)))] {
      #expect(try await server.session(evaluator).refusal(url) == nil)
      // All other requirements still apply.
      #expect(try await server.session(evaluator).failure(server.url(.unknown)) == .untrusted)
      #expect(try await server.session(evaluator).failure(server.url(.expired)) == .untrusted)
    }
    // Combined with an evaluator that requires the host, the host counts.
    #expect(try await server.session(CompositeTrustEvaluator(evaluators + [DefaultTrustEvaluator()])).failure(url) == .wrongHost)
    #expect(try await server.session(try server.pins("wronghost")).failure(url) == .wrongHost)
  }

  @Test func `a self-signed certificate is accepted if it is pinned and the trust evaluator allows such certificates`() async throws {
    let own = try PinnedCertificatesTrustEvaluator([server.certificate("selfsigned")], acceptsSelfSigned: true)
    #expect(try await server.session(own).refusal(server.url(.selfsigned)) == nil)
    // With this evaluator, no other certificate is trusted.
    #expect(try await server.session(own).failure(server.url(.server)) == .untrusted)
    // A pinned leaf is enough without its authority.
    let leaf = try PinnedCertificatesTrustEvaluator([server.certificate("server")], acceptsSelfSigned: true)
    #expect(try await server.session(trusting: "other.pem", leaf).refusal(server.url(.server)) == nil)
    let expired = try PinnedCertificatesTrustEvaluator([server.certificate("expired")], acceptsSelfSigned: true)
    #expect(try await server.session(expired).failure(server.url(.expired)) == .untrusted)
  }

  @Test func `a trust evaluator can replace the certificate authorities of the session`() async throws {
    let own = try AuthorityTrustEvaluator(pemFile: server.file("other.pem"))
    // The authorities replace those of the session.
    #expect(try await server.session(own).refusal(server.url(.unknown)) == nil)
    #expect(try await server.session(own).failure(server.url(.server)) == .untrusted)
    // An intermediate authority is accepted.
    let intermediate = try AuthorityTrustEvaluator([server.certificate("intermediate")])
    #expect(try await server.session(trusting: "other.pem", intermediate).refusal(server.url(.server)) == nil)
    // With two evaluators, both must trust the chain's authority.
    let both = CompositeTrustEvaluator(own, try AuthorityTrustEvaluator(pemFile: server.file("root.pem")))
    let refusal = try await server.session(both).refusal(server.url(.server))
    #expect(refusal?.problem == .otherAuthority(found: try server.certificate("root")))
    #expect(refusal?.evaluator == "certificate authorities")
    #expect(refusal?.description.contains("its chain leads to CN=root (") == true)
  }

  @Test func `a composite evaluator accepts a server only if all of its evaluators accept it`() async throws {
    let pins = try server.pins("intermediate")
    let certificate = try PinnedCertificatesTrustEvaluator([server.certificate("other")])
    let nested = CompositeTrustEvaluator(pins, CompositeTrustEvaluator(DefaultTrustEvaluator(), certificate))
    #expect(try await server.session(nested).refusal(server.url(.server))?.evaluator == "pinned certificates")
    #expect(try await server.session(CompositeTrustEvaluator(pins, .disabled)).refusal(server.url(.server)) == nil)
    #expect(try await server.session(CompositeTrustEvaluator(pins, .disabled)).failure(server.url(.unknown)) == .untrusted)
    #expect(try await server.session(CompositeTrustEvaluator()).failure(server.url(.unknown)) == .untrusted)
    let revocation = CompositeTrustEvaluator(DefaultTrustEvaluator(), RevocationTrustEvaluator(requiresStaple: false))
    #expect(try await server.session(revocation).refusal(server.url(.server)) == nil)
    #expect(try await server.session(revocation).failure(server.url(.expired)) == .untrusted)
  }

  @Test func `the short form of a trust evaluator, such as .publicKeys, has the same effect as creating the evaluator`() async throws {
    let url = server.url(.server)
    let (certificate, other) = (try server.certificate("server"), try server.certificate("other"))
    #expect(try await server.session(.pinnedCertificates([other, certificate])).refusal(url) == nil)
    #expect(try await server.session(.pinnedCertificates([other])).refusal(url)?.problem.isPin == true)
    #expect(try await server.session(.publicKeys("\(certificate.publicKeyPin)")).refusal(url) == nil)
    #expect(try await server.session(.publicKeys([other.publicKeyPin])).refusal(url)?.problem.isPin == true)
    #expect(try await server.session(.revocationChecking).refusal(url)?.evaluator == "revocation")
    #expect(try await server.session(.revocationChecking(requiresStaple: false)).refusal(url) == nil)
    #expect(try await server.session(.composite(.default, .publicKeys([other.publicKeyPin]))).refusal(url)?.problem.isPin == true)
  }

  @Test func `the default trust evaluator accepts a valid certificate chain, with and without a check of the host`() async throws {
    for evaluator in [DefaultTrustEvaluator(), DefaultTrustEvaluator(validatesHost: false)] {
      #expect(try await server.session(evaluator).refusal(server.url(.server)) == nil)
    }
  }

  @Test func `a custom trust evaluator can refuse a server with its own message`() async throws {
    struct Moody: ServerTrustEvaluating {
      func evaluate(_ trust: ServerTrust) throws(NetworkingError.Trust.Problem) { throw .refused("I do not like \(trust.host)") }
    }
    let refusal = try await server.session(Moody()).refusal(server.url(.server))
    #expect(refusal?.description == "the server of localhost was refused by Moody: I do not like localhost")
    // An evaluator without verification sees the sent certificates, marked as unverified.
    let counter = CountingEvaluator(requirements: TrustRequirements(verifiesChain: false, verifiesHost: false))
    #expect(try await server.session(counter).refusal(server.url(.unknown)) == nil)
    #expect(counter.chains.map { $0.map(\.subject) } == [["CN=unknown"]])
    #expect(counter.verified == [false])
  }

  // MARK: Hosts

  @Test func `if every host must have a trust evaluator, a request to a host without one is refused`() async throws {
    let session = try server.session(.default)
    let elsewhere = server.url(.server).replacing("localhost", with: "127.0.0.1")
    let refusal = try #require(await session.refusal(elsewhere + "/refused-host"))
    #expect(refusal.problem == .noEvaluator)
    #expect(refusal.description == "no evaluator is set for 127.0.0.1, and every host needs one")
    var configuration = SessionConfiguration.ephemeral
    configuration.settings.tls.authorities = server.file("root.pem")
    configuration.settings.serverTrust = try ServerTrustManager(allHostsMustBeEvaluated: false, ["localhost": server.pins("other")])
    let lax = Session(configuration)
    #expect(await lax.refusal(elsewhere) == nil)
    #expect(await lax.failure(server.url(.unknown).replacing("localhost", with: "127.0.0.1")) == .untrusted)
    #expect(await lax.refusal(server.url(.server))?.problem.isPin == true)
    // The same host in other spellings.
    let dotted = server.url(.server).replacing("localhost", with: "LOCALHOST.")
    let refused = await lax.refusal(dotted, { $0.settings.connectTo = [ConnectOverride(toHost: "localhost")] })
    #expect(refused?.problem.isPin == true)
    #expect(await lax.refusal(server.url(.server).replacing("localhost", with: "LocalHost"))?.problem.isPin == true)
  }

  @Test func `if a redirect leads to another server, the trust evaluators of that server are called`() async throws {
    let target = server.url(.server).replacing("localhost", with: "127.0.0.1") + "/refused-hop"
    var configuration = SessionConfiguration.ephemeral
    configuration.settings.tls.authorities = server.file("root.pem")
    configuration.settings.serverTrust = try ServerTrustManager(["localhost": server.pins("server"), "127.0.0.1": server.pins("other")])
    for handler in [nil, Redirector.follow] {
      let request = Session(configuration).request(server.url(.server) + "/to?" + target)
      if let handler { request.redirect(using: handler) }
      let response = await request.response()
      guard case .trust(let refusal) = response.error?.reason else {
        Issue.record("\(String(describing: response.error))")
        continue
      }
      #expect(refusal.host == "127.0.0.1")
      #expect(refusal.problem.isPin)
    }
    #expect(try !server.log().contains { $0.contains("refused-hop") && !$0.hasPrefix("/to") })
  }

  // MARK: Session and request

  @Test func `trust evaluators of a request do not replace those of the session`() async throws {
    let url = server.url(.server)
    let pinned = try ServerTrustManager(["localhost": server.pins("server")])
    let wrong = try ServerTrustManager(["localhost": server.pins("other")])
    let careless = try ServerTrustManager(["localhost": .disabled])
    let elsewhere = try ServerTrustManager(["example.com": .disabled])
    // The request's own manager, in a session without one.
    #expect(try await server.session().refusal(url, { $0.settings.serverTrust = wrong })?.problem.isPin == true)
    #expect(try await server.session().refusal(url, { $0.settings.serverTrust = pinned }) == nil)
    #expect(try await server.session().failure(server.url(.unknown), { $0.settings.serverTrust = careless }) == .untrusted)
    // The request's manager beside the session's.
    #expect(try await server.session(try server.pins("other")).refusal(url, { $0.settings.serverTrust = pinned })?.problem.isPin == true)
    #expect(try await server.session(try server.pins("other")).refusal(url, { $0.settings.serverTrust = careless })?.problem.isPin == true)
    #expect(try await server.session(try server.pins("other")).refusal(url, { $0.settings.serverTrust = nil })?.problem.isPin == true)
    #expect(try await server.session(.default).refusal(url, { $0.settings.serverTrust = wrong })?.problem.isPin == true)
    #expect(try await server.session(.default).refusal(url, { $0.settings.serverTrust = elsewhere })?.problem == .noEvaluator)
    #expect(try await server.session(try server.pins("root")).refusal(url, { $0.settings.serverTrust = pinned }) == nil)
    // A session without verification may have requests with and without it.
    let lax = try server.session { $0.verifies = false }
    #expect(await lax.refusal(server.url(.unknown), { $0.settings.serverTrust = careless }) == nil)
    #expect(await lax.failure(server.url(.unknown), { $0.settings.serverTrust = pinned }) == .untrusted)
    #expect(try await server.session(.disabled).refusal(url, { $0.settings.serverTrust = wrong })?.problem.isPin == true)
  }

  @Test func `for a request without TLS, no trust evaluator is called`() async throws {
    let plain = try NginxServer.shared().url
    #expect(try await server.session(try server.pins("other")).refusal(plain + "/json") == nil)
  }
}

/// An evaluator that accepts every server and records the proofs.
final class CountingEvaluator: ServerTrustEvaluating {
  private let state = Mutex<[ServerTrust]>([])
  let requirements: TrustRequirements

  init(requirements: TrustRequirements = TrustRequirements()) { self.requirements = requirements }

  func evaluate(_ trust: ServerTrust) throws(NetworkingError.Trust.Problem) { state.withLock { $0.append(trust) } }
  var chains: [[Certificate]] { state.withLock { $0.map(\.chain) } }
  var verified: [Bool] { state.withLock { $0.map(\.isVerified) } }
}

extension NetworkingError.Trust.Problem {
  /// Whether the problem is a missing pin.
  var isPin: Bool {
    switch self {
    case .keyNotPinned, .certificateNotPinned: true
    default: false
    }
  }
}
