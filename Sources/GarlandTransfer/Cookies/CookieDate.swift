import GarlandText

/// Reads the dates of cookies, which have many formats (RFC 6265, section 5.1.1).
enum CookieDate {
  /// Returns the seconds since 1970; nil if the text is not a date.
  static func parse(_ text: String) -> Int64? {
    var time: (Int, Int, Int)?
    var day: Int?
    var month: Int?
    var year: Int?
    for token in text[...].utf8.split(whereSeparator: isDelimiter) {
      if time == nil, let found = Self.time(token) {
        time = found
      } else if day == nil, let found = number(token, digits: 1...2) {
        day = found
      } else if month == nil, let found = Self.month(token) {
        month = found
      } else if year == nil, let found = number(token, digits: 2...4) {
        year = found
      }
    }
    guard let (hour, minute, second) = time, let day, let month, var year else { return nil }
    if (70...99).contains(year) { year += 1900 } else if (0...69).contains(year) { year += 2000 }
    guard day >= 1, day <= CivilDate.days(in: month, of: year), year >= 1601, hour <= 23, minute <= 59, second <= 59 else {
      return nil
    }
    return CivilDate.days(year: year, month: month, day: day) * 86400 + Int64(hour * 3600 + minute * 60 + second)
  }

  private static func isDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
  }

  /// Parses a time: `1*2DIGIT ":" 1*2DIGIT ":" 1*2DIGIT`, followed by anything that does not begin with a digit. Returns hours, minutes and
  /// seconds; nil if the token is not a time.
  private static func time(_ token: Substring.UTF8View.SubSequence) -> (Int, Int, Int)? {
    let fields = token.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard fields.count == 3, let hour = number(fields[0], digits: 1...2, isWhole: true),
      let minute = number(fields[1], digits: 1...2, isWhole: true), let second = number(fields[2], digits: 1...2)
    else { return nil }
    return (hour, minute, second)
  }

  private static func number(_ token: Substring.UTF8View.SubSequence, digits: ClosedRange<Int>, isWhole: Bool = false) -> Int? {
    var value = 0
    var count = 0
    for byte in token {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else {
        if isWhole { return nil }
        break
      }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
      count += 1
      if count > digits.upperBound { return nil }
    }
    return digits.contains(count) ? value : nil
  }

  private static func month(_ token: Substring.UTF8View.SubSequence) -> Int? {
    HTTPDate.month(String(Substring(token.prefix(3))).lowercased())
  }
}
