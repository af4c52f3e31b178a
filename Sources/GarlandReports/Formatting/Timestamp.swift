/// Points in time as [RFC 3339](https://www.rfc-editor.org/rfc/rfc3339) writes them, in UTC.
enum Timestamp {
  /// `2026-11-21T01:06:24.123Z`.
  static func rfc3339(_ secondsSince1970: Double) -> String {
    let milliseconds = milliseconds(secondsSince1970)
    let fraction = String(milliseconds % 1_000 + 1_000).dropFirst()
    return "\(civil(milliseconds / 1_000)).\(fraction)Z"
  }

  /// `2026-11-21T01:06:24`: JUnit's schema has no zone, and its readers take it for UTC.
  static func withoutZone(_ secondsSince1970: Double) -> String {
    civil(milliseconds(secondsSince1970) / 1_000)
  }

  private static func milliseconds(_ seconds: Double) -> Int {
    guard seconds.isFinite else { return 0 }
    return Int((min(max(0, seconds), 253_402_300_799) * 1_000).rounded(.down))
  }

  private static func civil(_ seconds: Int) -> String {
    let (year, month, day) = date(daysSince1970: seconds / 86_400)
    let time = [seconds % 86_400 / 3_600, seconds % 3_600 / 60, seconds % 60].map(Readable.twoDigits).joined(separator: ":")
    let paddedYear = String(year + 10_000).dropFirst()
    return "\(paddedYear)-\(Readable.twoDigits(month))-\(Readable.twoDigits(day))T\(time)"
  }

  /// The Gregorian calendar, counted in years that begin in March so that the leap day is a year's last.
  private static func date(daysSince1970: Int) -> (year: Int, month: Int, day: Int) {
    let daysSince0000March1 = daysSince1970 + 719_468
    let era = daysSince0000March1 / 146_097
    let dayOfEra = daysSince0000March1 % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }
}
