/// A media type or pattern of `expect.type`, such as `application/json`, `text/*` or `text/html; charset=utf-8`.
public struct MediaTypePattern: Sendable, Hashable {
  /// The part before the `/`, in lower case, or `*`.
  public let type: String
  /// The part after the `/`, in lower case, or `*`.
  public let subtype: String
  /// The required parameters, with their names in lower case.
  public let parameters: [String: String]
}
