/// A client's certificate and its key, for servers that want to know who comes (mutual TLS).
///
/// ```swift
/// settings.tls.clientCertificate = .pem(file: "me.pem", key: "me.key")
/// settings.tls.clientCertificate = .pkcs12(bytes, password: "…")
/// ```
/// Like every credential it goes to the origin of the request's URL only: not to where a redirect leads, and not on the way back. Whether it can be
/// used shows when the connection is made, as ``NetworkingError/TLS/clientCertificate``.
public struct ClientCertificate: Sendable, Hashable {
  /// Where something is.
  public enum Source: Sendable, Hashable {
    /// In a file. A relative path is relative to the working directory.
    case file(String)
    /// Here.
    case bytes([UInt8])
  }

  /// How it is written.
  public enum Format: Sendable, Hashable {
    /// Text with `-----BEGIN CERTIFICATE-----`: the certificate, then those of the authorities between it and the root, if any.
    case pem
    /// RFC 7292: certificates and key in one.
    case pkcs12
  }

  /// The certificate, with the key if ``key`` is nil.
  public let certificate: Source
  /// The key, in PEM.
  public let key: Source?
  /// How the certificate is written.
  public let format: Format
  /// What the key, or a PKCS#12 file, is encrypted with.
  public let password: String?

  private init(_ certificate: Source, key: Source?, format: Format, password: String?) {
    self.certificate = certificate
    self.key = key
    self.format = format
    self.password = password
  }

  /// PEM files. Without a second one the key is in the first.
  public static func pem(file: String, key: String? = nil, password: String? = nil) -> ClientCertificate {
    ClientCertificate(.file(file), key: key.map(Source.file), format: .pem, password: password)
  }

  /// PEM texts. Without a second one the key is in the first.
  public static func pem(_ text: [UInt8], key: [UInt8]? = nil, password: String? = nil) -> ClientCertificate {
    ClientCertificate(.bytes(text), key: key.map(Source.bytes), format: .pem, password: password)
  }

  /// A PKCS#12 file. OpenSSL 3 reads no files that are encrypted with RC2, as old tools make them.
  public static func pkcs12(file: String, password: String? = nil) -> ClientCertificate {
    ClientCertificate(.file(file), key: nil, format: .pkcs12, password: password)
  }

  /// The content of a PKCS#12 file.
  public static func pkcs12(_ bytes: [UInt8], password: String? = nil) -> ClientCertificate {
    ClientCertificate(.bytes(bytes), key: nil, format: .pkcs12, password: password)
  }

  /// A file: PKCS#12 if its name ends in `.p12` or `.pfx` (the key is in it then), else PEM.
  public static func file(_ path: String, key: String? = nil, password: String? = nil) -> ClientCertificate {
    let name = path.lowercased()
    return name.hasSuffix(".p12") || name.hasSuffix(".pfx")
      ? .pkcs12(file: path, password: password) : .pem(file: path, key: key, password: password)
  }

  /// Its file, if it is in one.
  var path: String? { if case .file(let path) = certificate { path } else { nil } }
  /// Its key's file, if it has one for itself.
  var keyPath: String? { if case .file(let path) = key { path } else { nil } }
}
