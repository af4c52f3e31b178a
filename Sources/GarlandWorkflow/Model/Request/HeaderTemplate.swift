/// A header field of a request.
public struct HeaderTemplate: Sendable {
  /// The field's name as written.
  public let name: Located<String>
  let sharedNameTemplate: Shared<Template>?
  /// The field's values: several for a repeated field. If empty, the field is not sent, even if it otherwise would be.
  public let values: [Template]
  /// Whether the field comes from the defaults, instead of from the step. If its value is secret, it is then sent only to the origin of
  /// `base_url`.
  public let isDefault: Bool
  /// Whether an expression in the field uses a secret, as far as that is known before it is evaluated.
  public let usesSecrets: Bool

  /// The template of the name; nil if the name is literal.
  public var nameTemplate: Template? { sharedNameTemplate?.value }
}
