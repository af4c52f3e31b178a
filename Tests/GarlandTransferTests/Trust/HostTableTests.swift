import Testing

@testable import GarlandTransfer

@Suite struct HostTableTests {
  private struct Named: ServerTrustEvaluating {
    let name: String
    func evaluate(_ trust: ServerTrust) throws(NetworkingError.Trust.Problem) {}
  }

  private func found(_ patterns: [String], _ host: String) throws -> String? {
    try HostTable(Dictionary(uniqueKeysWithValues: patterns.map { ($0, Named(name: $0)) })).find(host)?.evaluators.first?.name
  }

  @Test(
    arguments: [
      ("example.com", "example.com"), ("www.example.com", "*.example.com"), ("a.b.example.com", "*.example.com"),
      ("api.example.com", "api.example.com"), ("x.api.example.com", "*.api.example.com"), ("x.y.api.example.com", "*.api.example.com"),
      ("example.com.", "example.com"), ("api.example.com.", "api.example.com"), ("badexample.com", nil), ("com", nil), ("", nil),
      ("127.0.0.1", "127.0.0.1"), ("[::1]", "::1"), ("xn--bcher-kva.example", "bücher.example"), ("a.xn--bcher-kva.example", nil),
      ("example.com.evil.test", nil),
    ] as [(String, String?)])
  func `if several host patterns in the trust settings match a host, the most specific pattern is used`(
    _ host: String, _ pattern: String?
  ) throws {
    let patterns = ["EXAMPLE.com", "*.example.com", "api.example.com.", "*.API.example.com", "127.0.0.1", "::1", "bücher.example"]
    #expect(try found(patterns, host)?.lowercased() == pattern.map { $0 == "api.example.com" ? "api.example.com." : $0 })
    #expect(try found(patterns + ["*"], host)?.lowercased() == (pattern.map { $0 == "api.example.com" ? "api.example.com." : $0 } ?? "*"))
  }

  @Test(arguments: [
    "", "*.", "*x", "a.*.b", "**", "*.*", "https://example.com", "example.com:443", "a b", "*.127.0.0.1", ".example.com", "[::1", "::g",
  ])
  func `an invalid host pattern in the trust settings is refused`(_ pattern: String) throws {
    #expect(throws: TrustConfigurationError.host(pattern)) { try ServerTrustManager([pattern: .default]) }
  }

  @Test func `a host that occurs twice in the trust settings is refused`() throws {
    #expect(throws: TrustConfigurationError.repeatedHost("example.com")) {
      try ServerTrustManager(["EXAMPLE.com": .default, "example.com": .disabled])
    }
    #expect(throws: TrustConfigurationError.repeatedHost("[::1]")) { try ServerTrustManager(["::1": .default, "[::1]": .default]) }
  }

  @Test func `if all trust evaluators of a host are disabled, its certificates are not verified`() throws {
    #expect(HostTrust([.disabled]).isDisabled)
    #expect(HostTrust([CompositeTrustEvaluator(DisabledTrustEvaluator(), DisabledTrustEvaluator())]).isDisabled)
    #expect(!HostTrust([CompositeTrustEvaluator()]).isDisabled)
    #expect(!HostTrust([.default]).isDisabled)
  }
}
