/// Checks dates and times of [RFC 3339](https://www.rfc-editor.org/rfc/rfc3339).
enum DateTimeFormat {
  static func isDateTime(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count > 11, bytes[10] | 0x20 == UInt8(ascii: "t") else { return false }
    return isDate(bytes[..<10]) && isTime(bytes[11...])
  }

  static func isDate(_ text: String) -> Bool { isDate(Array(text.utf8)[...]) }

  static func isTime(_ text: String) -> Bool { isTime(Array(text.utf8)[...]) }

  /// Converts digits to a number; returns nil if there is any other character.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard !bytes.isEmpty, bytes.allSatisfy(NumberSyntax.isDigit) else { return nil }
    return bytes.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  private static func isDate(_ bytes: ArraySlice<UInt8>) -> Bool {
    let start = bytes.startIndex
    guard bytes.count == 10, bytes[start + 4] == UInt8(ascii: "-"), bytes[start + 7] == UInt8(ascii: "-"),
      let year = number(bytes[start..<start + 4]), let month = number(bytes[start + 5..<start + 7]),
      let day = number(bytes[start + 8..<start + 10]),
      (1...12).contains(month)
    else { return false }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return day >= 1 && day <= days[month - 1]
  }

  private static func isTime(_ bytes: ArraySlice<UInt8>) -> Bool {
    let start = bytes.startIndex
    guard bytes.count >= 9, bytes[start + 2] == UInt8(ascii: ":"), bytes[start + 5] == UInt8(ascii: ":"),
      let hour = number(bytes[start..<start + 2]), let minute = number(bytes[start + 3..<start + 5]),
      let second = number(bytes[start + 6..<start + 8]),
      hour < 24, minute < 60, second <= 60
    else { return false }
    var rest = bytes[(start + 8)...]
    if rest.first == UInt8(ascii: ".") {
      let fraction = rest.dropFirst().prefix(while: NumberSyntax.isDigit)
      guard !fraction.isEmpty else { return false }
      rest = rest.dropFirst(fraction.count + 1)
    }
    guard let offset = offsetInMinutes(rest) else { return false }
    guard second == 60 else { return true }
    // A leap second can only be the last second of a day in UTC.
    let utc = ((hour * 60 + minute - offset) % 1440 + 1440) % 1440
    return utc == 1439
  }

  private static func offsetInMinutes(_ bytes: ArraySlice<UInt8>) -> Int? {
    if bytes.count == 1, let letter = bytes.first, letter | 0x20 == UInt8(ascii: "z") { return 0 }
    let start = bytes.startIndex
    guard bytes.count == 6, bytes[start] == UInt8(ascii: "+") || bytes[start] == UInt8(ascii: "-"), bytes[start + 3] == UInt8(ascii: ":"),
      let hours = number(bytes[start + 1..<start + 3]), let minutes = number(bytes[start + 4..<start + 6]), hours < 24, minutes < 60
    else { return nil }
    return (bytes[start] == UInt8(ascii: "-") ? -1 : 1) * (hours * 60 + minutes)
  }

  /// Whether a text is a duration as defined in RFC 3339, appendix A: its units are in order, without gaps between them; weeks cannot be
  /// combined with other units.
  static func isDuration(_ text: String) -> Bool {
    var rest = Array(text.utf8)[...]
    guard rest.popFirst() == UInt8(ascii: "P"), !rest.isEmpty else { return false }
    let parts = rest.split(separator: UInt8(ascii: "T"), maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2 {
      guard !parts[1].isEmpty, isSequence(parts[1], of: "HMS") else { return false }
      return parts[0].isEmpty || isSequence(parts[0], of: "YMD")
    }
    return isSequence(parts[0], of: "W") || isSequence(parts[0], of: "YMD")
  }

  private static func isSequence(_ bytes: ArraySlice<UInt8>, of units: String) -> Bool {
    let units = Array(units.utf8)
    var rest = bytes
    var last: Int?
    while !rest.isEmpty {
      let digits = rest.prefix(while: NumberSyntax.isDigit)
      rest = rest.dropFirst(digits.count)
      guard !digits.isEmpty, let unit = rest.popFirst(), let index = units.firstIndex(of: unit) else { return false }
      if let last, index != last + 1 { return false }
      last = index
    }
    return last != nil
  }
}
