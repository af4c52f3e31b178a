/// The configuration of an engine.
public struct EngineConfiguration: Sendable, Hashable {
  /// The maximum number of concurrent connections to one origin. Further transfers wait for one of
  /// them; with HTTP/2 they share connections. 0 means no limit. Defaults to 6, as in browsers.
  public var connectionsPerOrigin = 6
  /// Whether waiting for a connection counts for a transfer's deadline. Defaults to true; set it to
  /// false if the caller decides how many requests are sent at once, since the peer does not cause
  /// the wait.
  public var waitingCountsForDeadlines = true
  /// The maximum number of idle connections over all origins. Defaults to 128.
  public var idleConnections = 128
  /// The number of sending threads. Requests to one origin share one thread, with its connections
  /// and their limit; a redirect to another origin stays on its thread. Completions run on the
  /// first thread. Defaults to 1: more threads help only if TLS, compression or large bodies of
  /// several origins keep one busy.
  public var threads = 1
  /// Whether timers that are due soon are exact to some microseconds, and not to a millisecond. It costs a system call for each wait.
  /// Defaults to false.
  public var hasExactTimers = false
  /// The name of the engine's thread; Linux shows 15 bytes of it.
  public var threadName = "garland-engine"

  /// Creates the default configuration.
  public init() {}
}
