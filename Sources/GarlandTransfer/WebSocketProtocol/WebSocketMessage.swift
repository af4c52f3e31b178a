/// A message of a WebSocket connection (RFC 6455, section 5.6).
public enum WebSocketMessage: Sendable, Hashable {
  /// A message of text.
  case text(String)
  /// A message of bytes.
  case binary([UInt8])

  /// The size of the content in bytes.
  public var size: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .binary(let bytes): bytes.count
    }
  }
}

extension WebSocketMessage {
  /// The approximate memory of an unread message, in bytes.
  var weight: Int { size + 64 }
}
