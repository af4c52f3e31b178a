/// A time in the format of RFC 3339, for example `2026-11-21T06:00:00.25+01:00`.
package struct InternetTime: Sendable, Equatable {
  /// The whole seconds since 1970-01-01T00:00:00Z, rounded down.
  package let seconds: Int64
  /// The nanoseconds after ``seconds``, from 0 to 999,999,999. Further digits of the text are dropped.
  package let nanoseconds: Int
  /// The offset of the time zone from UTC in seconds; 0 for `Z`.
  package let offset: Int

  /// Parses a text such as `2026-11-21T06:00:00.25+01:00`. The `T` may be a space (RFC 3339, section 5.6). Returns nil for any other text.
  package init?(_ text: String) {
    var reader = Reader(rest: text.utf8[...])
    guard let year = reader.digits(4), reader.take("-"), let month = reader.digits(2), reader.take("-"), let day = reader.digits(2),
      reader.take("Tt "), let hour = reader.digits(2), reader.take(":"), let minute = reader.digits(2), reader.take(":"),
      let second = reader.digits(2), hour <= 23, minute <= 59, second <= 60, (1...12).contains(month), day >= 1,
      day <= CivilDate.days(in: month, of: year), let fraction = reader.fraction(), let offset = reader.offset(), reader.rest.isEmpty
    else { return nil }
    seconds = CivilDate.days(year: year, month: month, day: day) * 86_400 + Int64(hour * 3_600 + minute * 60 + second - offset)
    nanoseconds = fraction
    self.offset = offset
  }

  /// The seconds since 1970-01-01T00:00:00Z, with their fraction.
  package var secondsSince1970: Double { Double(seconds) + Double(nanoseconds) / 1e9 }

  /// Returns a text such as `2026-11-21T05:00:00Z`, in UTC. A year beyond 9999 has more digits, and one before 0 has a sign.
  package static func text(seconds: Int64) -> String { civil(seconds) + "Z" }

  /// Returns a text such as `2026-11-21T05:00:00Z`, rounded down to whole seconds. If the value is infinite, NaN or too large for a date,
  /// returns the number itself as text.
  package static func text(secondsSince1970 seconds: Double) -> String {
    guard seconds.isFinite, abs(seconds) < 1e14 else { return "\(seconds)" }
    return text(seconds: Int64(seconds.rounded(.down)))
  }

  /// Returns a text such as `2026-11-21T05:00:00.250Z`, in UTC, with three digits of the second's fraction.
  package static func text(milliseconds: Int64) -> String {
    let fraction = (milliseconds % 1_000 + 1_000) % 1_000
    return "\(civil((milliseconds - fraction) / 1_000)).\(String(fraction + 1_000).dropFirst())Z"
  }

  private static func civil(_ seconds: Int64) -> String {
    let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    let rest = Int(seconds - days * 86_400)
    let (year, month, day) = CivilDate.date(days)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let digits = String(abs(year))
    let padded = (year < 0 ? "-" : "") + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    return "\(padded)-\(two(month))-\(two(day))T\(two(rest / 3_600)):\(two(rest / 60 % 60)):\(two(rest % 60))"
  }

  private struct Reader {
    var rest: Substring.UTF8View

    /// Reads exactly `count` digits.
    mutating func digits(_ count: Int) -> Int? {
      guard rest.count >= count else { return nil }
      var value = 0
      for byte in rest.prefix(count) {
        guard byte.isDigit else { return nil }
        value = value * 10 + Int(byte - 0x30)
      }
      rest = rest.dropFirst(count)
      return value
    }

    /// Reads one of the characters in `characters`. Returns whether there was one.
    mutating func take(_ characters: String) -> Bool {
      guard let byte = rest.first, characters.utf8.contains(byte) else { return false }
      rest = rest.dropFirst()
      return true
    }

    /// Reads the fraction of a second, such as `.25`. Returns the fraction in nanoseconds: 0 if the text has no fraction, nil if no digit
    /// follows the point.
    mutating func fraction() -> Int? {
      guard take(".") else { return 0 }
      let digits = rest.prefix(while: \.isDigit)
      guard !digits.isEmpty else { return nil }
      rest = rest.dropFirst(digits.count)
      var value = digits.prefix(9).reduce(0) { $0 * 10 + Int($1 - 0x30) }
      for _ in min(digits.count, 9)..<9 { value *= 10 }
      return value
    }

    /// Reads `Z` or an offset such as `+01:00`. Returns the offset in seconds; nil if there is none.
    mutating func offset() -> Int? {
      if take("Zz") { return 0 }
      let isNegative = rest.first == UInt8(ascii: "-")
      guard take("+-"), let hours = digits(2), take(":"), let minutes = digits(2), hours <= 23, minutes <= 59 else { return nil }
      return (hours * 3_600 + minutes * 60) * (isNegative ? -1 : 1)
    }
  }
}
