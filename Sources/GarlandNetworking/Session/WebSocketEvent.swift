import GarlandTransfer

/// A stage of a WebSocket connection.
public enum WebSocketEvent: Sendable {
  /// The connection was created; nothing is sent yet.
  case created
  /// An operation waits for the connection, and its opening begins.
  case started
  /// The adapters have produced this opening request, which is sent next.
  case adapted(TransferRequest)
  /// The server has responded to the opening request, or the attempt to open the connection failed. A status
  /// other than 101 is a refusal.
  case answered(Result<TransferResponse, NetworkingError>)
  /// The opening request will be sent again after this time.
  case retrying(after: Duration, because: NetworkingError)
  /// The opening request will not be sent again, for this reason.
  case retryRefused(RetryRefusal)
  /// The connection is open, with the subprotocol that the server has chosen, if it has chosen one.
  case opened(subprotocol: String?)
  /// The connection was cancelled.
  case cancelled
  /// The connection has ended, with the close frame of the server or with an error. This is the last event.
  case finished(Result<WebSocketClose, NetworkingError>)

  /// The number and URL of a connection, by which an ``EventMonitor`` recognises it.
  ///
  /// Monitors do not receive the ``WebSocketTask`` itself: releasing its last reference closes the connection.
  public struct Connection: Sendable, Hashable, CustomStringConvertible {
    /// The number of the connection in the session: ``WebSocketTask/id``.
    public let id: Int
    /// The URL, without user and password; empty if the request could not be made.
    public let url: String

    /// The number and the URL.
    public var description: String { "WebSocket \(id) \(url)" }
  }
}

extension Session {
  /// Sends an event of a connection to the monitors. The event is created only if there are monitors.
  func tell(_ event: @autoclosure () -> WebSocketEvent, of connection: WebSocketEvent.Connection) {
    guard !monitors.isEmpty else { return }
    let event = event()
    for monitor in monitors { monitor.webSocket(connection, did: event) }
  }
}
