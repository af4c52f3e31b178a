import GarlandText

/// Formats the times of a run, in UTC. A time before 1970 is written as 1970.
enum TimeText {
  /// Formats seconds since 1970 as a time such as `2026-11-21T01:06:24.123Z` (RFC 3339).
  static func rfc3339(_ secondsSince1970: Double) -> String { rfc3339(milliseconds: milliseconds(secondsSince1970)) }

  /// Formats milliseconds since 1970 as a time such as `2026-11-21T01:06:24.123Z` (RFC 3339).
  static func rfc3339(milliseconds: Int) -> String { InternetTime.text(milliseconds: Int64(milliseconds)) }

  /// Formats seconds since 1970 as a time such as `2026-11-21 01:06:24 UTC`.
  static func readable(_ secondsSince1970: Double) -> String {
    withoutZone(secondsSince1970).replacing("T", with: " ") + " UTC"
  }

  /// Formats seconds since 1970 as a time in UTC, such as `2026-11-21T01:06:24`. The time zone is omitted, since JUnit's schema allows
  /// none; the readers of JUnit reports assume UTC.
  static func withoutZone(_ secondsSince1970: Double) -> String {
    String(InternetTime.text(seconds: Int64(milliseconds(secondsSince1970) / 1_000)).dropLast())
  }

  /// Converts seconds since 1970 to whole milliseconds. Times are limited to the years 1970 to 9999.
  static func milliseconds(_ seconds: Double) -> Int {
    guard seconds.isFinite else { return 0 }
    return Int((min(max(0, seconds), 253_402_300_799) * 1_000).rounded(.down))
  }

  /// Parses a time in the format of RFC 3339 and returns its seconds since 1970. Returns nil for any other text.
  static func seconds(_ text: String) -> Double? { InternetTime(text)?.secondsSince1970 }
}
