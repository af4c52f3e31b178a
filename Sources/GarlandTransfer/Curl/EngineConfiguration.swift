/// What an engine is made with.
public struct EngineConfiguration: Sendable, Hashable {
  /// How many connections one origin gets at once. More transfers wait for one of them; with HTTP/2 they share. 0 is without limit.
  /// Defaults to 6, as browsers have it.
  public var connectionsPerOrigin = 6
  /// Whether the time that a transfer waits for one of them counts for its deadline. Defaults to true; where somebody else decides how many are sent at once,
  /// the peer has nothing to do with it.
  public var waitingCountsForDeadlines = true
  /// How many idle connections are kept open for later transfers, over all origins. Defaults to 128.
  public var idleConnections = 128
  /// How many threads send. Requests to one origin are all on one of them, with its connections and their limit; a redirect to another origin stays where
  /// it came up. Completions come on the first, as ever. Defaults to 1: more help only where TLS, compression or large bodies of several origins keep one busy.
  public var threads = 1
  /// The name of the engine's thread, of which Linux shows 15 bytes.
  public var threadName = "garland-engine"

  /// The defaults.
  public init() {}
}
