/// When an ``EventStream`` connects again after its connection has ended.
///
/// A connection ends in good order, or with an error on the way. A refused response is not asked for
/// again, and a response with status 204 ends the stream, as the HTML standard has it.
public struct EventReconnection: Sendable, Hashable {
  /// The number of connections in a row that may bring no event; nil for no limit.
  public var limit: Int?
  /// The wait before a new connection, unless the stream itself says how long with `retry`.
  public var delay: Duration

  /// - Parameters:
  ///   - limit: The number of connections in a row that may bring no event; nil for no limit.
  ///   - delay: The wait before a new connection. Defaults to 3 seconds, as in browsers.
  public init(limit: Int?, delay: Duration = .seconds(3)) {
    self.limit = limit
    self.delay = delay
  }

  /// No new connection: the stream ends with the first one.
  public static let never = EventReconnection(limit: 0)
  /// A new connection as often as it takes.
  public static let always = EventReconnection(limit: nil)
}
