/// Accepts every server.
///
/// Use it only for a development server without a proper certificate.
///
/// Only a session's configuration can disable validation. A request's own
/// ``TransferSettings/Values/serverTrust`` cannot weaken that of its session.
public struct DisabledTrustEvaluator: ServerTrustEvaluating {
  /// Creates the evaluator.
  public init() {}

  /// The name: `no validation`.
  public var name: String { "no validation" }
  /// Requires nothing of the connection.
  public var requirements: TrustRequirements { .nothing }
  /// Accepts every server.
  public func evaluate(_ trust: ServerTrust) throws(NetworkingError.Trust.Problem) {}
}

extension ServerTrustEvaluating where Self == DisabledTrustEvaluator {
  /// An evaluator that accepts every server.
  public static var disabled: DisabledTrustEvaluator { DisabledTrustEvaluator() }
}
