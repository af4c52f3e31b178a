/// What a server had to show, as far as it matters to a cache that requests with other demands use as well: a response is for those who would have asked the same of its
/// server.
struct CacheTrust: Sendable, Hashable {
  /// What tells demands apart; empty for the usual ones.
  let identity: String
  /// Whether the server had to show anything. If not, its responses are not kept.
  let isStorable: Bool

  /// Nil where the cache has to stand aside: the server is refused, or judged by a type of the caller's own, of which nothing is known.
  init?(_ settings: TransferSettings, _ url: URLReference) {
    guard url.scheme == "https", let host = url.host else {
      identity = ""
      isStorable = true
      return
    }
    switch settings.serverTrust?.decision(for: host) ?? .usual {
    case .refuse: return nil
    case .usual:
      identity = settings.tls.authorities.map { "\nauthorities:\($0)" } ?? ""
      isStorable = settings.tls.verifies
    case .evaluate(let trust):
      var parts: [String] = []
      for evaluator in trust.evaluators {
        guard let part = Self.identity(of: evaluator) else { return nil }
        if !part.isEmpty { parts.append(part) }
      }
      if let authorities = settings.tls.authorities { parts.append("authorities:\(authorities)") }
      identity = parts.sorted().map { "\n\($0)" }.joined()
      isStorable = !trust.isDisabled
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
