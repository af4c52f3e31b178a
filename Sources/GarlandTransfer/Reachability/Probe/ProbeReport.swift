/// What a probe found.
public struct ProbeReport: Sendable, Hashable {
  /// What was to be reached.
  public let target: ProbeTarget
  /// What became of the host's name; nil where that is somebody else's business: a proxy's, or with a unix socket nobody's.
  public let lookup: NameLookup?
  /// Every way that was tried, in the order in which the system prefers them.
  public let paths: [ProbePath]
  /// How long all of it took.
  public let duration: Duration

  /// Whether one of the ways leads there.
  public var isReachable: Bool { failure == nil }

  /// Why none of the ways leads there: of the way that came farthest. Nil if one does.
  public var failure: ProbeFailure? {
    if case .failure(let failure)? = lookup?.outcome { return .name(failure) }
    if paths.contains(where: { $0.failure == nil }) { return nil }
    var found: ProbeFailure?
    for case let failure? in paths.map(\.failure) where found.map({ $0.progress < failure.progress }) ?? true { found = failure }
    return found ?? .other(detail: "there is nothing to connect to")
  }

  /// One line: what is in the way, with the version of IP where that tells something, or how it was reached.
  public var summary: String {
    guard let failure else {
      let reached = paths.filter { $0.failure == nil }.map { "\($0.kind) \($0.address)" }.joined(separator: " and ")
      let missed = paths.compactMap { path in path.failure.map { "not by \(path.kind) \(path.address): \($0)" } }
      return (["reached by \(reached)"] + missed).joined(separator: "; ")
    }
    if paths.isEmpty { return failure.description }
    let failures = Set(paths.compactMap(\.failure))
    if failures.count == 1 {
      return "\(failure) (\(paths.map { "\($0.kind) \($0.address)" }.joined(separator: ", ")))"
    }
    return paths.compactMap { path in path.failure.map { "\(path.kind) \(path.address): \($0)" } }.joined(separator: "; ")
  }
}
