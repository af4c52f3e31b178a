/// The default validation: accepts a server with a chain of valid certificates up to a trusted authority, for
/// the right host.
public struct DefaultTrustEvaluator: ServerTrustEvaluating {
  /// Whether the certificate must be for the host.
  public let validatesHost: Bool

  /// Creates an evaluator. By default the certificate must be for the host.
  public init(validatesHost: Bool = true) { self.validatesHost = validatesHost }

  /// The name: `default validation`.
  public var name: String { "default validation" }
  /// Requires a verified chain.
  public var requirements: TrustRequirements { TrustRequirements(verifiesHost: validatesHost) }
  /// Accepts the server, since the requirements are already the whole validation.
  public func evaluate(_ trust: ServerTrust) throws(NetworkingError.Trust.Problem) {}
}

extension ServerTrustEvaluating where Self == DefaultTrustEvaluator {
  /// An evaluator with the default validation.
  public static var `default`: DefaultTrustEvaluator { DefaultTrustEvaluator() }
}
