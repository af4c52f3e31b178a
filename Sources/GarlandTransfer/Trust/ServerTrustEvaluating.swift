/// Decides whether a server is trusted.
///
/// A ``ServerTrustManager`` calls the evaluator before each request to its hosts, on new and reused
/// connections, before any part of the request is sent. The existing evaluators cover the usual
/// cases; a custom one looks like this:
/// ```swift
/// struct NoNewcomers: ServerTrustEvaluating {
///   func evaluate(_ trust: ServerTrust) throws(NetworkingError.Trust.Problem) {
///     if let leaf = trust.chain.first, leaf.notBefore > yesterday { throw .refused("it was made today") }
///   }
/// }
/// ```
/// An evaluator runs on the engine's thread and delays all transfers, so it must not wait for anything.
public protocol ServerTrustEvaluating: Sendable {
  /// The name of the evaluator in error messages. Defaults to the name of the type.
  var name: String { get }
  /// The requirements for the connection. Defaults to a verified chain and the right host.
  var requirements: TrustRequirements { get }
  /// Checks the server. Throws a problem to refuse the server.
  func evaluate(_ trust: ServerTrust) throws(NetworkingError.Trust.Problem)
}

extension ServerTrustEvaluating {
  /// The name of the type.
  public var name: String { String(describing: Self.self) }
  /// Requires a verified chain and the right host.
  public var requirements: TrustRequirements { TrustRequirements() }
}
