/// The settings of OAuth 1: `oauth1: {consumer_key, consumer_secret, token, token_secret, …}`.
public struct OAuth1Template: Sendable {
  /// The method of the signature.
  public enum Method: String, Sendable, Hashable, CaseIterable {
    /// HMAC with SHA-1, which most providers use.
    case hmacSHA1 = "HMAC-SHA1"
    /// HMAC with SHA-256.
    case hmacSHA256 = "HMAC-SHA256"
    /// A signature with the client's RSA key.
    case rsaSHA1 = "RSA-SHA1"
    /// Both secrets without encryption, instead of a signature.
    case plaintext = "PLAINTEXT"
  }

  /// The identifier of the client: `consumer_key:`.
  public let consumerKey: Template
  /// The secret of the client: `consumer_secret:`.
  public let consumerSecret: Template?
  /// The token that the provider has issued: `token:`.
  public let token: Template?
  /// The secret of the token: `token_secret:`.
  public let tokenSecret: Template?
  /// The signature method, `signature_method:`. Default: HMAC-SHA1.
  public let method: Method
  /// The private key for RSA-SHA1, a PEM file: `key:`.
  public let key: FileTemplate?
  /// The realm of the `Authorization` field: `realm:`.
  public let realm: Template?
  /// The callback URL for the request of a temporary token: `callback:`.
  public let callback: Template?
  /// The verification code for the request of an access token: `verifier:`.
  public let verifier: Template?
}
