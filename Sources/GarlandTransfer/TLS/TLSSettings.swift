/// How TLS connections are made.
///
/// ```swift
/// configuration.settings.tls.minimumVersion = .tls1_3
/// configuration.settings.tls.clientCertificate = .pkcs12(file: "me.p12", password: "…")
/// ```
/// Whom to trust, host by host, is said by a ``ServerTrustManager`` in ``TransferSettings/Values/serverTrust``.
public struct TLSSettings: Sendable, Hashable {
  /// A version of TLS.
  public enum Version: Int, Sendable, Hashable, Comparable {
    /// TLS 1.0, which nobody should need.
    case tls1_0
    /// TLS 1.1, which nobody should need.
    case tls1_1
    /// TLS 1.2.
    case tls1_2
    /// TLS 1.3.
    case tls1_3

    /// By number.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  /// The name that a client says at the beginning, so that a server with several certificates knows which one is wanted (RFC 6066, section 3).
  ///
  /// It changes nothing else: the certificate must be for the URL's host. To send a request for one host to another address, use
  /// ``TransferSettings/Values/resolve`` or ``TransferSettings/Values/connectTo``.
  public enum ServerName: Sendable, Hashable {
    /// The URL's host, unless that is an address.
    case automatic
    /// This one.
    case name(String)
    /// None is said.
    case none
  }

  /// A PEM file of the certificate authorities to trust. `nil` is the system's bundle, see ``CertificateAuthorities``.
  public var authorities: String?
  /// What the client shows of itself, to the origin of the request's URL and to no other. Defaults to nothing.
  public var clientCertificate: ClientCertificate?
  /// The lowest version that is accepted. Defaults to 1.2.
  public var minimumVersion: Version = .tls1_2
  /// The highest version that is offered; nil is the highest there is.
  public var maximumVersion: Version?
  /// Whether the server's certificate and name are verified. Defaults to true. For hosts that a ``ServerTrustManager`` knows, that says it instead.
  public var verifies = true
  /// OpenSSL's cipher list for TLS up to 1.2.
  public var ciphers: String?
  /// OpenSSL's cipher suites for TLS 1.3.
  public var cipherSuites: String?
  /// The name that is said at the beginning. Defaults to the URL's host.
  public var serverName = ServerName.automatic

  /// The defaults.
  public init() {}
}
