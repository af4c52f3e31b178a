/// The reason why the status of the network is unknown: the kernel does not respond, as in a sandbox
/// that forbids routing sockets.
public struct ReachabilityError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The error message.
  public let description: String

  init(_ description: String) { self.description = description }
}
