/// What an engine is made with.
public struct EngineConfiguration: Sendable, Hashable {
  /// How many connections one origin gets at once. More transfers wait for one of them; with HTTP/2 they share. 0 is without limit.
  /// Defaults to 6, as browsers have it.
  public var connectionsPerOrigin = 6
  /// How many idle connections are kept open for later transfers, over all origins. Defaults to 128.
  public var idleConnections = 128
  /// The name of the engine's thread, of which Linux shows 15 bytes.
  public var threadName = "garland-engine"

  /// The defaults.
  public init() {}
}
