/// The settings of TLS connections.
///
/// ```swift
/// configuration.settings.tls.minimumVersion = .tls1_3
/// configuration.settings.tls.clientCertificate = .pkcs12(file: "me.p12", password: "…")
/// ```
/// A ``ServerTrustManager`` in ``TransferSettings/Values/serverTrust`` defines trust by host.
public struct TLSSettings: Sendable, Hashable {
  /// A version of TLS.
  public enum Version: Int, Sendable, Hashable, Comparable {
    /// TLS 1.0, which is obsolete.
    case tls1_0
    /// TLS 1.1, which is obsolete.
    case tls1_1
    /// TLS 1.2.
    case tls1_2
    /// TLS 1.3.
    case tls1_3

    /// Orders versions by number.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  /// The server name in the client's first message (RFC 6066, section 3).
  ///
  /// A server with several certificates selects one by this name.
  ///
  /// The name has no other effect: the certificate must still be for the URL's host. To send a request for one
  /// host to another address, use ``TransferSettings/Values/resolve`` or ``TransferSettings/Values/connectTo``.
  public enum ServerName: Sendable, Hashable {
    /// The client sends the URL's host, or no name if the host is an address.
    case automatic
    /// The client sends the given name.
    case name(String)
    /// The client sends no server name.
    case none
  }

  /// A PEM file of trusted certificate authorities. `nil` uses the system's bundle; see
  /// ``CertificateAuthorities``.
  public var authorities: String?
  /// The client certificate. It is sent only to the origin of the request's URL. Defaults to none.
  public var clientCertificate: ClientCertificate?
  /// The minimum version. Defaults to 1.2.
  public var minimumVersion: Version = .tls1_2
  /// The maximum TLS version; nil for the highest version that is available.
  public var maximumVersion: Version?
  /// Whether the server's certificate and name are verified. Defaults to true. For the hosts of a
  /// ``ServerTrustManager``, its evaluators decide instead.
  public var verifies = true
  /// The accepted ciphers for TLS up to 1.2, as an OpenSSL cipher list; nil for OpenSSL's default.
  public var ciphers: String?
  /// The accepted ciphers for TLS 1.3, as an OpenSSL list of cipher suites; nil for OpenSSL's default.
  public var cipherSuites: String?
  /// The server name that the client sends in the TLS handshake. Defaults to the URL's host.
  public var serverName = ServerName.automatic

  /// Creates the default settings.
  public init() {}
}
