/// How TLS connections are made.
public struct TLSSettings: Sendable, Hashable {
  /// A version of TLS.
  public enum Version: Int, Sendable, Hashable, Comparable {
    case tls1_0
    case tls1_1
    case tls1_2
    case tls1_3

    /// By number.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  /// A PEM file of the certificate authorities to trust. `nil` is the system's bundle, see ``CertificateAuthorities``.
  public var authorities: String?
  /// A file with the client's certificate: PEM, or PKCS#12 if it ends in `.p12` or `.pfx`.
  public var certificate: String?
  /// A PEM file with the client's key, if that is not in ``certificate``.
  public var key: String?
  /// The key's password.
  public var keyPassword: String?
  /// The lowest version that is accepted. Defaults to 1.2.
  public var minimumVersion: Version = .tls1_2
  /// The highest version that is offered; nil is the highest there is.
  public var maximumVersion: Version?
  /// Whether the server's certificate and name are verified. Defaults to true.
  public var verifies = true
  /// OpenSSL's cipher list for TLS up to 1.2.
  public var ciphers: String?
  /// OpenSSL's cipher suites for TLS 1.3.
  public var cipherSuites: String?

  /// The defaults.
  public init() {}
}
