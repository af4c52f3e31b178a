/// A header field of a request.
public struct HeaderTemplate: Sendable {
  /// The field's name as written.
  public let name: Located<String>
  let sharedNameTemplate: Shared<Template>?
  /// The field's values; a repeated field has several. If empty, the field is not sent, even if Garland would send it by default.
  public let values: [Template]
  /// Whether the field is inherited from `defaults:`, instead of written in the step. A default field with a secret value is sent only to
  /// the origin of `base_url`.
  public let isDefault: Bool
  /// Whether an expression in the field uses a secret, as far as that is known before the expression is evaluated.
  public let usesSecrets: Bool

  /// The template of the name; nil if the name is literal.
  public var nameTemplate: Template? { sharedNameTemplate?.value }
}
