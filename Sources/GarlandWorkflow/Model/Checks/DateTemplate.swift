/// The limits of the predicate `date`. A value must be within all limits that are set.
public struct DateTemplate: Sendable {
  /// The time before which the value must be, from the key `before:`.
  public let before: ValueTemplate?
  /// The time after which the value must be, from the key `after:`.
  public let after: ValueTemplate?
  /// The time to which the value must be equal, from the key `at:`.
  public let at: ValueTemplate?
  /// The maximum distance of the value from the current time, from the key `within:`.
  public let within: Setting<Duration>?
  /// The format of the value, from the key `format:`. If nil, the value can have any of the usual formats.
  public let format: String?
}
