/// The predicate `date`. All conditions that are set must hold.
public struct DateTemplate: Sendable {
  /// The time that must be later than the value: `before:`.
  public let before: ValueTemplate?
  /// The time that must be earlier than the value: `after:`.
  public let after: ValueTemplate?
  /// The time to which the value must be equal: `at:`.
  public let at: ValueTemplate?
  /// The maximum distance of the value from the current time: `within:`.
  public let within: Setting<Duration>?
  /// The format of the value, `format:`; nil for any of the usual formats.
  public let format: String?
}
