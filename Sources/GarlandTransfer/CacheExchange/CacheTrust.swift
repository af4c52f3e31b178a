/// The requirements that the server's certificate must meet for a request, such as pinned keys. Requests with different requirements may
/// share the cache, but a stored response is used only for requests with the same requirements.
struct CacheTrust: Sendable, Hashable {
  /// A text that identifies the requirements for the server's certificate; empty for the default requirements.
  let identity: String

  /// Determines the requirements that the server's certificate must meet for a request.
  ///
  /// Returns nil if the settings make the cache unusable: they refuse the server, do not verify its certificate, or use an evaluator of a
  /// type that this library does not know. A response from an unverified server must not affect stored responses from verified servers.
  init?(_ settings: TransferSettings, _ url: URLReference) {
    guard url.scheme == "https", let host = url.host else {
      identity = ""
      return
    }
    switch settings.serverTrust?.decision(for: host) ?? .usual {
    case .refuse: return nil
    case .usual:
      guard settings.tls.verifies else { return nil }
      identity = settings.tls.authorities.map { "\nauthorities:\($0)" } ?? ""
    case .evaluate(let trust):
      if trust.isDisabled { return nil }
      var parts: [String] = []
      for evaluator in trust.evaluators {
        guard let part = Self.identity(of: evaluator) else { return nil }
        if !part.isEmpty { parts.append(part) }
      }
      if let authorities = settings.tls.authorities { parts.append("authorities:\(authorities)") }
      identity = parts.sorted().map { "\n\($0)" }.joined()
    }
  }

  private static func identity(of evaluator: any ServerTrustEvaluating) -> String? {
    switch evaluator {
    case is DisabledTrustEvaluator: return ""
    case let evaluator as DefaultTrustEvaluator: return "default:\(evaluator.validatesHost)"
    case let evaluator as PublicKeysTrustEvaluator:
      return "keys:\(evaluator.validatesHost):\(evaluator.pins.map(\.description).sorted())"
    case let evaluator as PinnedCertificatesTrustEvaluator:
      return "pinned:\(evaluator.validatesHost):\(evaluator.acceptsSelfSigned):\(evaluator.certificates.map(\.der))"
    case let evaluator as AuthorityTrustEvaluator: return "authority:\(evaluator.validatesHost):\(evaluator.authorities.map(\.der))"
    case let evaluator as RevocationTrustEvaluator: return "revocation:\(evaluator.validatesHost):\(evaluator.requiresStaple)"
    default: return nil
    }
  }
}
