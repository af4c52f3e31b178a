/// The TLS properties of a connection and its server.
///
/// ```swift
/// request.settings.recordsSecurity = true
/// let security = try await engine.response(for: request).metrics.transactions.last?.security
/// print(security?.version, security?.certificate?.notAfter)
/// ```
public struct ConnectionSecurity: Sendable, Hashable {
  /// The TLS version, for example `1.3`.
  public let version: String
  /// The cipher suite by its OpenSSL name, for example `TLS_AES_256_GCM_SHA384`.
  public let cipherSuite: String
  /// The server's own certificate, verified or not. It is also set for reused connections and resumed
  /// sessions.
  public let certificate: Certificate?
}
