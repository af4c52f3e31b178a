/// Accepts everything, from everybody: for a development server that has no proper certificate, and for nothing else.
///
/// Only a session's configuration can say so. A request's own ``TransferSettings/Values/serverTrust`` does not make a session more careless than it is.
public struct DisabledTrustEvaluator: ServerTrustEvaluating {
  /// The one there is.
  public init() {}

  /// `no validation`.
  public var name: String { "no validation" }
  /// Nothing.
  public var requirements: TrustRequirements { .nothing }
  /// Has no objection.
  public func evaluate(_ trust: ServerTrust) throws(NetworkingError.Trust.Problem) {}
}

extension ServerTrustEvaluating where Self == DisabledTrustEvaluator {
  /// No validation.
  public static var disabled: DisabledTrustEvaluator { DisabledTrustEvaluator() }
}
