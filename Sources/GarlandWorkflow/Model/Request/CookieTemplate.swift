/// One cookie that a request sends, beside those of the jar.
public struct CookieTemplate: Sendable {
  /// Its name.
  public let name: Located<String>
  /// Its value; nil (`null` in the document) sends none.
  public let value: Template?
  /// Whether the defaults said it, not the step: then it goes only to the origin of `base_url`.
  public let isDefault: Bool
}
