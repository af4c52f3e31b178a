/// Why, and how long, failures of a step do not count.
public struct Quarantine: Sendable, Hashable {
  /// The reason in one line.
  public var reason: String
  /// The last day on which failures do not count, such as `2026-12-01`.
  public var until: String

  /// Creates a quarantine; every property is a parameter.
  public init(reason: String, until: String) {
    self.reason = reason
    self.until = until
  }
}
