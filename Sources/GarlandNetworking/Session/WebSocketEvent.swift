import GarlandTransfer

/// A stage of a WebSocket connection.
public enum WebSocketEvent: Sendable {
  /// The connection was created; nothing is sent yet.
  case created
  /// The opening handshake begins, because an operation such as sending a message needs the connection.
  case started
  /// The adapters have produced the handshake request that is sent next.
  case adapted(TransferRequest)
  /// The server has responded to the handshake request, or the attempt to open the connection failed. The server has refused the connection
  /// if the status is not 101.
  case answered(Result<TransferResponse, NetworkingError>)
  /// The handshake request will be sent again after the given time.
  case retrying(after: Duration, because: NetworkingError)
  /// The handshake request will not be sent again. The associated value is the reason.
  case retryRefused(RetryRefusal)
  /// The connection is open. The subprotocol is nil if the server has chosen none.
  case opened(subprotocol: String?)
  /// The connection was cancelled.
  case cancelled
  /// The connection has ended, with the close frame of the server or with an error. This is the last event.
  case finished(Result<WebSocketClose, NetworkingError>)

  /// The number and URL of a connection, by which an ``EventMonitor`` recognises it.
  ///
  /// Monitors do not receive the ``WebSocketTask`` itself, since a monitor that keeps a reference to the task would keep the connection
  /// open.
  public struct Connection: Sendable, Hashable, CustomStringConvertible {
    /// The number of the connection in the session: ``WebSocketTask/id``.
    public let id: Int
    /// The URL of the connection, without user and password; empty if the handshake request could not be created.
    public let url: String

    /// The number and the URL of the connection.
    public var description: String { "WebSocket \(id) \(url)" }
  }
}

extension Session {
  /// Sends an event of a WebSocket connection to the session's monitors. The event is created only if there are monitors.
  func tell(_ event: @autoclosure () -> WebSocketEvent, of connection: WebSocketEvent.Connection) {
    guard !monitors.isEmpty else { return }
    let event = event()
    for monitor in monitors { monitor.webSocket(connection, did: event) }
  }
}
