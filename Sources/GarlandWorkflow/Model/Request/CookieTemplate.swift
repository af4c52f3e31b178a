/// A cookie that a request sends, beside those of the jar.
public struct CookieTemplate: Sendable {
  /// Its name as written.
  public let name: Located<String>
  let sharedNameTemplate: Shared<Template>?
  /// Its value; nil (`null` in the document) sends none.
  public let value: Template?
  /// Whether the defaults set it, not the step: then it is sent only to the origin of `base_url`.
  public let isDefault: Bool

  /// The name, if an expression gives it.
  public var nameTemplate: Template? { sharedNameTemplate?.value }
}
