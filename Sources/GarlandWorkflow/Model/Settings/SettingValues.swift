import GarlandDiagnostics
public import GarlandJSON
import GarlandText

extension Bool: SettingValue {
  /// The required form of a boolean, for error messages.
  public static var expectation: String { "`true` or `false`" }
  /// Reads a boolean, or the text `true` or `false`.
  public static func read(_ value: JSONValue) throws(SettingMistake) -> Bool {
    switch value {
    case .bool(let value): return value
    case .string("true"): return true
    case .string("false"): return false
    default: throw SettingMistake.unexpected(value, instead: expectation, suggestion: word(value.stringValue ?? value.jsonText()))
    }
  }

  /// Returns the text `true` or `false` for a word that means true or false in YAML 1.1 or in everyday language, such as `yes`, `off` or
  /// `1`. Returns nil for any other word.
  static func word(_ text: String) -> String? {
    switch text.lowercased() {
    case "yes", "on", "y", "true", "1": "true"
    case "no", "off", "n", "false", "0": "false"
    default: nil
    }
  }
}

extension Int: SettingValue {
  /// The required form of an integer, for error messages.
  public static var expectation: String { "a whole number" }
  /// Reads an integer, or a text that consists of an integer, such as `"30"`.
  public static func read(_ value: JSONValue) throws(SettingMistake) -> Int {
    switch value {
    case .number(let number): if let value = number.intValue { return value }
    case .string(let text): if let value = JSONNumber(text)?.intValue { return value }
    default: break
    }
    throw SettingMistake.unexpected(value, instead: expectation, suggestion: value.stringValue.flatMap(plainNumber))
  }

  /// Returns the decimal form of an integer in the notation of another language or of YAML 1.1, such as `03`, `0x10`, `0o17`, `1_000` or
  /// `+3`. Returns nil for any other text.
  static func plainNumber(_ text: String) -> String? {
    let plain = text.replacing("_", with: "")
    let digits = plain.hasPrefix("+") ? String(plain.dropFirst()) : plain
    let radixes: [(String, Int)] = [("0x", 16), ("0X", 16), ("0o", 8), ("0O", 8), ("0b", 2), ("0B", 2)]
    for (prefix, radix) in radixes where digits.hasPrefix(prefix) { return Int(digits.dropFirst(2), radix: radix).map { "\($0)" } }
    return Int(digits).map { "\($0)" }
  }
}

extension Double: SettingValue {
  /// The required form of a number, for error messages.
  public static var expectation: String { "a number" }
  /// Reads a number, or a text that consists of a number, such as `"1.5"`.
  public static func read(_ value: JSONValue) throws(SettingMistake) -> Double {
    switch value {
    case .number(let number): return number.doubleValue
    case .string(let text): if let value = JSONNumber(text) { return value.doubleValue }
    default: break
    }
    throw SettingMistake.unexpected(value, instead: expectation)
  }
}

extension String: SettingValue {
  /// The required form of a text, for error messages.
  public static var expectation: String { "text" }
  /// Reads a text. A number or boolean is converted to text in the form in which it is written.
  public static func read(_ value: JSONValue) throws(SettingMistake) -> String {
    switch value {
    case .string(let text): return text
    case .number(let number): return number.text
    case .bool(let value): return value ? "true" : "false"
    default: throw SettingMistake.unexpected(value, instead: expectation)
    }
  }
}

extension Duration: SettingValue {
  /// The required form of a duration, for error messages.
  public static var expectation: String { "a duration such as `30s`" }
  /// Reads a duration, which is a number with a unit.
  public static func read(_ value: JSONValue) throws(SettingMistake) -> Duration {
    if case .string(let text) = value, let duration = Duration(workflowText: text) { return duration }
    let durations = SettingMistake.durations(value)
    throw SettingMistake.unexpected(
      value, instead: expectation,
      suggestions: durations.isEmpty ? value.stringValue.flatMap { Duration.shortened($0) }.map { [$0] } ?? [] : durations)
  }
}

extension Duration {
  /// Returns a duration in Garland's notation, such as `90s`. The text may have the notation of everyday language, YAML 1.1, ISO 8601 or
  /// Go, such as `500 ms`, `1 minute`, `1:30`, `PT30S` or `1m30s`. Returns nil for any other text.
  static func shortened(_ text: String) -> String? {
    let parts = text.split(separator: ":").map { Int($0) }
    if parts.count == 2 || parts.count == 3, parts.allSatisfy({ ($0 ?? -1) >= 0 && ($0 ?? 0) < 10_000 }) {
      return "\(parts.reduce(0) { $0 * 60 + ($1 ?? 0) })s"
    }
    if let parts = components(text) { return parts }
    let number = text.prefix { $0.isNumber || $0 == "." }
    let unit = text.dropFirst(number.count).drop { $0 == " " }.lowercased()
    let short: String
    switch unit {
    case "ms", "msec", "msecs", "millis", "millisecond", "milliseconds": short = "ms"
    case "s", "sec", "secs", "second", "seconds": short = "s"
    case "m", "min", "mins", "minute", "minutes": short = "m"
    case "h", "hr", "hrs", "hour", "hours": short = "h"
    case "d", "day", "days": short = "d"
    default: return nil
    }
    return Duration(workflowText: number + short) == nil ? nil : number + short
  }

  /// Converts a duration of [ISO 8601](https://www.rfc-editor.org/rfc/rfc3339#appendix-A), or a duration of several numbers with units, to
  /// one number with a unit. Returns nil for any other text, and for months and years.
  private static func components(_ text: String) -> String? {
    var rest = text.lowercased()[...]
    let isISO = rest.hasPrefix("p")
    var isTime = !isISO
    if isISO { rest = rest.dropFirst() }
    var parts: [(number: Substring, unit: Character, seconds: Int)] = []
    while !rest.isEmpty {
      if isISO, !isTime, rest.hasPrefix("t") {
        isTime = true
        rest = rest.dropFirst()
      }
      let number = rest.prefix { $0.isNumber || $0 == "." }
      let unit = rest.dropFirst(number.count).prefix { $0.isLetter && $0 != "t" }
      guard !number.isEmpty, unit.count == 1, let letter = unit.first else { return nil }
      switch (letter, isTime) {
      case ("d", _): parts.append((number, letter, 86_400))
      case ("w", false): parts.append((number, letter, 604_800))
      case ("h", true): parts.append((number, letter, 3_600))
      case ("m", true): parts.append((number, letter, 60))
      case ("s", true): parts.append((number, letter, 1))
      default: return nil
      }
      rest = rest.dropFirst(number.count + 1)
    }
    if let only = parts.first, parts.count == 1, only.unit != "w" {
      let short = "\(only.number)\(only.unit)"
      return isISO && Duration(workflowText: short) != nil ? short : nil
    }
    var total = 0
    for part in parts {
      guard let number = Int(part.number), number < 100_000 else { return nil }
      total += number * part.seconds
    }
    return parts.isEmpty ? nil : "\(total)s"
  }
}

extension ByteSize: SettingValue {
  /// The required form of a size, for error messages.
  public static var expectation: String { "a size such as `10KB` or `5MiB`" }
  /// Reads a size, which is a number of bytes, or a number with a unit.
  public static func read(_ value: JSONValue) throws(SettingMistake) -> ByteSize {
    if case .string(let text) = value, let size = ByteSize(text) { return size }
    throw SettingMistake.unexpected(value, instead: expectation, suggestion: SettingMistake.quantity(value, unit: "B"))
  }
}

extension ByteCount: SettingValue {
  /// The required form of a number of bytes, for error messages.
  public static var expectation: String { "a number of bytes such as `1024` or `5MiB`" }
  /// Reads a non-negative integer, or a size with a unit.
  public static func read(_ value: JSONValue) throws(SettingMistake) -> ByteCount {
    if case .string(let text) = value, let size = ByteSize(text) { return ByteCount(bytes: Int64(size.bytes)) }
    guard let count = try? Int.read(value), count >= 0 else { throw SettingMistake.unexpected(value, instead: expectation) }
    return ByteCount(bytes: Int64(count))
  }
}

extension HTTPVersionSetting: SettingValue {
  /// The required form of an HTTP version, for error messages.
  public static var expectation: String { "the HTTP version `1.1` or `2`" }
  /// Reads an HTTP version from a number or a text.
  public static func read(_ value: JSONValue) throws(SettingMistake) -> HTTPVersionSetting {
    switch value {
    case .number(let number):
      if let version = HTTPVersionSetting(rawValue: number.text) { return version }
      if number == 2 { return .http2 }
    case .string(let text):
      if let version = HTTPVersionSetting(rawValue: text) { return version }
    default: break
    }
    throw SettingMistake.unexpected(value, instead: expectation)
  }
}

extension CompressionSetting: SettingValue {
  /// The required form of a compression setting, for error messages.
  public static var expectation: String { "`gzip` or `deflate`" }
  /// Reads the name of a compression format.
  public static func read(_ value: JSONValue) throws(SettingMistake) -> CompressionSetting {
    if case .string(let text) = value, let compression = CompressionSetting(rawValue: text) { return compression }
    throw SettingMistake.unexpected(value, instead: expectation)
  }
}

extension TLSVersionSetting: SettingValue {
  /// The required form of a TLS version, for error messages.
  public static var expectation: String { "a version of TLS: `1.0`, `1.1`, `1.2` or `1.3`" }
  /// Reads a TLS version from a number or a text.
  public static func read(_ value: JSONValue) throws(SettingMistake) -> TLSVersionSetting {
    switch value {
    case .number(let number):
      if let version = TLSVersionSetting.allCases.first(where: { JSONNumber($0.rawValue) == number }) { return version }
    case .string(let text): if let version = TLSVersionSetting(rawValue: text) { return version }
    default: break
    }
    throw SettingMistake.unexpected(value, instead: expectation)
  }
}

extension CookieJarSetting: SettingValue {
  /// The required form of a cookie jar setting, for error messages.
  public static var expectation: String { "`shared`, `none` or the path of a cookie file" }
  /// Reads the word `shared` or `none`, or the path of a cookie file.
  public static func read(_ value: JSONValue) throws(SettingMistake) -> CookieJarSetting {
    switch value {
    case .string("shared"): return .shared
    case .string("none"): return .none
    case .string(let path) where !path.isEmpty: return .file(path)
    default: throw SettingMistake.unexpected(value, instead: expectation)
    }
  }
}

extension CachePolicySetting: SettingValue {
  /// The required form of a cache policy, for error messages.
  public static var expectation: String { "`protocol`, `reload`, `else_load` or `only`" }
  /// Reads the name of a cache policy.
  public static func read(_ value: JSONValue) throws(SettingMistake) -> CachePolicySetting {
    guard case .string(let text) = value else { throw SettingMistake.unexpected(value, instead: expectation) }
    if let policy = CachePolicySetting(rawValue: text) { return policy }
    guard let near = Suggestion.nearest(to: text, in: allCases.map(\.rawValue)) else {
      throw SettingMistake.unexpected(value, instead: expectation)
    }
    throw SettingMistake("there is no policy named `\(Words.excerpt(text))`", suggestion: near)
  }
}

extension StatusPattern: SettingValue {
  /// The required form of a status code or pattern, for error messages.
  public static var expectation: String { "a status such as `200`, `2xx` or `200..299`" }
  /// Reads a status code from a number, or a pattern such as `2xx` from a text.
  public static func read(_ value: JSONValue) throws(SettingMistake) -> StatusPattern {
    switch value {
    case .number(let number):
      guard let code = number.intValue else { break }
      return StatusPattern(try valid(code, value)...code)
    case .string(let text):
      let bytes = Array(text.utf8)
      if bytes.count == 3, let class_ = digit(bytes[0]), isX(bytes[1]), isX(bytes[2]) {
        let first = try valid(class_ * 100, value)
        return StatusPattern(first...first + 99)
      }
      if let dots = range(in: text) {
        let low = try valid(dots.low, value)
        let high = try valid(dots.high, value)
        guard low <= high else { throw SettingMistake("the range `\(text)` ends before it starts", suggestion: "\(high)..\(low)") }
        return StatusPattern(low...high)
      }
      if let code = JSONNumber(text)?.intValue { return StatusPattern(try valid(code, value)...code) }
      throw SettingMistake.unexpected(value, instead: expectation, suggestion: suggestion(text))
    default: break
    }
    throw SettingMistake.unexpected(value, instead: expectation)
  }

  /// Returns the pattern that the author of an invalid status pattern probably meant: `404` for `Not Found`, a list for `200 || 201`, and a
  /// range for `200-299`. Returns nil if there is no such pattern.
  private static func suggestion(_ text: String) -> String? {
    let codes = text.replacing("||", with: ",").replacing(" or ", with: ",").split(separator: ",").map { part in
      Int(part.filter { $0 != " " })
    }
    if codes.count > 1, codes.allSatisfy({ (100...599).contains($0 ?? 0) }) {
      return "[\(codes.map { "\($0 ?? 0)" }.joined(separator: ", "))]"
    }
    let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0.filter { $0 != " " }) }
    if ends.count == 2, let low = ends[0], let high = ends[1], 100...599 ~= low, 100...599 ~= high { return "\(low)..\(high)" }
    // RFC 9110 has renamed 422.
    let other = ["success": 200, "unprocessableentity": 422][text.lowercased().filter(\.isLetter)]
    return (other ?? StatusPhrase.status(of: text)).map { "\($0)" }
  }

  private static func digit(_ byte: UInt8) -> Int? {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") ? Int(byte - UInt8(ascii: "0")) : nil
  }

  private static func isX(_ byte: UInt8) -> Bool { byte | 0x20 == UInt8(ascii: "x") }

  private static func range(in text: String) -> (low: Int, high: Int)? {
    let parts = text.split(separator: "..", omittingEmptySubsequences: false)
    guard parts.count == 2, let low = JSONNumber(String(parts[0]))?.intValue, let high = JSONNumber(String(parts[1]))?.intValue else {
      return nil
    }
    return (low, high)
  }

  private static func valid(_ code: Int, _ value: JSONValue) throws(SettingMistake) -> Int {
    guard (100...599).contains(code) else { throw SettingMistake("no response has the status \(code); statuses go from 100 to 599") }
    return code
  }
}

extension MediaTypePattern: SettingValue {
  /// The required form of a media type, for error messages.
  public static var expectation: String { "a media type such as `application/json` or `text/*`" }
  /// Reads a media type, which may contain `*`.
  public static func read(_ value: JSONValue) throws(SettingMistake) -> MediaTypePattern {
    guard case .string(let text) = value, let pattern = MediaTypePattern(text) else {
      let short = [
        "json": "application/json", "xml": "application/xml", "html": "text/html", "text": "text/plain", "csv": "text/csv",
        "form": "application/x-www-form-urlencoded", "pdf": "application/pdf", "png": "image/png", "jpeg": "image/jpeg",
        "jpg": "image/jpeg",
      ]
      throw SettingMistake.unexpected(value, instead: expectation, suggestion: value.stringValue.flatMap { short[$0.lowercased()] })
    }
    return pattern
  }
}

extension DigestText: SettingValue {
  /// The required form of a digest, for error messages.
  public static var expectation: String { "64 hexadecimal digits, or `{file: PATH}`" }
  /// Reads a digest from its hexadecimal digits.
  public static func read(_ value: JSONValue) throws(SettingMistake) -> DigestText {
    let text: String
    switch value {
    case .string(let string): text = string
    case .number(let number): text = number.text
    default: throw SettingMistake.unexpected(value, instead: expectation)
    }
    guard text.utf8.count == 64, text.utf8.allSatisfy(\.isHexDigit) else {
      throw SettingMistake.unexpected(value, instead: expectation)
    }
    return DigestText(hex: text.lowercased())
  }
}

extension BytesText: SettingValue {
  /// The maximum number of bytes that `first_bytes` can contain.
  package static let most = 64
  /// The required form of a byte sequence, for error messages.
  public static var expectation: String { "at most \(most) bytes in hexadecimal, two digits for each byte, such as `89504e47`" }
  /// Reads a byte sequence. Each byte is written as two hexadecimal digits, with optional spaces between bytes.
  public static func read(_ value: JSONValue) throws(SettingMistake) -> BytesText {
    guard case .string(let text) = value else {
      // In YAML, a text of digits, or of digits with an `e`, is a number. `00` and `1e05` would not keep their form as numbers, so the text
      // as written is used.
      let written = value.numberValue.map(\.text)
      let isQuotable = written.map { (try? read(.string($0))) != nil } ?? false
      throw SettingMistake.unexpected(value, instead: expectation, suggestion: isQuotable ? written.map { "'\($0)'" } : nil)
    }
    let groups = text.utf8.split(separator: UInt8(ascii: " "))
    let hex = groups.joined()
    guard !hex.isEmpty, hex.count <= 2 * most, groups.allSatisfy({ $0.count.isMultiple(of: 2) }), hex.allSatisfy(\.isHexDigit)
    else {
      throw SettingMistake.unexpected(value, instead: expectation)
    }
    return BytesText(hex: String(decoding: Array(hex), as: UTF8.self).lowercased())
  }
}

/// The rules for using stored responses, from the key `cache.policy:`.
public enum CachePolicySetting: String, Sendable, Hashable, CaseIterable {
  /// Follows the rules of HTTP: a fresh stored response is used, and a stale response is validated first. This is the default.
  case `protocol`
  /// Always sends the request, even if a response is stored.
  case reload
  /// Uses a stored response of any age. If no response is stored, sends the request.
  case elseLoad = "else_load"
  /// Uses a stored response of any age. If no response is stored, the step fails without sending a request.
  case only
}
