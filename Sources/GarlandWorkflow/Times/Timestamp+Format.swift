import GarlandText

extension Timestamp {
  /// The time in the format of RFC 3339. It includes milliseconds, unless the number of seconds is an integer.
  package var iso: String {
    let parts = parts
    var text = format("%Y-%m-%dT%H:%M:%S") ?? ""
    if parts.nanosecond != 0 { text += "." + Timestamp.pad(parts.nanosecond / 1_000_000, 3) }
    return text + (offset == 0 ? "Z" : zone(separator: ":"))
  }

  /// The time in the format of HTTP header fields (RFC 9110, section 5.6.7).
  var http: String { HTTPDate.text(Int64(seconds)) }

  /// Formats the time with the directives of `strftime`, and with `%L` for milliseconds. Returns nil if the pattern contains an unknown
  /// directive.
  func format(_ pattern: String) -> String? {
    let parts = parts
    var result = ""
    var rest = pattern.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "%" else {
        result.unicodeScalars.append(scalar)
        continue
      }
      guard let directive = rest.popFirst(), let text = self.text(of: directive, parts) else { return nil }
      result += text
    }
    return result
  }

  private func text(of directive: UnicodeScalar, _ parts: Parts) -> String? {
    switch directive {
    case "Y": String(parts.year)
    case "y": Timestamp.pad(parts.year % 100, 2)
    case "m": Timestamp.pad(parts.month, 2)
    case "d": Timestamp.pad(parts.day, 2)
    case "e": parts.day < 10 ? " \(parts.day)" : String(parts.day)
    case "H": Timestamp.pad(parts.hour, 2)
    case "I": Timestamp.pad((parts.hour + 11) % 12 + 1, 2)
    case "M": Timestamp.pad(parts.minute, 2)
    case "S": Timestamp.pad(parts.second, 2)
    case "L": Timestamp.pad(parts.nanosecond / 1_000_000, 3)
    case "f": Timestamp.pad(parts.nanosecond / 1000, 6)
    case "p": parts.hour < 12 ? "AM" : "PM"
    case "j": Timestamp.pad(parts.dayOfYear, 3)
    case "a": String(CivilDate.weekdays[parts.weekday].prefix(3))
    case "A": CivilDate.weekdays[parts.weekday]
    case "b": String(CivilDate.months[parts.month - 1].prefix(3))
    case "B": CivilDate.months[parts.month - 1]
    case "u": String(parts.weekday == 0 ? 7 : parts.weekday)
    case "F": format("%Y-%m-%d")
    case "T": format("%H:%M:%S")
    case "s": String(seconds)
    case "z": zone(separator: "")
    case "Z": zoneName ?? (offset == 0 ? "UTC" : zone(separator: ":"))
    case "%": "%"
    default: nil
    }
  }

  /// The whole seconds since 1970, rounded down.
  var seconds: Int { (nanoseconds - ((nanoseconds % 1_000_000_000) + 1_000_000_000) % 1_000_000_000) / 1_000_000_000 }

  private func zone(separator: String) -> String {
    let minutes = abs(offset) / 60
    return (offset < 0 ? "-" : "+") + Timestamp.pad(minutes / 60, 2) + separator + Timestamp.pad(minutes % 60, 2)
  }

  private static func pad(_ value: Int, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
