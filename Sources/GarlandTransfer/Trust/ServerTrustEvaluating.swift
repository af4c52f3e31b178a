/// Decides whether a server is the one that it should be.
///
/// It is asked before each request to a host that a ``ServerTrustManager`` has it for, on new connections and on those that are used again; nothing of the
/// request has left by then. Those that are here cover what is usual; one's own looks like this:
/// ```swift
/// struct NoNewcomers: ServerTrustEvaluating {
///   func evaluate(_ trust: ServerTrust) throws(NetworkingError.Trust.Problem) {
///     if let leaf = trust.chain.first, leaf.notBefore > yesterday { throw .refused("it was made today") }
///   }
/// }
/// ```
/// It runs on the engine's thread, where it holds up all transfers: it must not wait for anything.
public protocol ServerTrustEvaluating: Sendable {
  /// What errors call it. Defaults to its type's name.
  var name: String { get }
  /// What must have been done when the connection was made. Defaults to a verified chain and the right host.
  var requirements: TrustRequirements { get }
  /// Throws what speaks against the server.
  func evaluate(_ trust: ServerTrust) throws(NetworkingError.Trust.Problem)
}

extension ServerTrustEvaluating {
  /// The type's name.
  public var name: String { String(describing: Self.self) }
  /// A verified chain and the right host.
  public var requirements: TrustRequirements { TrustRequirements() }
}
