/// The facts that `expect.tls` can check.
public enum TLSFact: String, Sendable, Hashable, CaseIterable {
  /// Whole days until the certificate expires; negative when it has.
  case daysLeft = "days_left"
  /// The time until the certificate expires.
  case expiresIn = "expires_in"
  /// The subject of the certificate: `CN=example.com,O=Example`.
  case subject
  /// The issuer of the certificate.
  case issuer
  /// The names it is for, a list.
  case san
  /// The SHA-256 digest of the certificate.
  case fingerprint
  /// The version of TLS.
  case version
  /// The cipher suite.
  case cipher
}
