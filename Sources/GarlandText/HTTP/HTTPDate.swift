/// Dates of HTTP (RFC 9110, section 5.6.7).
package enum HTTPDate {
  private static let months = CivilDate.months.map { $0.prefix(3).lowercased() }

  /// Returns the number of a month, from 1, whose name has the given first three letters in lower case; nil if there is none.
  package static func month(_ letters: String) -> Int? { months.firstIndex(of: letters).map { $0 + 1 } }

  /// Returns a date in the preferred format: `Sun, 06 Nov 1994 08:49:37 GMT`.
  ///
  /// - Parameter seconds: the seconds since 1970, UTC.
  package static func text(_ seconds: Int64) -> String {
    let day = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    let second = Int(seconds - day * 86_400)
    let (year, month, dayOfMonth) = CivilDate.date(day)
    // 1970-01-01 was a Thursday.
    let weekday = CivilDate.weekdays[Int((day % 7 + 11) % 7)].prefix(3)
    let monthName = CivilDate.months[month - 1].prefix(3)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return
      "\(weekday), \(two(dayOfMonth)) \(monthName) \(year) \(two(second / 3_600)):\(two(second / 60 % 60)):\(two(second % 60)) GMT"
  }

  /// Reads a date in one of the three formats of HTTP. Returns the seconds since 1970; nil for any other format, and for a zone other than
  /// GMT.
  ///
  /// - Parameter now: the current time in seconds since 1970. It determines the century of a two-digit year.
  package static func parse(_ text: String, now: Int64) -> Int64? {
    let words = text.utf8.split { $0 == 0x20 }.map { String(Substring($0)).lowercased() }
    switch words.count {
    case 6:
      // Sun, 06 Nov 1994 08:49:37 GMT
      guard isDay(words[0], short: true, comma: true), words[5] == "gmt" else { return nil }
      return seconds(day: words[1], month: words[2], year: number(words[3], digits: 4), time: words[4])
    case 5:
      // Sun Nov  6 08:49:37 1994
      guard isDay(words[0], short: true, comma: false) else { return nil }
      return seconds(day: words[2], month: words[1], year: number(words[4], digits: 4), time: words[3])
    case 4:
      // Sunday, 06-Nov-94 08:49:37 GMT
      let parts = words[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
      guard isDay(words[0], short: false, comma: true), words[3] == "gmt", parts.count == 3, let year = number(parts[2], digits: 2) else {
        return nil
      }
      // A year that seems to be more than 50 years ahead belongs to the previous century.
      let current = 1970 + Int(now / 31_556_952)
      var full = current - current % 100 + year
      if full > current + 50 { full -= 100 }
      return seconds(day: parts[0], month: parts[1], year: full, time: words[2])
    default: return nil
    }
  }

  private static func isDay(_ word: String, short: Bool, comma: Bool) -> Bool {
    let name = comma ? (word.hasSuffix(",") ? String(word.dropLast()) : "") : word
    return CivilDate.weekdays.contains { (short ? String($0.prefix(3)) : $0).lowercased() == name }
  }

  private static func number(_ text: String, digits: Int) -> Int? {
    text.utf8.count == digits && text.utf8.allSatisfy(\.isDigit) ? Int(text) : nil
  }

  private static func seconds(day: String, month: String, year: Int?, time: String) -> Int64? {
    let parts = time.split(separator: ":", omittingEmptySubsequences: false).map { number(String($0), digits: 2) }
    guard let year, year >= 1601, parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2],
      let month = Self.month(month),
      let day = number(day, digits: 2) ?? number(day, digits: 1), day >= 1, day <= CivilDate.days(in: month, of: year),
      hour <= 23, minute <= 59, second <= 60
    else { return nil }
    return CivilDate.days(year: year, month: month, day: day) * 86_400 + Int64(hour * 3600 + minute * 60 + second)
  }
}
