/// What a server said when it ended a TLS connection (RFC 8446 section 6).
///
/// ```swift
/// if case .tls(.alert(let alert), _) = error.reason, alert.isAboutClientCertificate { … }
/// ```
public enum TLSAlert: String, Sendable, Hashable, CaseIterable {
  /// There is no version, cipher or certificate on which both sides agree.
  case handshakeFailure = "handshake failure"
  /// The client's certificate is missing, damaged or badly signed.
  case badCertificate = "bad certificate"
  /// The client's certificate is of a kind that is not accepted.
  case unsupportedCertificate = "unsupported certificate"
  /// The client's certificate was revoked.
  case certificateRevoked = "certificate revoked"
  /// The client's certificate is not valid any more, or not yet.
  case certificateExpired = "certificate expired"
  /// Something else is wrong with the client's certificate.
  case certificateUnknown = "certificate unknown"
  /// Nobody whom the server trusts has issued the client's certificate.
  case unknownAuthority = "unknown ca"
  /// The client's certificate is valid, and may not do this.
  case accessDenied = "access denied"
  /// A signature of the client's is wrong.
  case decryptError = "decrypt error"
  /// The server wants a client certificate, and got none.
  case certificateRequired = "certificate required"
  /// The server speaks none of the versions that were offered.
  case protocolVersion = "protocol version"
  /// The server wants stronger ciphers.
  case insufficientSecurity = "insufficient security"
  /// The server is in trouble.
  case internalError = "internal error"
  /// The server does not know the host by this name.
  case unrecognizedName = "unrecognized name"
  /// The server speaks none of the protocols that were offered by ALPN.
  case noApplicationProtocol = "no application protocol"
  /// The server misses something in the handshake.
  case missingExtension = "missing extension"
  /// A field of the handshake is not as it should be.
  case illegalParameter = "illegal parameter"
  /// A message could not be read.
  case decodeError = "decode error"
  /// A message came at the wrong time.
  case unexpectedMessage = "unexpected message"

  /// The alert in OpenSSL's words, such as `tlsv13 alert certificate required`; nil if the peer sent none. What OpenSSL found wrong by itself is no alert.
  init?(openSSL text: String) {
    guard let reason = text.firstRange(of: "SSL routines::").map({ text[$0.upperBound...] }),
      reason.firstRange(of: " alert ") != nil || reason.hasPrefix("tlsv1 unrecognized name")
    else { return nil }
    guard let found = Self.allCases.first(where: { reason.firstRange(of: $0.rawValue) != nil }) else { return nil }
    self = found
  }

  /// Whether another client certificate, or one at all, is what the server wants.
  public var isAboutClientCertificate: Bool {
    switch self {
    case .badCertificate, .unsupportedCertificate, .certificateRevoked, .certificateExpired, .certificateUnknown, .unknownAuthority,
      .accessDenied, .certificateRequired:
      true
    default: false
    }
  }

  /// Human words.
  var words: String {
    switch self {
    case .handshakeFailure:
      "the server accepts none of the TLS versions, ciphers and certificates that it was offered; it may want a client certificate"
    case .badCertificate: "the server did not accept the client certificate: it is missing, damaged or badly signed"
    case .unsupportedCertificate: "the server does not accept client certificates of this kind"
    case .certificateRevoked: "the server says that the client certificate was revoked"
    case .certificateExpired: "the server says that the client certificate has expired"
    case .certificateUnknown: "the server did not accept the client certificate"
    case .unknownAuthority: "the server does not trust whoever issued the client certificate"
    case .accessDenied: "the server knows the client certificate and does not let it in"
    case .decryptError: "the server could not verify the client: the key does not belong to the client certificate"
    case .certificateRequired: "the server wants a client certificate, and none was sent"
    case .protocolVersion: "the server speaks none of the TLS versions that it was offered"
    case .insufficientSecurity: "the server wants stronger ciphers than it was offered"
    case .internalError: "the server has a problem of its own with TLS"
    case .unrecognizedName: "the server does not know the host by this name"
    case .noApplicationProtocol: "the server speaks none of the HTTP versions that it was offered"
    case .missingExtension, .illegalParameter, .decodeError, .unexpectedMessage: "the server did not understand the TLS handshake"
    }
  }
}
