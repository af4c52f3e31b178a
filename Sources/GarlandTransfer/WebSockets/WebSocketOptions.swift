/// The settings of a WebSocket connection, besides those of its request.
public struct WebSocketOptions: Sendable, Hashable {
  /// The subprotocols to offer, the preferred one first. Defaults to none.
  public var subprotocols: [String]
  /// Whether the compression of messages, permessage-deflate, is offered. Defaults to true.
  public var compresses = true
  /// The maximum size in bytes of a received message, after decompression. A larger one ends the
  /// connection with ``WebSocketCloseCode/messageTooBig``. Defaults to 16 MiB.
  public var maximumMessageSize = 16 << 20
  /// How often a ping is sent; nil for never. Without a pong until the next one, the connection
  /// fails. Defaults to never.
  public var pingInterval: Duration?

  /// - Parameters:
  ///   - subprotocols: The subprotocols to offer, the preferred one first.
  ///   - pingInterval: How often a ping is sent; nil for never.
  public init(subprotocols: [String] = [], pingInterval: Duration? = nil) {
    self.subprotocols = subprotocols
    self.pingInterval = pingInterval
  }
}
