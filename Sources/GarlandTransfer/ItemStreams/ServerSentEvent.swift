/// A server-sent event, as an [event stream](https://html.spec.whatwg.org/multipage/server-sent-events.html)
/// delivers it.
public struct ServerSentEvent: Sendable, Hashable {
  /// The type, by which a program chooses its listener. Defaults to `message`.
  public var type: String
  /// The data: the lines of the event, with a line feed between them.
  public var data: String
  /// The last event ID of the stream when the event was dispatched; empty if there was none. A client
  /// that reconnects sends it as `Last-Event-ID`.
  public var id: String

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
