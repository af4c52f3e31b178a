/// What TLS made of a connection, and who is at its other end.
///
/// ```swift
/// request.settings.recordsSecurity = true
/// let security = try await engine.response(for: request).metrics.transactions.last?.security
/// print(security?.version, security?.certificate?.notAfter)
/// ```
public struct ConnectionSecurity: Sendable, Hashable {
  /// The version of TLS: `1.3`.
  public let version: String
  /// The cipher suite, as OpenSSL names it: `TLS_AES_256_GCM_SHA384`.
  public let cipherSuite: String
  /// The server's own certificate, whether it was verified or not. On reused connections and resumed sessions too.
  public let certificate: Certificate?
}
