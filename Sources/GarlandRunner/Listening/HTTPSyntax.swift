import GarlandText

/// The parts of HTTP's grammar that occur in the head of a request (RFC 9110, section 5.6, and RFC 9112, section 3).
enum HTTPSyntax {
  /// Parses an HTTP version such as `HTTP/1.1`. Returns nil for any other text.
  static func version(_ bytes: ArraySlice<UInt8>) -> (major: Int, minor: Int)? {
    guard bytes.starts(with: "HTTP/".utf8) else { return nil }
    let rest = Array(bytes.dropFirst(5))
    guard rest.count == 3, rest[1] == UInt8(ascii: "."), let major = number(rest[..<1]), let minor = number(rest[2...]) else { return nil }
    return (major, minor)
  }

  /// Returns the path and query of a request target. The target may be a path, `*`, or an absolute URL as in requests to a proxy. Returns
  /// nil for any other target.
  static func originForm(_ bytes: ArraySlice<UInt8>) -> String? {
    guard !bytes.isEmpty, bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "#") }) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    if text.hasPrefix("/") || text == "*" { return text }
    let lowered = text.lowercased()
    guard lowered.hasPrefix("http://") || lowered.hasPrefix("https://"), let end = text.utf8.firstIndex(of: UInt8(ascii: ":")) else {
      return nil
    }
    let rest = text[text.utf8.index(end, offsetBy: 3)...]
    guard let start = rest.firstIndex(where: { $0 == "/" || $0 == "?" }) else { return "/" }
    return rest[start] == "?" ? "/" + rest[start...] : String(rest[start...])
  }

  /// Returns the bytes without leading and trailing spaces and tabs.
  static func trimmed(_ bytes: some BidirectionalCollection<UInt8>) -> [UInt8] {
    Array(bytes.drop(while: \.isBlank).reversed().drop(while: \.isBlank).reversed())
  }

  static func number(_ text: String) -> Int? { number(Array(text.utf8)) }

  /// Parses a number that consists only of digits. Returns nil for any other text, and if the number is too large.
  static func number(_ digits: some Collection<UInt8>, radix: Int = 10) -> Int? {
    guard !digits.isEmpty, digits.drop(while: { $0 == UInt8(ascii: "0") }).count <= 15 else { return nil }
    var value = 0
    for byte in digits {
      guard let digit = Hex.value(byte), digit < radix else { return nil }
      value = value * radix + Int(digit)
    }
    return value
  }
}
