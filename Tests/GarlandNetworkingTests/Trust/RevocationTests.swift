import GarlandNetworking
import Synchronization
import TestSupport
import Testing
import TransferTestSupport

/// Tests stapled OCSP responses, from nginx's `ssl_stapling_file`.
@Suite(.timeLimit(.minutes(15))) struct RevocationTests {
  let server: TrustServer

  init() throws { server = try TrustServer.shared() }

  static let cases: [(TrustServer.Kind, NetworkingError.Trust.Revocation?)] = [
    (.good, nil), (.delegated, nil), (.open, nil), (.revoked, .revoked(reason: "keyCompromise")), (.impostor, .untrusted),
    (.notKnown, .unknown), (.another, .otherCertificate), (.server, .missing), (.promising, .missing),
  ]

  @Test(arguments: cases)
  func `a stapled OCSP response decides the result of the revocation check`(
    _ kind: TrustServer.Kind, _ expected: NetworkingError.Trust.Revocation?
  )
    async throws
  {
    let refusal = try await server.session(RevocationTrustEvaluator()).refusal(server.url(kind))
    #expect(refusal?.problem == expected.map(NetworkingError.Trust.Problem.revocation))
    if expected != nil { #expect(refusal?.evaluator == "revocation") }
    // A response that is not required is still checked. A certificate that requires a response still needs one.
    let lenient = try await server.session(RevocationTrustEvaluator(requiresStaple: false)).refusal(server.url(kind))
    #expect(lenient?.problem == (kind == .server ? nil : refusal?.problem))
    // Sessions without the evaluator do not check.
    #expect(try await server.session().refusal(server.url(kind)) == nil)
    #expect(try await server.session(.default).refusal(server.url(kind)) == nil)
  }

  @Test func `a stapled OCSP response is accepted only during its validity period`() async throws {
    let day: Int64 = 24 * 3600
    // `good` is valid for two days, `open` has no end.
    let cases: [(TrustServer.Kind, Int64, Bool)] = [
      (.good, 1, true), (.good, 3, false), (.good, -1, false), (.open, 6, true), (.open, 8, false), (.open, -1, false),
    ]
    for (kind, days, isCurrent) in cases {
      let evaluator = RevocationTrustEvaluator(now: { SessionClock().secondsSince1970() + days * day })
      let refusal = try await server.session(evaluator).refusal(server.url(kind))
      #expect(refusal?.problem == (isCurrent ? nil : .revocation(.notCurrent)), "\(kind) after \(days) days")
    }
    // A revocation remains valid after the response has expired.
    let later = RevocationTrustEvaluator(now: { SessionClock().secondsSince1970() + 100 * day })
    #expect(try await server.session(later).refusal(server.url(.revoked))?.problem == .revocation(.revoked(reason: "keyCompromise")))
  }

  @Test func `if a request reuses an open TLS connection, the revocation check of a valid certificate still passes`() async throws {
    let session = try server.session(RevocationTrustEvaluator())
    let first = try await session.port(server.url(.good))
    #expect(try await session.port(server.url(.good)) == first)
  }

  /// A connection on which no OCSP response was requested has none.
  @Test func `a connection that was opened without an OCSP request is not reused for a revocation check`() async throws {
    let engine = Engine()
    var request = TransferRequest(url: server.url(.good))
    request.settings.tls.authorities = server.file("root.pem")
    request.settings.serverTrust = try ServerTrustManager(["localhost": server.pins("server")])
    let first = try await engine.response(for: request)
    request.settings.serverTrust = try ServerTrustManager(["localhost": RevocationTrustEvaluator()])
    let second = try await engine.response(for: request)
    #expect(first.metrics.transactions.last?.localPort != second.metrics.transactions.last?.localPort)
  }

  @Test func `a revocation check can be combined with pinned public keys`() async throws {
    let both = CompositeTrustEvaluator(try server.pins("intermediate"), RevocationTrustEvaluator())
    #expect(try await server.session(both).refusal(server.url(.good)) == nil)
    #expect(try await server.session(both).refusal(server.url(.revoked))?.evaluator == "revocation")
    #expect(
      try await server.session(both).refusal(server.url(.revoked))?.description
        == "the server of localhost was refused by revocation: its certificate was revoked: keyCompromise")
  }

  /// A verified response is not verified again, but is used only for its time and certificate.
  @Test func `the validity period of an OCSP response is checked each time, even if its signature was verified before`() throws {
    let chain = try ["server", "intermediate", "root"].map { try server.certificate($0) }
    let day: Int64 = 24 * 3600
    let days = Mutex<Int64>(0)
    let evaluator = RevocationTrustEvaluator(now: { SessionClock().secondsSince1970() + days.withLock { $0 } * day })
    func problem(_ name: String, _ chain: [Certificate]) throws -> NetworkingError.Trust.Problem? {
      let trust = ServerTrust(host: "h", chain: chain, isVerified: true, stapledResponse: try server.bytes("\(name).der"))
      do throws(NetworkingError.Trust.Problem) { try evaluator.evaluate(trust) } catch { return error }
      return nil
    }
    for _ in 0..<2 {
      #expect(try problem("good", chain) == nil)
      #expect(try problem("revoked", chain) == .revocation(.revoked(reason: "keyCompromise")))
      #expect(try problem("good", [server.certificate("promising")] + chain.dropFirst()) == .revocation(.otherCertificate))
      #expect(try problem("good", [chain[0], server.certificate("other")]) == .revocation(.untrusted))
    }
    days.withLock { $0 = 3 }
    #expect(try problem("good", chain) == .revocation(.notCurrent))
    days.withLock { $0 = 0 }
    #expect(try problem("good", chain) == nil)
    #expect(throws: NetworkingError.Trust.Problem.noVerifiedChain) {
      try evaluator.evaluate(ServerTrust(host: "h", chain: chain, isVerified: false, stapledResponse: try server.bytes("good.der")))
    }
  }

  /// Any broken staple is refused, without worse effects.
  @Test func `a broken OCSP response is refused`() throws {
    let chain = try ["server", "intermediate", "root"].map { try server.certificate($0) }
    let good = try server.bytes("good.der")
    func problem(_ bytes: [UInt8]) -> NetworkingError.Trust.Problem? {
      do throws(NetworkingError.Trust.Problem) {
        try RevocationTrustEvaluator().evaluate(ServerTrust(host: "localhost", chain: chain, isVerified: true, stapledResponse: bytes))
        return nil
      } catch {
        return error
      }
    }
    #expect(problem(good) == nil)
    #expect(problem([]) == .revocation(.unreadable))
    // OCSPResponseStatus tryLater(3), without anything else.
    #expect(problem([0x30, 0x03, 0x0A, 0x01, 0x03]) == .revocation(.unreadable))
    for length in stride(from: 1, to: good.count, by: 7) { #expect(problem(Array(good[..<length])) != nil) }
    var random = SeededRandom(seed: 0x0C5B_0C5B)
    for index in good.indices {
      var changed = good
      changed[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      _ = problem(changed)
    }
    // A bit of the signed part, for example in the serial number, breaks the signature.
    let serial = try #require(Self.position(of: try server.bytes("revoked.der"), in: good))
    var forged = good
    forged[serial] ^= 1
    #expect(problem(forged) != nil)
  }

  /// Returns the first difference of two responses.
  private static func position(of other: [UInt8], in bytes: [UInt8]) -> Int? {
    zip(bytes, other).enumerated().first { $0.element.0 != $0.element.1 }?.offset
  }
}
