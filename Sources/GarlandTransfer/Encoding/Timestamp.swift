import GarlandJSON

/// Reads and writes points in time as text (RFC 3339).
package enum Timestamp {
  /// Returns a text such as `2026-11-21T05:00:00Z`, truncated to whole seconds.
  package static func text(secondsSince1970 seconds: Double) -> String {
    guard seconds.isFinite, abs(seconds) < 1e14 else { return "\(seconds)" }
    let whole = Int64(seconds.rounded(.down))
    let days = whole >= 0 ? whole / 86400 : (whole - 86399) / 86400
    let rest = Int(whole - days * 86400)
    let (year, month, day) = CivilDate.date(days)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let digits = String(abs(year))
    let padded = (year < 0 ? "-" : "") + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    return "\(padded)-\(two(month))-\(two(day))T\(two(rest / 3600)):\(two(rest / 60 % 60)):\(two(rest % 60))Z"
  }

  /// Parses a text such as `2026-11-21T06:00:00.25+01:00`. Returns the seconds since 1970; nil if the text
  /// is invalid.
  package static func parse(_ text: String) -> Double? {
    var rest = text.utf8[...]
    func digits(_ count: Int) -> Int? {
      guard rest.count >= count else { return nil }
      var value = 0
      for byte in rest.prefix(count) {
        guard (0x30...0x39).contains(byte) else { return nil }
        value = value * 10 + Int(byte - 0x30)
      }
      rest = rest.dropFirst(count)
      return value
    }
    func take(_ bytes: String) -> Bool {
      guard let byte = rest.first, bytes.utf8.contains(byte) else { return false }
      rest = rest.dropFirst()
      return true
    }
    guard let year = digits(4), take("-"), let month = digits(2), take("-"), let day = digits(2), take("Tt "), let hour = digits(2),
      take(":"),
      let minute = digits(2), take(":"), let second = digits(2)
    else { return nil }
    guard (1...12).contains(month), (1...31).contains(day), hour <= 23, minute <= 59, second <= 60 else { return nil }
    let days = CivilDate.days(year: year, month: month, day: day)
    // The 31st of a month with 30 days would become the first of the next.
    guard CivilDate.date(days) == (year, month, day) else { return nil }
    var fraction = 0.0
    if take(".") {
      var scale = 0.1
      guard let first = rest.first, (0x30...0x39).contains(first) else { return nil }
      while let digit = digits(1) {
        fraction += Double(digit) * scale
        scale /= 10
      }
    }
    var offset = 0
    if !take("Zz") {
      guard let sign = rest.first, take("+-"), let hours = digits(2), take(":"), let minutes = digits(2), hours <= 23, minutes <= 59 else {
        return nil
      }
      offset = (hours * 3600 + minutes * 60) * (sign == UInt8(ascii: "-") ? -1 : 1)
    }
    guard rest.isEmpty else { return nil }
    return Double(days * 86400 + Int64(hour * 3600 + minute * 60 + second - offset)) + fraction
  }
}
