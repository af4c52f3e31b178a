/// The close frame of a WebSocket connection: a code and a reason.
public struct WebSocketClose: Sendable, Hashable {
  /// The status code that says why the connection is closed, such as 1000.
  public var code: WebSocketCloseCode
  /// The reason; empty if the close frame has no reason.
  public var reason: String

  /// Creates a close frame.
  ///
  /// - Parameters:
  ///   - code: The code that says why the connection is closed.
  ///   - reason: The reason, at most 123 bytes of UTF-8.
  public init(_ code: WebSocketCloseCode, reason: String = "") {
    self.code = code
    self.reason = reason
  }

  /// The maximum size in bytes of the reason in a close frame (RFC 6455, section 5.5).
  package static let maximumReasonSize = 123
}

/// A code that says why a WebSocket connection is closed (RFC 6455, section 7.4).
public struct WebSocketCloseCode: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The close code as a number, such as 1000.
  public let rawValue: UInt16

  /// Creates a code.
  ///
  /// - Parameter rawValue: The number of the code, such as 1000.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// 1000: the purpose of the connection is fulfilled.
  public static let normal = WebSocketCloseCode(rawValue: 1000)
  /// 1001: the server shuts down, or the browser leaves the page.
  public static let goingAway = WebSocketCloseCode(rawValue: 1001)
  /// 1002: the peer broke the rules of the protocol.
  public static let protocolError = WebSocketCloseCode(rawValue: 1002)
  /// 1003: the kind of message is not accepted.
  public static let unsupportedData = WebSocketCloseCode(rawValue: 1003)
  /// 1005: the close frame has no code. This code is never sent.
  public static let noCode = WebSocketCloseCode(rawValue: 1005)
  /// 1006: the connection ended without a close frame. This code is never sent.
  public static let abnormal = WebSocketCloseCode(rawValue: 1006)
  /// 1007: a text is not UTF-8, or compressed data is invalid.
  public static let invalidPayload = WebSocketCloseCode(rawValue: 1007)
  /// 1008: a message violates a policy.
  public static let policyViolation = WebSocketCloseCode(rawValue: 1008)
  /// 1009: a message is too large.
  public static let messageTooBig = WebSocketCloseCode(rawValue: 1009)
  /// 1010: the client needs an extension that the server did not accept.
  public static let missingExtension = WebSocketCloseCode(rawValue: 1010)
  /// 1011: the server had an internal error.
  public static let internalError = WebSocketCloseCode(rawValue: 1011)

  /// Whether a close frame may contain the code. The codes that RFC 6455 or the IANA registry define for close frames are
  /// allowed, and so are the codes of libraries (3000 to 3999) and applications (4000 to 4999).
  public var isSendable: Bool {
    switch rawValue {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }

  /// The code as a decimal number, such as `1000`.
  public var description: String { String(rawValue) }
}
