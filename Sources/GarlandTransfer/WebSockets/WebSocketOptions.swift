/// The settings of a WebSocket connection, in addition to the settings of its handshake request.
public struct WebSocketOptions: Sendable, Hashable {
  /// The subprotocols to offer, the preferred subprotocol first. Defaults to none.
  public var subprotocols: [String]
  /// Whether the client offers to compress messages (permessage-deflate). Defaults to true.
  public var compresses: Bool
  /// The maximum size in bytes of a received message, after decompression. A larger message ends the connection
  /// with ``WebSocketCloseCode/messageTooBig``. Defaults to 16 MiB.
  public var maximumMessageSize: Int
  /// The interval between pings; nil for no pings. Defaults to no pings.
  ///
  /// If no pong arrives before the next ping, the connection fails. While the caller has unread messages, the connection does not fail,
  /// since the pong may arrive after these messages.
  public var pingInterval: Duration?

  /// Creates settings.
  ///
  /// - Parameters:
  ///   - subprotocols: The subprotocols to offer, the preferred subprotocol first.
  ///   - compresses: Whether the compression of messages is offered.
  ///   - maximumMessageSize: The maximum size in bytes of a received message.
  ///   - pingInterval: The interval between pings; nil for no pings.
  public init(
    subprotocols: [String] = [], compresses: Bool = true, maximumMessageSize: Int = 16 << 20, pingInterval: Duration? = nil
  ) {
    self.subprotocols = subprotocols
    self.compresses = compresses
    self.maximumMessageSize = maximumMessageSize
    self.pingInterval = pingInterval
  }
}
