/// A header field of a request.
public struct HeaderTemplate: Sendable {
  /// The field's name as written in the document.
  public let name: Located<String>
  let sharedNameTemplate: Shared<Template>?
  /// The values of the field, one for each time that the field is sent. If empty, the field is not sent, even if Garland would send it by
  /// default.
  public let values: [Template]
  /// Whether the field is inherited from `defaults:`, and not written in the step. A default field with a secret value is sent only to the
  /// scheme, host and port of `base_url`.
  public let isDefault: Bool
  /// Whether an expression in the field refers to a secret, as far as this is known before the expression is evaluated.
  public let usesSecrets: Bool

  /// The name as a template with expressions; nil if the name is literal.
  public var nameTemplate: Template? { sharedNameTemplate?.value }
}
