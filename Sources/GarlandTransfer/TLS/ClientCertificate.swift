/// A client certificate and its key, for servers that authenticate clients by certificate (mutual TLS).
///
/// ```swift
/// settings.tls.clientCertificate = .pem(file: "me.pem", key: "me.key")
/// settings.tls.clientCertificate = .pkcs12(bytes, password: "…")
/// ```
/// Like every credential, the certificate is sent only to the origin of the request's URL. After a redirect to another origin, it is not
/// sent any more, even if a later redirect leads back to the first origin. If the certificate is unusable, the connection fails with
/// ``NetworkingError/TLS/clientCertificate``.
public struct ClientCertificate: Sendable, Hashable {
  /// A certificate or key: a file that contains it, or its bytes.
  public enum Source: Sendable, Hashable {
    /// A file. A relative path is relative to the working directory.
    case file(String)
    /// The bytes of a certificate or key in memory.
    case bytes([UInt8])
  }

  /// The format of a certificate.
  public enum Format: Sendable, Hashable {
    /// Text with `-----BEGIN CERTIFICATE-----`: the certificate, then any intermediate authorities.
    case pem
    /// A PKCS#12 file (RFC 7292), which contains certificates and a key.
    case pkcs12
  }

  /// The certificate; if ``key`` is nil, its source also contains the private key.
  public let certificate: Source
  /// The key in PEM; nil if ``certificate`` includes the key.
  public let key: Source?
  /// The format of the certificate.
  public let format: Format
  /// The password of the key or of a PKCS#12 file.
  public let password: String?

  private init(_ certificate: Source, key: Source?, format: Format, password: String?) {
    self.certificate = certificate
    self.key = key
    self.format = format
    self.password = password
  }

  /// Returns a certificate from PEM files. Without a key file, the first file must contain the key.
  public static func pem(file: String, key: String? = nil, password: String? = nil) -> ClientCertificate {
    ClientCertificate(.file(file), key: key.map(Source.file), format: .pem, password: password)
  }

  /// Returns a certificate from PEM texts. If `key` is nil, `text` must also contain the key.
  public static func pem(_ text: [UInt8], key: [UInt8]? = nil, password: String? = nil) -> ClientCertificate {
    ClientCertificate(.bytes(text), key: key.map(Source.bytes), format: .pem, password: password)
  }

  /// Returns a certificate from a PKCS#12 file. OpenSSL 3 cannot read files encrypted with RC2,
  /// which old tools create.
  public static func pkcs12(file: String, password: String? = nil) -> ClientCertificate {
    ClientCertificate(.file(file), key: nil, format: .pkcs12, password: password)
  }

  /// Returns a certificate from the content of a PKCS#12 file.
  public static func pkcs12(_ bytes: [UInt8], password: String? = nil) -> ClientCertificate {
    ClientCertificate(.bytes(bytes), key: nil, format: .pkcs12, password: password)
  }

  /// Returns a certificate from a file: PKCS#12 with its key if the name ends in `.p12` or `.pfx`,
  /// otherwise PEM.
  public static func file(_ path: String, key: String? = nil, password: String? = nil) -> ClientCertificate {
    let name = path.lowercased()
    return name.hasSuffix(".p12") || name.hasSuffix(".pfx")
      ? .pkcs12(file: path, password: password) : .pem(file: path, key: key, password: password)
  }

  /// The path of the certificate; nil if it is not in a file.
  var path: String? { if case .file(let path) = certificate { path } else { nil } }
  /// The path of the key; nil if the key has no file of its own.
  var keyPath: String? { if case .file(let path) = key { path } else { nil } }
}
