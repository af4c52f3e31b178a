extension NetworkingError {
  /// Who refused a server, and why.
  public struct Trust: Sendable, Hashable, CustomStringConvertible {
    /// The host that the server is for.
    public let host: String
    /// The evaluator that refused, by its ``ServerTrustEvaluating/name``.
    public let evaluator: String
    /// What it found.
    public let problem: Problem

    /// All of it.
    public init(host: String, evaluator: String, problem: Problem) {
      self.host = host
      self.evaluator = evaluator
      self.problem = problem
    }

    /// What an evaluator has against a server.
    public enum Problem: Error, Sendable, Hashable {
      /// There is no evaluator for the host, and there must be one.
      case noEvaluator
      /// There is no chain of certificates that was verified.
      case noVerifiedChain
      /// None of the keys in its chain is pinned.
      case keyNotPinned(expected: [PublicKeyPin], found: [Certificate])
      /// None of the certificates in its chain is pinned.
      case certificateNotPinned(expected: [Certificate], found: [Certificate])
      /// Its chain leads to an authority that is none of those wanted.
      case otherAuthority(found: Certificate)
      /// It does not prove that its certificate holds.
      case revocation(Revocation)
      /// Anything else: the words of an evaluator that is not of this library.
      case refused(String)
    }

    /// What an OCSP response says, or why it says nothing.
    public enum Revocation: Sendable, Hashable {
      /// There is none.
      case missing
      /// It is no successful OCSP response.
      case unreadable
      /// It is not signed by who may sign it.
      case untrusted
      /// It is about other certificates.
      case otherCertificate
      /// Its time has not come, or has gone by.
      case notCurrent
      /// The certificate was revoked.
      case revoked(reason: String?)
      /// Whoever answers does not know the certificate.
      case unknown
    }
  }
}

extension NetworkingError.Trust {
  /// Human words.
  public var description: String {
    switch problem {
    case .noEvaluator: "nothing says whether to trust \(host), and all hosts must be evaluated"
    default: "the server of \(host) was refused by \(evaluator): \(problem)"
    }
  }
}

extension NetworkingError.Trust.Problem: CustomStringConvertible {
  /// Human words.
  public var description: String {
    switch self {
    case .noEvaluator: "there is no evaluator"
    case .noVerifiedChain: "there is no chain of certificates that was verified"
    case .keyNotPinned(let expected, let found):
      "expected \(Self.list(expected, "or")), the keys of its chain are "
        + Self.list(found.map { "\($0.publicKeyPin) (\($0))" }, "and")
    case .certificateNotPinned(let expected, let found):
      "expected \(Self.list(expected.map(Self.words), "or")), its chain has \(Self.list(found.map(Self.words), "and"))"
    case .otherAuthority(let found): "its chain leads to \(Self.words(found)), which is none of the authorities to trust"
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
    case .unknown: "its certificate is not known to the authority that made it"
    }
  }
}
