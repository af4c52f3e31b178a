/// `api_key: {header: X-Api-Key, value: ${secrets.KEY}}`.
public struct APIKeyTemplate: Sendable {
  /// The place of the key in a request.
  public enum Place: Sendable, Hashable {
    /// Into a header field of that name.
    case header(String)
    /// Into a parameter of the query.
    case query(String)
    /// Into a cookie.
    case cookie(String)
  }

  /// The place of the key in a request.
  public let place: Place
  /// The key.
  public let value: Template
}
