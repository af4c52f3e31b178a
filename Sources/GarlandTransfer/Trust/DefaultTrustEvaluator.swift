/// Accepts what is accepted without evaluators: a chain of valid certificates up to an authority that is trusted, for the right host.
public struct DefaultTrustEvaluator: ServerTrustEvaluating {
  /// Whether the certificate must be for the host.
  public let validatesHost: Bool

  /// By default the host counts.
  public init(validatesHost: Bool = true) { self.validatesHost = validatesHost }

  /// `default validation`.
  public var name: String { "default validation" }
  /// A verified chain.
  public var requirements: TrustRequirements { TrustRequirements(verifiesHost: validatesHost) }
  /// What it requires is all there is to it.
  public func evaluate(_ trust: ServerTrust) throws(NetworkingError.Trust.Problem) {}
}

extension ServerTrustEvaluating where Self == DefaultTrustEvaluator {
  /// The usual validation.
  public static var `default`: DefaultTrustEvaluator { DefaultTrustEvaluator() }
}
