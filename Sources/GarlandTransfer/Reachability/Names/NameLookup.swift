/// The result of the system's resolver for a name.
public struct NameLookup: Sendable, Hashable {
  /// The provider of a name's addresses, such as the hosts file or the nameservers.
  public enum Source: Sendable, Hashable, CustomStringConvertible {
    /// The name is an address itself.
    case literal
    /// The hosts file at this path.
    case hosts(String)
    /// The nameservers of the system in order.
    case nameservers([String])
    /// The addresses come from the setting `resolve`.
    case given

    /// The text that names the source of the addresses in messages, such as the path of a file.
    public var description: String {
      switch self {
      case .literal: "an address"
      case .hosts(let path): path
      case .nameservers(let servers): servers.isEmpty ? "the system" : servers.joined(separator: ", ")
      case .given: "given"
      }
    }
  }

  /// The name that was looked up.
  public let name: String
  /// The addresses in the order in which the system would try them, or the failure.
  public let outcome: Result<[IPAddress], NameFailure>
  /// The provider of the addresses. After a failure: the file or nameservers that should have provided the addresses.
  public let source: Source
  /// The duration of the lookup.
  public let duration: Duration

  /// The addresses; empty if the name did not resolve.
  public var addresses: [IPAddress] { (try? outcome.get()) ?? [] }
}
