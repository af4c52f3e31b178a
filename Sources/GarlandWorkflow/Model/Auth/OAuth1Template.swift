/// The settings of OAuth 1: `oauth1: {consumer_key, consumer_secret, token, token_secret, …}`.
public struct OAuth1Template: Sendable {
  /// The method of the signature.
  public enum Method: String, Sendable, Hashable, CaseIterable {
    /// HMAC with SHA-1, the default of most providers.
    case hmacSHA1 = "HMAC-SHA1"
    /// HMAC with SHA-256.
    case hmacSHA256 = "HMAC-SHA256"
    /// A signature with the client's RSA key.
    case rsaSHA1 = "RSA-SHA1"
    /// Both secrets without encryption, instead of a signature.
    case plaintext = "PLAINTEXT"
  }

  /// `consumer_key:`.
  public let consumerKey: Template
  /// `consumer_secret:`.
  public let consumerSecret: Template?
  /// `token:`.
  public let token: Template?
  /// `token_secret:`.
  public let tokenSecret: Template?
  /// `signature_method:`. Default: HMAC-SHA1.
  public let method: Method
  /// `key:`, a PEM file, for RSA-SHA1.
  public let key: FileTemplate?
  /// `realm:`.
  public let realm: Template?
  /// `callback:`.
  public let callback: Template?
  /// `verifier:`.
  public let verifier: Template?
}
