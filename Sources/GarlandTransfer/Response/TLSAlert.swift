/// A TLS alert: the server's reason for ending a connection (RFC 8446 section 6).
///
/// ```swift
/// if case .tls(.alert(let alert), _) = error.reason, alert.isAboutClientCertificate { … }
/// ```
public enum TLSAlert: String, Sendable, Hashable, CaseIterable {
  /// The two sides have no version, cipher or certificate in common.
  case handshakeFailure = "handshake failure"
  /// The client's certificate is missing or damaged, or has an invalid signature.
  case badCertificate = "bad certificate"
  /// The type of the client's certificate is not accepted.
  case unsupportedCertificate = "unsupported certificate"
  /// The client's certificate was revoked.
  case certificateRevoked = "certificate revoked"
  /// The client's certificate has expired or is not yet valid.
  case certificateExpired = "certificate expired"
  /// The client's certificate has a problem for which there is no other alert.
  case certificateUnknown = "certificate unknown"
  /// The client's certificate was not issued by an authority that the server trusts.
  case unknownAuthority = "unknown ca"
  /// The client's certificate is valid but not authorised.
  case accessDenied = "access denied"
  /// A signature of the client is invalid.
  case decryptError = "decrypt error"
  /// The server requires a client certificate but received none.
  case certificateRequired = "certificate required"
  /// The server supports none of the offered TLS versions.
  case protocolVersion = "protocol version"
  /// The server requires stronger ciphers.
  case insufficientSecurity = "insufficient security"
  /// The server has an internal error.
  case internalError = "internal error"
  /// The server has no host with the requested name.
  case unrecognizedName = "unrecognized name"
  /// The server supports none of the protocols offered by ALPN.
  case noApplicationProtocol = "no application protocol"
  /// A required extension is missing in the handshake.
  case missingExtension = "missing extension"
  /// A field of the handshake is invalid.
  case illegalParameter = "illegal parameter"
  /// A message could not be decoded.
  case decodeError = "decode error"
  /// A message arrived that is not allowed at this point.
  case unexpectedMessage = "unexpected message"

  /// Finds the alert in a text of OpenSSL, such as `tlsv13 alert certificate required`. Returns nil if the
  /// peer sent no alert; an error that OpenSSL itself detected is not an alert.
  init?(openSSL text: String) {
    guard let reason = text.firstRange(of: "SSL routines::").map({ text[$0.upperBound...] }),
      reason.firstRange(of: " alert ") != nil || reason.hasPrefix("tlsv1 unrecognized name")
    else { return nil }
    guard let found = Self.allCases.first(where: { reason.firstRange(of: $0.rawValue) != nil }) else { return nil }
    self = found
  }

  /// Whether the alert means that the server requires a client certificate, or that it refuses the certificate that was sent.
  public var isAboutClientCertificate: Bool {
    switch self {
    case .badCertificate, .unsupportedCertificate, .certificateRevoked, .certificateExpired, .certificateUnknown, .unknownAuthority,
      .accessDenied, .certificateRequired:
      true
    default: false
    }
  }

  /// The description of the alert in messages.
  var words: String {
    switch self {
    case .handshakeFailure:
      "the server accepts none of the offered TLS versions, ciphers and certificates; it may require a client certificate"
    case .badCertificate: "the server did not accept the client certificate: it is missing, damaged or badly signed"
    case .unsupportedCertificate: "the server does not accept client certificates of this kind"
    case .certificateRevoked: "the server says that the client certificate was revoked"
    case .certificateExpired: "the server says that the client certificate has expired"
    case .certificateUnknown: "the server did not accept the client certificate"
    case .unknownAuthority: "the server does not trust the issuer of the client certificate"
    case .accessDenied: "the server knows the client certificate, but denies it access"
    case .decryptError: "the server could not verify the client: the key does not belong to the client certificate"
    case .certificateRequired: "the server requires a client certificate, but none was sent"
    case .protocolVersion: "the server supports none of the offered TLS versions"
    case .insufficientSecurity: "the server requires stronger ciphers than those offered"
    case .internalError: "the server reports an internal error of its TLS"
    case .unrecognizedName: "the server does not serve a host of this name"
    case .noApplicationProtocol: "the server supports none of the offered HTTP versions"
    case .missingExtension, .illegalParameter, .decodeError, .unexpectedMessage: "the server did not understand the TLS handshake"
    }
  }
}
