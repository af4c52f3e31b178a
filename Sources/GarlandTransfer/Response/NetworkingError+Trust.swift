extension NetworkingError {
  /// The refusal of a server by a trust evaluator (``ServerTrustEvaluating``), with the reason.
  public struct Trust: Sendable, Hashable, CustomStringConvertible {
    /// The host of the server.
    public let host: String
    /// The name of the evaluator that refused the server; see ``ServerTrustEvaluating/name``.
    public let evaluator: String
    /// The reason why the server was refused.
    public let problem: Problem

    /// Creates the description of a refusal: the host of the refused server, the evaluator that refused the server, and the problem.
    public init(host: String, evaluator: String, problem: Problem) {
      self.host = host
      self.evaluator = evaluator
      self.problem = problem
    }

    /// A reason why an evaluator refuses a server.
    public enum Problem: Error, Sendable, Hashable {
      /// There is no evaluator for the host, although one is required.
      case noEvaluator
      /// There is no verified certificate chain.
      case noVerifiedChain
      /// The certificate chain contains no pinned key.
      case keyNotPinned(expected: [PublicKeyPin], found: [Certificate])
      /// The certificate chain contains no pinned certificate.
      case certificateNotPinned(expected: [Certificate], found: [Certificate])
      /// The certificate chain leads to an authority that is not accepted.
      case otherAuthority(found: Certificate)
      /// The certificate was revoked, or the server does not prove that the certificate is still valid.
      case revocation(Revocation)
      /// A custom evaluator refused the server. The associated value is the reason that the evaluator gave.
      case refused(String)
    }

    /// The reason why a server's OCSP response does not prove that its certificate is valid.
    public enum Revocation: Sendable, Hashable {
      /// There is no OCSP response.
      case missing
      /// The OCSP response cannot be parsed, or its status is not `successful`.
      case unreadable
      /// The OCSP response is not signed by an authorised signer.
      case untrusted
      /// The OCSP response is not about the server's certificate.
      case otherCertificate
      /// The OCSP response is not valid yet, or no longer valid.
      case notCurrent
      /// The certificate was revoked.
      case revoked(reason: String?)
      /// The OCSP responder does not know the certificate.
      case unknown
    }
  }
}

extension NetworkingError.Trust {
  /// The error message, which contains the host of the server.
  public var description: String {
    switch problem {
    case .noEvaluator: "no evaluator is set for \(host), and every host needs one"
    default: "the server of \(host) was refused by \(evaluator): \(problem)"
    }
  }
}

extension NetworkingError.Trust.Problem: CustomStringConvertible {
  /// The error message.
  public var description: String {
    switch self {
    case .noEvaluator: "there is no evaluator"
    case .noVerifiedChain: "no chain of certificates was verified"
    case .keyNotPinned(let expected, let found):
      "expected \(Self.list(expected, "or")), the keys of its chain are "
        + Self.list(found.map { "\($0.publicKeyPin) (\($0))" }, "and")
    case .certificateNotPinned(let expected, let found):
      "expected \(Self.list(expected.map(Self.words), "or")), its chain has \(Self.list(found.map(Self.words), "and"))"
    case .otherAuthority(let found): "its chain leads to \(Self.words(found)), which is not a trusted authority"
    case .revocation(let problem): problem.words
    case .refused(let words): words
    }
  }

  private static func words(_ certificate: Certificate) -> String {
    let subject = certificate.subject
    return subject.isEmpty ? certificate.fingerprint : "\(subject) (\(certificate.fingerprint))"
  }

  private static func list(_ items: [some CustomStringConvertible], _ conjunction: String) -> String {
    let words = items.map(\.description)
    guard let last = words.last, words.count > 1 else { return words.first ?? "nothing" }
    return "\(words.dropLast().joined(separator: ", ")) \(conjunction) \(last)"
  }
}

extension NetworkingError.Trust.Revocation {
  fileprivate var words: String {
    switch self {
    case .missing: "it sent no OCSP response with its certificate"
    case .unreadable: "the OCSP response that it sent can't be read"
    case .untrusted: "the OCSP response that it sent is not signed by the authority of its certificate"
    case .otherCertificate: "the OCSP response that it sent is about another certificate"
    case .notCurrent: "the OCSP response that it sent is not current"
    case .revoked(let reason?): "its certificate was revoked: \(reason)"
    case .revoked(nil): "its certificate was revoked"
    case .unknown: "the authority that issued its certificate does not know this certificate"
    }
  }
}
