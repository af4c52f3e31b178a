/// The limits and threads of an ``Engine``, which apply to all its transfers.
public struct EngineConfiguration: Sendable, Hashable {
  /// The maximum number of concurrent connections to one origin. Further transfers wait until a connection
  /// is free; with HTTP/2 transfers share connections. 0 means no limit. Defaults to 6, as in browsers.
  public var connectionsPerOrigin = 6
  /// Whether waiting for a connection counts towards a transfer's deadline. Defaults to true. Set it to false if the caller decides how
  /// many requests are sent at once: the caller then causes the wait, not the server.
  public var waitingCountsForDeadlines = true
  /// The maximum number of idle connections over all origins. Defaults to 128.
  public var idleConnections = 128
  /// The number of sending threads.
  ///
  /// All requests to one origin use the same thread, and so share connections and the limit of connections. After a redirect to another
  /// origin, a request stays on its thread. Completion closures run on the first thread. Defaults to 1: more threads help only if TLS,
  /// compression or large bodies of several origins keep one thread busy.
  public var threads = 1
  /// Whether the thread wakes at a timer's time with a precision of microseconds instead of a millisecond. This precision costs a system
  /// call for each wait. Defaults to false.
  public var hasExactTimers = false
  /// The name of the engine's thread. Linux shows its first 15 bytes.
  public var threadName = "garland-engine"

  /// Creates the default configuration.
  public init() {}
}
