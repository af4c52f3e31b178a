/// A header field of a request.
public struct HeaderTemplate: Sendable {
  /// Its name as written.
  public let name: Located<String>
  let sharedNameTemplate: Shared<Template>?
  /// Its values: one, or several for a field that is repeated. Empty removes what would be sent otherwise.
  public let values: [Template]
  /// Whether the defaults set it, not the step: then, if its value is secret, it is sent only to
  /// the origin of `base_url`.
  public let isDefault: Bool
  /// Whether an expression in it uses something secret, as far as can be known before it is evaluated.
  public let usesSecrets: Bool

  /// The name, if an expression gives it.
  public var nameTemplate: Template? { sharedNameTemplate?.value }
}
