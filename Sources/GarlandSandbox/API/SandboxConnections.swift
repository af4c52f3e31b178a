/// The numbers of a sandbox's TCP connections.
package struct SandboxConnections: Hashable, Sendable {
  /// The number of connections that are open now.
  package internal(set) var open = 0
  /// The maximum number of connections that were open at the same time.
  package internal(set) var peak = 0
  /// The number of connections accepted since the start.
  package internal(set) var accepted = 0
  /// The number of connections that were rejected with a 503, because ``SandboxOptions/connectionLimit`` connections were open.
  package internal(set) var refused = 0
}
