package import GarlandJSON

/// Reads times in the formats that servers use.
extension Timestamp {
  /// Reads a time in any usual format. Returns nil for any other value.
  ///
  /// The usual formats are RFC 3339, a date alone, and the formats of HTTP (RFC 9110, section 5.6.7) and of mail (RFC 5322, section 3.3).
  /// Seconds or milliseconds since 1970 are also read, from a number or from a text.
  package init?(reading value: JSONValue) {
    switch value {
    case .number(let number): self.init(since1970: number.doubleValue)
    case .string(let text):
      if let time = Timestamp(text) ?? Timestamp(digits: text) ?? Timestamp(internet: text) { self = time } else { return nil }
    default: return nil
    }
  }

  /// Reads a time in the given format. The format consists of directives of ``format(_:)``, or is `iso`, `http`, `unix` or `unix_ms`. A
  /// time without a zone is in UTC. Returns nil if the value does not have the format.
  package init?(reading value: JSONValue, format: String) { self.init(reading: value, format: format, in: nil) }

  init?(reading value: JSONValue, format: String, in rules: ZoneRules?) {
    switch (format, value) {
    case ("iso", .string(let text)): self.init(text)
    case ("http", .string(let text)): self.init(internet: text)
    case ("unix", _), ("unix_ms", _):
      guard let number = value.numberValue ?? value.stringValue.flatMap({ JSONNumber($0) }) else { return nil }
      self.init(seconds: format == "unix" ? number.doubleValue : number.doubleValue / 1000)
    case (_, .string(let text)): self.init(text, format: format, in: rules)
    default: return nil
    }
  }

  /// The smallest number that is read as milliseconds since 1970. Smaller numbers are read as seconds. As seconds, this number would be a
  /// time after the year 5000; as milliseconds, it is a time in 1973.
  private static let leastMilliseconds = 1e11

  /// Returns whether a number that represents a time since 1970 counts milliseconds. If not, it counts seconds.
  static func areMilliseconds(_ number: Double) -> Bool { abs(number) >= leastMilliseconds }

  private init?(since1970 number: Double) { self.init(seconds: Self.areMilliseconds(number) ? number / 1000 : number) }

  /// Reads a number of seconds or milliseconds since 1970 from a text. The text must begin with at least nine digits. A number with fewer
  /// digits may be a date without separators, such as `20261121`, and is not read.
  private init?(digits text: String) {
    guard text.utf8.prefix(while: { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }).count >= 9, let number = JSONNumber(text) else {
      return nil
    }
    self.init(since1970: number.doubleValue)
  }

  private static let internetFormats = [
    "%a, %d %b %Y %H:%M:%S %z", "%a, %d %b %Y %H:%M %z", "%d %b %Y %H:%M:%S %z", "%d %b %Y %H:%M %z", "%a, %d-%b-%y %H:%M:%S %z",
    "%a, %d-%b-%Y %H:%M:%S %z", "%a %b %d %H:%M:%S %Y",
  ]

  private init?(internet text: String) {
    // In mail, a comment may follow the zone.
    let text = text.hasSuffix(")") ? String(text[..<(text.lastIndex(of: "(") ?? text.endIndex)]) : text
    for format in Self.internetFormats {
      guard let time = Timestamp(text, format: format) else { continue }
      self = time
      return
    }
    return nil
  }

  /// Reads a time in a format of `strptime`. If the format contains no hour, minute or second, these are 0. If it contains no month or day,
  /// these are 1. Returns nil if the text does not have the format.
  init?(_ text: String, format: String, in rules: ZoneRules? = nil) {
    var reader = TimestampReader(text, in: rules)
    guard reader.read(format), let time = reader.time else { return nil }
    self = time
  }

  /// Whether ``init(reading:format:)`` supports the given format.
  static func isReadable(_ format: String) -> Bool {
    ["iso", "http", "unix", "unix_ms"].contains(format) || TimestampReader.isReadable(format)
  }
}
