/// Receives an event for each stage of a session's requests and WebSocket connections.
///
/// ```swift
/// struct Log: EventMonitor {
///   func request(_ request: Request, did event: RequestEvent) {
///     if case .finished(let error) = event { print(request, error.map(\.description) ?? "ok") }
///   }
/// }
/// ```
/// The events of one request or WebSocket connection arrive in order, on any thread; events of several requests or connections interleave.
/// A request or connection waits while a monitor handles its event, so a monitor must handle events quickly. A session without monitors
/// creates no events.
public protocol EventMonitor: Sendable {
  /// Receives an event of a request.
  func request(_ request: Request, did event: RequestEvent)
  /// Receives an event of a WebSocket connection. The default implementation does nothing.
  func webSocket(_ connection: WebSocketEvent.Connection, did event: WebSocketEvent)
}

extension EventMonitor {
  /// Default implementation: does nothing.
  public func webSocket(_ connection: WebSocketEvent.Connection, did event: WebSocketEvent) {}
}
