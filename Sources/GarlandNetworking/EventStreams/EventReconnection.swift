/// The rule by which an ``EventStream`` connects again after its connection has ended.
///
/// The stream connects again both after a connection that ended normally and after a network error. After a
/// refused response it does not connect again, and a response with status 204 ends the stream, as the HTML
/// standard requires.
public struct EventReconnection: Sendable, Hashable {
  /// The maximum number of successive connections without an event; nil for no limit.
  public var limit: Int?
  /// The time to wait before a new connection. A `retry` field in the stream overrides this time.
  public var delay: Duration

  /// Creates a rule for reconnection.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of successive connections without an event; nil for no limit.
  ///   - delay: The time to wait before a new connection. Defaults to 3 seconds, as in browsers.
  public init(limit: Int?, delay: Duration = .seconds(3)) {
    self.limit = limit
    self.delay = delay
  }

  /// Never connects again: the stream ends with its first connection.
  public static let never = EventReconnection(limit: 0)
  /// Always connects again, without a limit.
  public static let always = EventReconnection(limit: nil)
}
