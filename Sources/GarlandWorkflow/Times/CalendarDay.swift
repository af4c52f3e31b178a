import GarlandText

/// A calendar day in UTC.
public struct CalendarDay: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The number of days since 1970-01-01.
  let number: Int

  /// Creates the day that contains a point in time.
  ///
  /// - Parameter seconds: the point in time, in seconds since 1970 in UTC.
  public init(secondsSince1970 seconds: Double) { number = Int((seconds / 86_400).rounded(.down)) }

  /// Parses a day such as `2026-12-01`. Returns nil for any other text, and for a day that does not exist.
  init?(_ text: String) {
    guard text.utf8.count == 10, let time = Timestamp(text) else { return nil }
    self.init(secondsSince1970: Double(time.nanoseconds / 1_000_000_000))
  }

  /// The day as text, such as `2026-12-01`.
  public var description: String {
    let (year, month, day) = CivilDate.date(Int64(number))
    func padded(_ value: Int, _ width: Int) -> String { String(repeating: "0", count: max(0, width - "\(value)".count)) + "\(value)" }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }

  /// Whether the day `one` is before the day `other`.
  public static func < (one: CalendarDay, other: CalendarDay) -> Bool { one.number < other.number }
}
