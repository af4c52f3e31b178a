/// An API key that is sent with each request: `api_key: {header: X-Api-Key, value: ${secrets.KEY}}`.
public struct APIKeyTemplate: Sendable {
  /// The part of a request that contains the key.
  public enum Place: Sendable, Hashable {
    /// A header field with the given name.
    case header(String)
    /// A query parameter with the given name.
    case query(String)
    /// A cookie with the given name.
    case cookie(String)
  }

  /// The part of the request that contains the key.
  public let place: Place
  /// The value of the key.
  public let value: Template
}
