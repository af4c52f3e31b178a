/// Why nothing can be said about the network: the kernel does not answer, as in a sandbox that forbids its routing sockets.
public struct ReachabilityError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Human words.
  public let description: String

  init(_ description: String) { self.description = description }
}
