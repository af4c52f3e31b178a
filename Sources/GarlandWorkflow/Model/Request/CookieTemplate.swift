/// A cookie that a request sends in addition to the cookies of the cookie jar.
public struct CookieTemplate: Sendable {
  /// The cookie's name as written.
  public let name: Located<String>
  let sharedNameTemplate: Shared<Template>?
  /// The cookie's value; if nil (`null` in the document), the cookie is not sent.
  public let value: Template?
  /// Whether the cookie is inherited from `defaults:`, instead of written in the step. A default cookie is sent only to the origin of
  /// `base_url`.
  public let isDefault: Bool

  /// The template of the name; nil if the name is literal.
  public var nameTemplate: Template? { sharedNameTemplate?.value }
}
