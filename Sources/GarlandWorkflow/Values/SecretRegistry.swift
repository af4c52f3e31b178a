/// The receiver of every secret value, and of every value derived from one, as soon as it exists.
/// The run's redactor is one.
public protocol SecretRegistry: Sendable {
  /// Registers a text that must not be shown from now on, in any encoding.
  func register(secret text: String)
  /// Registers a value that was made of a secret.
  ///
  /// - Parameter expression: the expression that made it, as the document writes it. Default: it is ignored.
  func register(secret text: String, madeBy expression: String)
  /// Whether any was registered. Default: false.
  var hasSecrets: Bool { get }
  /// A text without the secrets that were. Default: the text.
  func masked(_ text: String) -> String
}

extension SecretRegistry {
  /// Registers it like any other secret: the expression is ignored.
  public func register(secret text: String, madeBy expression: String) { register(secret: text) }
  /// Default: the registry masks nothing.
  public var hasSecrets: Bool { false }
  /// The text as it is.
  public func masked(_ text: String) -> String { text }
}
