/// The result of a probe.
public struct ProbeReport: Sendable, Hashable {
  /// The target of the probe.
  public let target: ProbeTarget
  /// The name lookup; nil if a proxy resolves the name, or if a Unix socket is used.
  public let lookup: NameLookup?
  /// The paths that were tried, in the system's order of preference.
  public let paths: [ProbePath]
  /// The time that the probe of all paths took.
  public let duration: Duration

  /// Whether at least one path reaches the target.
  public var isReachable: Bool { failure == nil }

  /// The failed name lookup, or the failure of the connection attempt that progressed the furthest. Nil if at least one network path
  /// reaches the target.
  public var failure: ProbeFailure? {
    if case .failure(let failure)? = lookup?.outcome { return .name(failure) }
    if paths.contains(where: { $0.failure == nil }) { return nil }
    var found: ProbeFailure?
    for case let failure? in paths.map(\.failure) where found.map({ $0.progress < failure.progress }) ?? true { found = failure }
    return found ?? .other(detail: "there is nothing to connect to")
  }

  /// A summary in one line: if the target is unreachable, the failures; otherwise, the network paths that reach the target and those that
  /// do not. Each path is shown with its kind and address.
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
