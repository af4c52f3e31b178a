/// Receives every secret value, and every value that is derived from a secret, as soon as the value exists. The redactor of a run is such a
/// registry.
public protocol SecretRegistry: Sendable {
  /// Registers a text that no output may show from now on, in any encoding of the text.
  func register(secret text: String)
  /// Registers a value that was derived from a secret.
  ///
  /// - Parameter expression: the expression that computed the value, as written in the document. The default implementation ignores it.
  func register(secret text: String, madeBy expression: String)
  /// Whether any secret has been registered. Default: false.
  var hasSecrets: Bool { get }
  /// Returns a text in which registered secrets are masked. Default: the text unchanged.
  func masked(_ text: String) -> String
}

extension SecretRegistry {
  /// Default implementation: registers the text like any other secret, and ignores the expression.
  public func register(secret text: String, madeBy expression: String) { register(secret: text) }
  /// Default implementation: false, for a registry that masks nothing.
  public var hasSecrets: Bool { false }
  /// Default implementation: returns the text unchanged.
  public func masked(_ text: String) -> String { text }
}
