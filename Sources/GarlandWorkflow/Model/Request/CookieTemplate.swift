/// A cookie that a request sends in addition to the cookies of the cookie jar.
public struct CookieTemplate: Sendable {
  /// The cookie's name as written.
  public let name: Located<String>
  let sharedNameTemplate: Shared<Template>?
  /// The cookie's value. If nil (`null` in the document), the cookie is not sent.
  public let value: Template?
  /// Whether the cookie is inherited from `defaults:`, and not written in the step. A default cookie is sent only to the scheme, host and
  /// port of `base_url`.
  public let isDefault: Bool

  /// The name as a template with expressions; nil if the name is literal.
  public var nameTemplate: Template? { sharedNameTemplate?.value }
}
