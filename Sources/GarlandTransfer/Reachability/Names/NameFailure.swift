/// Why a name did not resolve, and which resolver said so.
public struct NameFailure: Error, Sendable, Hashable {
  /// What happened.
  public enum Kind: Sendable, Hashable {
    /// There is no such name.
    case notFound
    /// The name is known, but has no address.
    case noAddress
    /// The nameservers could not be asked, or did not know. It may work later.
    case unanswered
    /// It took longer than allowed.
    case timedOut(Duration)
    /// It is no name.
    case invalid
    /// Whoever asked was cancelled.
    case cancelled
    /// Anything else.
    case other(String)
  }

  /// The name.
  public let name: String
  /// What happened.
  public let kind: Kind
  /// What each of the system's nameservers says when it is asked directly. Empty if there are none.
  public let testimonies: [NameserverTestimony]
}

/// What a nameserver said of a name.
public struct NameserverTestimony: Sendable, Hashable, CustomStringConvertible {
  /// What it said.
  public enum Verdict: Sendable, Hashable {
    /// There is no such name.
    case noSuchName
    /// The name exists, without an address of version 4.
    case noAddress
    /// It has addresses.
    case hasAddress
    /// It answers with an error: `SERVFAIL`, `REFUSED` and so on.
    case failed(String)
    /// Nothing, for so long.
    case silent(Duration)
    /// It could not be reached, in the system's words.
    case unreachable(String)
    /// Something that is no answer.
    case malformed
  }

  /// Its address, as the system's configuration names it.
  public let server: String
  /// What it said.
  public let verdict: Verdict

  /// Human words: `10.0.0.1 says there is no such name`.
  public var description: String {
    switch verdict {
    case .noSuchName: "\(server) says there is no such name"
    case .noAddress: "\(server) knows the name and no IPv4 address for it"
    case .hasAddress: "\(server) knows it when asked again"
    case .failed(let code): "\(server) answers \(code)"
    case .silent(let time): "\(server) did not answer within \(time.words)"
    case .unreachable(let detail): "the nameserver \(server) can't be reached: \(detail)"
    case .malformed: "\(server) does not answer as a nameserver does"
    }
  }
}

extension NameFailure: CustomStringConvertible {
  /// Human words: `could not resolve the host name x.example: 10.0.0.1 says there is no such name`.
  public var description: String {
    let beginning = "could not resolve the host name \(name)"
    let said = testimonies.map(\.description).joined(separator: "; ")
    switch kind {
    case .invalid: return "\(name) is no host name"
    case .cancelled: return "\(beginning): cancelled"
    case .other(let detail): return said.isEmpty ? "\(beginning): \(detail)" : "\(beginning): \(detail); \(said)"
    case .timedOut(let limit):
      return said.isEmpty ? "\(beginning) within \(limit.words)" : "\(beginning) within \(limit.words): \(said)"
    case .notFound: return said.isEmpty ? "\(beginning): there is no such name" : "\(beginning): \(said)"
    case .noAddress: return said.isEmpty ? "\(beginning): it has no address" : "\(beginning): \(said)"
    case .unanswered: return said.isEmpty ? "\(beginning): no nameserver could be asked" : "\(beginning): \(said)"
    }
  }
}
