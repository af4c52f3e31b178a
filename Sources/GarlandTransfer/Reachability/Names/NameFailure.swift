/// The reason why a name did not resolve, with the response of each nameserver.
public struct NameFailure: Error, Sendable, Hashable {
  /// The kind of failure.
  public enum Kind: Sendable, Hashable {
    /// The name does not exist.
    case notFound
    /// The name exists but has no address.
    case noAddress
    /// The nameservers were unreachable or did not respond. A later lookup may succeed.
    case unanswered
    /// The lookup exceeded its time limit.
    case timedOut(Duration)
    /// The text cannot be a host name.
    case invalid
    /// The task that waited for the lookup was cancelled.
    case cancelled
    /// A failure of any other kind. The associated value describes it.
    case other(String)
  }

  /// The name that did not resolve.
  public let name: String
  /// The kind of failure.
  public let kind: Kind
  /// The responses of the system's nameservers to direct queries; empty if they were not queried.
  public let testimonies: [NameserverTestimony]
}

/// The response of a nameserver to a query for a name.
public struct NameserverTestimony: Sendable, Hashable, CustomStringConvertible {
  /// The result of asking a nameserver for a name.
  public enum Verdict: Sendable, Hashable {
    /// The name does not exist.
    case noSuchName
    /// The name exists but has no IPv4 address.
    case noAddress
    /// The nameserver has addresses for the name.
    case hasAddress
    /// The nameserver responded with an error: `SERVFAIL`, `REFUSED` and so on.
    case failed(String)
    /// The nameserver did not respond within this time.
    case silent(Duration)
    /// The nameserver was unreachable. The associated value is the system's message.
    case unreachable(String)
    /// The nameserver sent an invalid response.
    case malformed
  }

  /// The address of the nameserver, as in the system's configuration.
  public let server: String
  /// The result of asking this nameserver for the name.
  public let verdict: Verdict

  /// The message, for example `the nameserver 10.0.0.1 reports that this name does not exist`.
  public var description: String {
    let words =
      switch verdict {
      case .noSuchName: "reports that this name does not exist"
      case .noAddress: "has no IPv4 address for this name"
      case .hasAddress: "resolved the name on another attempt"
      case .failed(let code): "answers \(code)"
      case .silent(let time): "did not answer within \(time.words)"
      case .unreachable(let detail): "can't be reached: \(detail)"
      case .malformed: "sent an invalid DNS response"
      }
    return "the nameserver \(server) \(words)"
  }
}

extension NameFailure: CustomStringConvertible {
  /// The message, for example `could not resolve the host name x.example: the nameserver 10.0.0.1 reports that this name
  /// does not exist`.
  public var description: String {
    let beginning = "could not resolve the host name \(name)"
    let said = testimonies.map(\.description).joined(separator: "; ")
    switch kind {
    case .invalid: return "\(name) is not a host name"
    case .cancelled: return "\(beginning): cancelled"
    case .other(let detail): return said.isEmpty ? "\(beginning): \(detail)" : "\(beginning): \(detail); \(said)"
    case .timedOut(let limit):
      return said.isEmpty ? "\(beginning) within \(limit.words)" : "\(beginning) within \(limit.words): \(said)"
    case .notFound: return said.isEmpty ? "\(beginning): this name does not exist" : "\(beginning): \(said)"
    case .noAddress: return said.isEmpty ? "\(beginning): it has no address" : "\(beginning): \(said)"
    case .unanswered: return said.isEmpty ? "\(beginning): no nameserver could be reached" : "\(beginning): \(said)"
    }
  }
}
