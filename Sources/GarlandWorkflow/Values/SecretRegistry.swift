/// A registry of all secret values in a run, and of all values computed from them, so that output can be masked. Values are registered as
/// soon as they exist. The redactor of a run is such a registry.
public protocol SecretRegistry: Sendable {
  /// Registers a secret text. From now on, no output may show the text in any encoding.
  func register(secret text: String)
  /// Registers a text that was computed from a secret.
  ///
  /// - Parameter expression: the expression that computed the text, as written in the document. The default implementation ignores the
  ///   expression.
  func register(secret text: String, madeBy expression: String)
  /// Whether at least one secret has been registered. Default implementation: false.
  var hasSecrets: Bool { get }
  /// Returns a text in which registered secrets are masked. Default implementation: returns the text unchanged.
  func masked(_ text: String) -> String
}

extension SecretRegistry {
  /// Default implementation: registers the text like any other secret, and ignores `expression`.
  public func register(secret text: String, madeBy expression: String) { register(secret: text) }
  /// Default implementation: false, for a registry that masks nothing.
  public var hasSecrets: Bool { false }
  /// Default implementation: returns the text unchanged.
  public func masked(_ text: String) -> String { text }
}
