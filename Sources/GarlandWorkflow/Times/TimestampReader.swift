import GarlandText

/// Reads a time from a text according to a format of the C function `strptime`.
struct TimestampReader {
  private var rest: ArraySlice<UInt8>
  private var year: Int?
  private var month: Int?
  private var day: Int?
  private var hour: Int?
  private var minute: Int?
  private var second: Int?
  private var nanosecond = 0
  private var isAfternoon: Bool?
  private var weekday: Int?
  /// The offset from UTC in seconds that the text contains; nil if the text contains no offset.
  private var offset: Int?
  private let rules: ZoneRules?
  private var seconds: Int?

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - text: the text to read.
  ///   - rules: the time zone that applies if the text contains no zone; nil for UTC.
  init(_ text: String, in rules: ZoneRules? = nil) {
    rest = Array(text.utf8)[...]
    self.rules = rules
  }

  /// Whether a format contains only supported directives, and enough of them to determine a time.
  static func isReadable(_ format: String) -> Bool {
    let directives = Self.directives(of: format)
    return directives.allSatisfy { "YymdeHIMSLfpaAbBFTsZz%".unicodeScalars.contains($0) }
      && directives.contains { "YyFs".unicodeScalars.contains($0) }
  }

  private static func directives(of format: String) -> [UnicodeScalar] {
    var result: [UnicodeScalar] = []
    var rest = format.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if scalar == "%" { result.append(rest.popFirst() ?? " ") }
    }
    return result
  }

  /// Reads the text. Returns whether the whole text has the given format.
  mutating func read(_ format: String) -> Bool { readPart(format) && skipSpaces() && rest.isEmpty }

  private mutating func readPart(_ format: String) -> Bool {
    var format = format.unicodeScalars[...]
    while let scalar = format.popFirst() {
      if scalar == "%", let directive = format.popFirst() {
        guard readDirective(directive) else { return false }
      } else if scalar == " " {
        guard skipSpaces() else { return false }
      } else {
        for byte in String(scalar).utf8 where rest.popFirst() != byte { return false }
      }
    }
    return true
  }

  private mutating func readDirective(_ directive: UnicodeScalar) -> Bool {
    switch directive {
    case "Y": return take(\.year, 4...4, in: 1700...2250)
    case "y":
      guard let number = digits(2...2) else { return false }
      year = number + (number < 69 ? 2000 : 1900)
      return true
    case "m": return take(\.month, 1...2, in: 1...12)
    case "d", "e":
      _ = skipSpaces()
      return take(\.day, 1...2, in: 1...31)
    case "H": return take(\.hour, 1...2, in: 0...23)
    case "I": return take(\.hour, 1...2, in: 1...12)
    case "M": return take(\.minute, 2...2, in: 0...59)
    case "S": return take(\.second, 2...2, in: 0...60)
    case "L": return takeFraction(1...3)
    case "f": return takeFraction(1...9)
    case "p":
      guard let half = word(of: [["am"], ["pm"]]) else { return false }
      isAfternoon = half == 1
      return true
    case "a", "A":
      weekday = word(of: CivilDate.weekdays.map { [$0.lowercased(), $0.prefix(3).lowercased()] })
      return weekday != nil
    case "b", "B":
      guard let found = word(of: CivilDate.months.map { [$0.lowercased(), $0.prefix(3).lowercased()] }) else { return false }
      month = found + 1
      return true
    case "F": return readPart("%Y-%m-%d")
    case "T": return readPart("%H:%M:%S")
    case "s": return take(\.seconds, 1...10, in: 0...8_800_000_000)
    case "z", "Z": return takeZone()
    case "%": return rest.popFirst() == UInt8(ascii: "%")
    default: return false
    }
  }

  /// The time that was read. Nil if the date does not exist, if the hour of a 12-hour time is not from 1 to 12, or if the text contains the
  /// wrong weekday.
  var time: Timestamp? {
    if let seconds {
      var time = Timestamp(nanoseconds: seconds * 1_000_000_000 + nanosecond, offset: offset ?? 0)
      if offset == nil, let rules { time.move(to: rules) }
      return time
    }
    let (month, day) = (month ?? 1, day ?? 1)
    guard let year, day <= CivilDate.days(in: month, of: year) else { return nil }
    let days = Timestamp.day(year, month, day)
    // 1970-01-01 was a Thursday.
    if let weekday, ((days + 4) % 7 + 7) % 7 != weekday { return nil }
    var hour = hour ?? 0
    if let isAfternoon {
      guard (1...12).contains(hour) else { return nil }
      hour = hour % 12 + (isAfternoon ? 12 : 0)
    }
    let clock = hour * 3600 + (minute ?? 0) * 60 + (second ?? 0)
    let offset = offset ?? rules?.offset(ofLocal: days * 86_400 + clock) ?? 0
    return Timestamp(nanoseconds: (days * 86_400 + clock - offset) * 1_000_000_000 + nanosecond, offset: offset)
  }

  // MARK: Parts

  private mutating func skipSpaces() -> Bool {
    rest = rest.drop(while: \.isBlank)
    return true
  }

  private mutating func digits(_ counts: ClosedRange<Int>) -> Int? {
    let found = rest.prefix(counts.upperBound).prefix(while: \.isDigit)
    guard counts.contains(found.count) else { return nil }
    rest = rest.dropFirst(found.count)
    return found.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  private mutating func take(_ part: WritableKeyPath<Self, Int?>, _ counts: ClosedRange<Int>, in values: ClosedRange<Int>) -> Bool {
    guard let number = digits(counts), values.contains(number) else { return false }
    self[keyPath: part] = number
    return true
  }

  private mutating func takeFraction(_ counts: ClosedRange<Int>) -> Bool {
    let before = rest.count
    guard var number = digits(counts) else { return false }
    for _ in before - rest.count..<9 { number *= 10 }
    nanosecond = number
    return true
  }

  /// Reads one of several words, ignoring case. Returns the index of the word in `words`; nil if the text begins with none of the words.
  /// Each word is a list of its spellings, the longest spelling first.
  private mutating func word(of words: [[String]]) -> Int? {
    for (index, spellings) in words.enumerated() {
      for spelling in spellings where rest.prefix(spelling.utf8.count).map({ $0 | 0x20 }) == Array(spelling.utf8) {
        rest = rest.dropFirst(spelling.utf8.count)
        return index
      }
    }
    return nil
  }

  /// The names of time zones that may occur in mail (RFC 5322, section 4.3), with their offsets in hours.
  private static let zones = [
    ("gmt", 0), ("utc", 0), ("ut", 0), ("est", -5), ("edt", -4), ("cst", -6), ("cdt", -5), ("mst", -7), ("mdt", -6), ("pst", -8),
    ("pdt", -7),
    ("z", 0),
  ]

  /// Reads a time zone, such as `+0200`, `+02:00`, `Z` or a name. Returns whether there is a time zone.
  private mutating func takeZone() -> Bool {
    if let index = word(of: Self.zones.map { [$0.0] }) {
      offset = Self.zones[index].1 * 3600
      return true
    }
    guard let sign = rest.popFirst(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), let hours = digits(2...2), hours < 24 else {
      return false
    }
    if rest.first == UInt8(ascii: ":") { rest = rest.dropFirst() }
    guard let minutes = digits(2...2), minutes < 60 else { return false }
    offset = (sign == UInt8(ascii: "-") ? -1 : 1) * (hours * 3600 + minutes * 60)
    return true
  }
}
