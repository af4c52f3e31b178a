/// What the system's resolver made of a name.
public struct NameLookup: Sendable, Hashable {
  /// Where addresses come from.
  public enum Source: Sendable, Hashable, CustomStringConvertible {
    /// The name is an address.
    case literal
    /// The file of hosts, by its path.
    case hosts(String)
    /// The nameservers that the system asks, in order.
    case nameservers([String])
    /// Whoever is asked said so beforehand: a `resolve` setting.
    case given

    /// Human words.
    public var description: String {
      switch self {
      case .literal: "an address"
      case .hosts(let path): path
      case .nameservers(let servers): servers.isEmpty ? "the system" : servers.joined(separator: ", ")
      case .given: "given"
      }
    }
  }

  /// The name.
  public let name: String
  /// Its addresses, in the order in which the system would try them, or why there are none.
  public let outcome: Result<[IPAddress], NameFailure>
  /// Where they come from, or would.
  public let source: Source
  /// How long it took.
  public let duration: Duration

  /// The addresses, none if the name did not resolve.
  public var addresses: [IPAddress] { (try? outcome.get()) ?? [] }
}
