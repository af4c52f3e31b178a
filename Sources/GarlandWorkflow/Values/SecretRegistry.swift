/// Told of every secret value, and of every value derived from one, the moment it comes to be. The run's redactor is one.
public protocol SecretRegistry: Sendable {
  /// From now on `text` must not be shown, in any encoding.
  func register(secret text: String)
}
