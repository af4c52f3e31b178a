/// Told of every secret value, and of every value derived from one, the moment it comes to be. The run's redactor is one.
public protocol SecretRegistry: Sendable {
  /// From now on `text` must not be shown, in any encoding.
  func register(secret text: String)
  /// The same of what was made of a secret.
  ///
  /// - Parameter expression: what made it, as the document writes it. Default: it is not looked at.
  func register(secret text: String, madeBy expression: String)
  /// Whether any was registered. Default: false.
  var hasSecrets: Bool { get }
  /// A text without the secrets that were. Default: the text.
  func masked(_ text: String) -> String
}

extension SecretRegistry {
  /// The same as any other secret: what made it is not looked at.
  public func register(secret text: String, madeBy expression: String) { register(secret: text) }
  /// It masks nothing.
  public var hasSecrets: Bool { false }
  /// The text as it is.
  public func masked(_ text: String) -> String { text }
}
