import GarlandJSON

/// A point in time, with the time zone in which it is written.
package struct Timestamp: Equatable {
  /// Nanoseconds since 1970-01-01T00:00:00Z.
  package var nanoseconds: Int
  /// The zone's offset from UTC in seconds.
  var offset: Int
  /// The local name of the zone, `CEST`; nil if only its offset is known.
  var zoneName: String?

  package init(nanoseconds: Int, offset: Int = 0) {
    self.nanoseconds = nanoseconds
    self.offset = offset
  }

  /// Reads a time in the format of RFC 3339, or a date alone, which means midnight in UTC. Returns nil for any other text, and for years
  /// before 1700 or after 2250.
  init?(_ text: String) {
    var reader = Reader(bytes: Array(text.utf8))
    guard let year = reader.digits(4), reader.take("-"), let month = reader.digits(2), reader.take("-"), let day = reader.digits(2) else {
      return nil
    }
    guard (1700...2250).contains(year), (1...12).contains(month), (1...Timestamp.days(in: month, of: year)).contains(day) else {
      return nil
    }
    var seconds = Timestamp.day(year, month, day) * 86_400
    var fraction = 0
    var offset = 0
    if !reader.isAtEnd {
      guard reader.take("T") || reader.take("t") || reader.take(" "), let hour = reader.digits(2), reader.take(":"),
        let minute = reader.digits(2), reader.take(":"), let second = reader.digits(2), hour < 24, minute < 60, second <= 60
      else { return nil }
      seconds += hour * 3600 + minute * 60 + second
      if reader.take(".") {
        guard let value = reader.fraction() else { return nil }
        fraction = value
      }
      if !(reader.take("Z") || reader.take("z")) {
        let sign = reader.take("+") ? 1 : reader.take("-") ? -1 : 0
        guard sign != 0, let hours = reader.digits(2), reader.take(":"), let minutes = reader.digits(2), hours < 24, minutes < 60 else {
          return nil
        }
        offset = sign * (hours * 3600 + minutes * 60)
      }
    }
    guard reader.isAtEnd else { return nil }
    self.init(nanoseconds: (seconds - offset) * 1_000_000_000 + fraction, offset: offset)
  }

  /// Creates a time from seconds since 1970; nil outside of the years 1700 to 2250.
  package init?(seconds: Double) {
    guard seconds.isFinite, abs(seconds) < 8.8e9 else { return nil }
    self.init(nanoseconds: Int((seconds * 1_000_000).rounded()) * 1000)
  }

  private struct Reader {
    let bytes: [UInt8]
    var position = 0
    var isAtEnd: Bool { position == bytes.count }

    mutating func take(_ character: UnicodeScalar) -> Bool {
      guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
      position += 1
      return true
    }

    mutating func digits(_ count: Int) -> Int? {
      guard position + count <= bytes.count else { return nil }
      var value = 0
      for byte in bytes[position..<position + count] {
        guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
        value = value * 10 + Int(byte - UInt8(ascii: "0"))
      }
      position += count
      return value
    }

    /// Reads the fraction of a second, in nanoseconds. Digits after the ninth are ignored.
    mutating func fraction() -> Int? {
      var value = 0
      var count = 0
      while position < bytes.count, bytes[position] >= UInt8(ascii: "0"), bytes[position] <= UInt8(ascii: "9") {
        if count < 9 { value = value * 10 + Int(bytes[position] - UInt8(ascii: "0")) }
        count += 1
        position += 1
      }
      guard count > 0 else { return nil }
      for _ in min(count, 9)..<9 { value *= 10 }
      return value
    }
  }

  // MARK: Zones

  /// Changes the zone to another one. The point in time stays the same.
  mutating func move(to rules: ZoneRules) {
    let period = rules.period(at: seconds)
    // Before there were time zones, places had offsets with seconds, which RFC 3339 can't express.
    offset = period.offset / 60 * 60
    zoneName = period.abbreviation
  }

  // MARK: Calendar

  static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
  }

  /// Returns the number of days since 1970-01-01.
  static func day(_ year: Int, _ month: Int, _ day: Int) -> Int { Int(CivilDate.days(year: year, month: month, day: day)) }

  /// The parts of the date and time in the time's zone.
  struct Parts {
    var year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, nanosecond: Int
    /// The day of the week, from 0 for Sunday.
    var weekday: Int
    /// The day of the year, from 1.
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
