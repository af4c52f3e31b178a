/// The properties of the certificate and the TLS connection that `expect.tls` can check.
public enum TLSFact: String, Sendable, Hashable, CaseIterable {
  /// The number of whole days until the certificate expires; negative if it has expired.
  case daysLeft = "days_left"
  /// The time until the certificate expires.
  case expiresIn = "expires_in"
  /// The subject of the certificate, such as `CN=example.com,O=Example`.
  case subject
  /// The issuer of the certificate.
  case issuer
  /// The list of host names for which the certificate is valid.
  case san
  /// The SHA-256 digest of the certificate.
  case fingerprint
  /// The version of TLS that the connection uses.
  case version
  /// The cipher suite that the connection uses.
  case cipher
}
