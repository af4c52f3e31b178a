/// The numbers of a sandbox's TCP connections.
public struct SandboxConnections: Hashable, Sendable {
  /// Open now.
  public internal(set) var open = 0
  /// The most that were open at the same time.
  public internal(set) var peak = 0
  /// Accepted since the start.
  public internal(set) var accepted = 0
  /// Turned away with a 503 because ``SandboxOptions/connectionLimit`` were open.
  public internal(set) var refused = 0
}
