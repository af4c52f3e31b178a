import GarlandJSON

/// Dates in HTTP's preferred format (RFC 9110, section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPDate {
  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// Returns the text for a time that is given in seconds since 1970, UTC.
  static func format(_ seconds: Int) -> String {
    let day = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    let second = seconds - day * 86_400
    let (year, month, dayOfMonth) = CivilDate.date(Int64(day))
    let weekday = days[((day % 7) + 7) % 7]
    return
      "\(weekday), \(two(dayOfMonth)) \(months[month - 1]) \(year) \(two(second / 3_600)):\(two(second / 60 % 60)):\(two(second % 60)) GMT"
  }

  /// Parses a time in the preferred format; nil for any other text.
  static func parse(_ text: String) -> Int? {
    let pieces = text.split(whereSeparator: { $0 == " " || $0 == ":" })
    guard pieces.count == 8, pieces[7] == "GMT", pieces[0].hasSuffix(","), let day = Int(pieces[1]), let year = Int(pieces[3]),
      let month = months.firstIndex(of: String(pieces[2])), let hour = Int(pieces[4]), let minute = Int(pieces[5]),
      let second = Int(pieces[6]), (1...31).contains(day), (1...9_999).contains(year), (0..<24).contains(hour), (0..<60).contains(minute),
      (0...60).contains(second)
    else { return nil }
    return ((Int(CivilDate.days(year: year, month: month + 1, day: day)) * 24 + hour) * 60 + minute) * 60 + second
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
