/// The numbers of a sandbox's TCP connections.
public struct SandboxConnections: Hashable, Sendable {
  /// The number of connections that are open now.
  public internal(set) var open = 0
  /// The maximum number of connections that were open at the same time.
  public internal(set) var peak = 0
  /// The number of connections accepted since the start.
  public internal(set) var accepted = 0
  /// The number of connections that were rejected with a 503, because ``SandboxOptions/connectionLimit`` connections were open.
  public internal(set) var refused = 0
}
