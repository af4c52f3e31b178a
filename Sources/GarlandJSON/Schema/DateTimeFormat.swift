import GarlandText

/// Checks dates and times of [RFC 3339](https://www.rfc-editor.org/rfc/rfc3339).
enum DateTimeFormat {
  static func isDateTime(_ text: String) -> Bool {
    let rest = text.utf8.dropFirst(10)
    guard let time = InternetTime(text), rest.first != UInt8(ascii: " ") else { return false }
    // A leap second can only be the last second of a day in UTC.
    return !rest.dropFirst(7).starts(with: "60".utf8) || time.seconds.isMultiple(of: 86_400)
  }

  static func isDate(_ text: String) -> Bool { text.utf8.count == 10 && InternetTime(text + "T00:00:00Z") != nil }

  static func isTime(_ text: String) -> Bool { isDateTime("1970-01-01T" + text) }

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
      let digits = rest.prefix(while: \.isDigit)
      rest = rest.dropFirst(digits.count)
      guard !digits.isEmpty, let unit = rest.popFirst(), let index = units.firstIndex(of: unit) else { return false }
      if let last, index != last + 1 { return false }
      last = index
    }
    return last != nil
  }
}
