/// The quarantine of a step, during which its failures do not count: the reason and the end date.
public struct Quarantine: Sendable, Hashable {
  /// The reason for the quarantine, in one line.
  public var reason: String
  /// The last day on which failures do not count, such as `2026-12-01`.
  public var until: String

  /// Creates a quarantine; every property is a parameter.
  public init(reason: String, until: String) {
    self.reason = reason
    self.until = until
  }
}
