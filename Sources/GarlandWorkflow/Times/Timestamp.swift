import GarlandText

/// A point in time, with the time zone in which it is written: its offset and name.
package struct Timestamp: Equatable {
  /// The nanoseconds since 1970-01-01T00:00:00Z.
  package var nanoseconds: Int
  /// The offset of the time zone from UTC in seconds.
  var offset: Int
  /// The abbreviation of the time zone, such as `CEST`; nil if only the zone's offset is known.
  var zoneName: String?

  package init(nanoseconds: Int, offset: Int = 0) {
    self.nanoseconds = nanoseconds
    self.offset = offset
  }

  /// Reads a time in the format of RFC 3339, or a date alone, which means midnight in UTC. Returns nil for any other text, and for years
  /// before 1700 or after 2250.
  init?(_ text: String) {
    let isDate = text.utf8.count == 10
    guard let time = InternetTime(isDate ? text + "T00:00:00Z" : text), let year = Int(text.prefix(4)), (1700...2250).contains(year) else {
      return nil
    }
    self.init(nanoseconds: Int(time.seconds) * 1_000_000_000 + time.nanoseconds, offset: time.offset)
  }

  /// Creates a time from seconds since 1970. Returns nil for years before 1700 or after 2250.
  package init?(seconds: Double) {
    guard seconds.isFinite, abs(seconds) < 8.8e9 else { return nil }
    self.init(nanoseconds: Int((seconds * 1_000_000).rounded()) * 1000)
  }

  // MARK: Zones

  /// Changes the time zone in which the time is written. The point in time stays the same.
  mutating func move(to rules: ZoneRules) {
    let period = rules.period(at: seconds)
    // Historical offsets of local time include seconds, which RFC 3339 cannot express.
    offset = period.offset / 60 * 60
    zoneName = period.abbreviation
  }

  // MARK: Calendar

  /// Returns the number of days from 1970-01-01 to the given date.
  static func day(_ year: Int, _ month: Int, _ day: Int) -> Int { Int(CivilDate.days(year: year, month: month, day: day)) }

  /// The components of the date and the time of day, in the time zone in which the time is written.
  struct Parts {
    var year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, nanosecond: Int
    /// The day of the week, from 0 for Sunday to 6.
    var weekday: Int
    /// The day of the year, counted from 1.
    var dayOfYear: Int
  }

  var parts: Parts {
    let local = nanoseconds + offset * 1_000_000_000
    let (seconds, nanosecond) = Timestamp.divide(local, by: 1_000_000_000)
    let (days, secondOfDay) = Timestamp.divide(seconds, by: 86_400)
    let (year, month, day) = CivilDate.date(Int64(days))
    let dayOfYear = days - Timestamp.day(year, 1, 1) + 1
    return Parts(
      year: year, month: month, day: day, hour: secondOfDay / 3600, minute: secondOfDay / 60 % 60,
      second: secondOfDay % 60, nanosecond: nanosecond, weekday: Timestamp.divide(days + 4, by: 7).remainder, dayOfYear: dayOfYear)
  }

  private static func divide(_ value: Int, by divisor: Int) -> (quotient: Int, remainder: Int) {
    let remainder = (value % divisor + divisor) % divisor
    return ((value - remainder) / divisor, remainder)
  }
}
