/// A server-sent event, from an [event stream](https://html.spec.whatwg.org/multipage/server-sent-events.html).
public struct ServerSentEvent: Sendable, Hashable {
  /// The event type, with which a program selects a handler. Defaults to `message`.
  public var type: String
  /// The data: the lines of the event, with a line feed between them.
  public var data: String
  /// The stream's last event ID at the time of this event; empty if no event had an ID. A client that reconnects sends the ID as
  /// `Last-Event-ID`.
  public var id: String

  /// Creates an event.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - data: The data.
  ///   - id: The last event ID.
  public init(type: String = "message", data: String, id: String = "") {
    self.type = type
    self.data = data
    self.id = id
  }
}
