/// The predicate `date`. All that is given has to hold.
public struct DateTemplate: Sendable {
  /// `before:` and `after:`, neither of which is the time itself.
  public let before: ValueTemplate?
  /// See ``before``.
  public let after: ValueTemplate?
  /// `at:`: the same time.
  public let at: ValueTemplate?
  /// `within:`: at most so far from now.
  public let within: Setting<Duration>?
  /// `format:` in which it is written; nil is any of the usual ones.
  public let format: String?
}
