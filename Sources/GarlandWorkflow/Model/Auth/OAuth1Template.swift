/// The settings of OAuth 1, from the key `oauth1:` of an `auth` entry.
public struct OAuth1Template: Sendable {
  /// The signature method of OAuth 1.
  public enum Method: String, Sendable, Hashable, CaseIterable {
    /// HMAC with SHA-1, which most providers use.
    case hmacSHA1 = "HMAC-SHA1"
    /// HMAC with SHA-256.
    case hmacSHA256 = "HMAC-SHA256"
    /// A signature with the client's RSA key.
    case rsaSHA1 = "RSA-SHA1"
    /// No signature. The secrets are sent unencrypted.
    case plaintext = "PLAINTEXT"
  }

  /// The identifier of the client, from the key `consumer_key:`.
  public let consumerKey: Template
  /// The secret of the client, from the key `consumer_secret:`.
  public let consumerSecret: Template?
  /// The token that the provider has issued, from the key `token:`.
  public let token: Template?
  /// The secret of the token, from the key `token_secret:`.
  public let tokenSecret: Template?
  /// The signature method, from the key `signature_method:`. Default: HMAC-SHA1.
  public let method: Method
  /// The file with the private key for RSA-SHA1 in PEM format, from the key `key:`.
  public let key: FileTemplate?
  /// The realm of the `Authorization` field, from the key `realm:`.
  public let realm: Template?
  /// The callback URL in the request for a temporary token, from the key `callback:`.
  public let callback: Template?
  /// The verification code for the request of an access token, from the key `verifier:`.
  public let verifier: Template?
}
