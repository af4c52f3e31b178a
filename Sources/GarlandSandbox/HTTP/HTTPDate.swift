/// Dates in HTTP's preferred format (RFC 9110 section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPDate {
  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// The text of a time given as seconds since 1970 in UTC.
  static func format(_ seconds: Int) -> String {
    let day = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    let second = seconds - day * 86_400
    let (year, month, dayOfMonth) = civil(day)
    let weekday = days[((day % 7) + 7) % 7]
    return
      "\(weekday), \(two(dayOfMonth)) \(months[month - 1]) \(year) \(two(second / 3_600)):\(two(second / 60 % 60)):\(two(second % 60)) GMT"
  }

  /// The time that a text in the preferred format stands for, or nil for anything else.
  static func parse(_ text: String) -> Int? {
    let pieces = text.split(whereSeparator: { $0 == " " || $0 == ":" })
    guard pieces.count == 8, pieces[7] == "GMT", pieces[0].hasSuffix(","), let day = Int(pieces[1]), let year = Int(pieces[3]),
      let month = months.firstIndex(of: String(pieces[2])), let hour = Int(pieces[4]), let minute = Int(pieces[5]),
      let second = Int(pieces[6]), (1...31).contains(day), (1...9_999).contains(year), (0..<24).contains(hour), (0..<60).contains(minute),
      (0...60).contains(second)
    else { return nil }
    return ((daysSince1970(year, month + 1, day) * 24 + hour) * 60 + minute) * 60 + second
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// Counts in eras of 400 years that begin on the first of March, so that the leap day comes last.
  private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month > 2 ? year : year - 1
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }
}
