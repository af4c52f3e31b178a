/// The predicate `date`. All conditions that are set must hold.
public struct DateTemplate: Sendable {
  /// `before:`, a time that must be later than the value.
  public let before: ValueTemplate?
  /// `after:`, a time that must be earlier than the value.
  public let after: ValueTemplate?
  /// `at:`, a time to which the value must be equal.
  public let at: ValueTemplate?
  /// `within:`, the maximum distance of the value from now.
  public let within: Setting<Duration>?
  /// `format:`, the format of the value; nil for any of the usual formats.
  public let format: String?
}
