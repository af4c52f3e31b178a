import GarlandText

/// Parses a list of challenges (RFC 9110, section 11.6.1), in which commas separate both challenges
/// and their parameters.
struct ChallengeParser {
  private let bytes: [UInt8]
  private var index = 0

  init(_ value: String) { bytes = Array(value.utf8) }

  mutating func parse() -> [AuthenticationChallenge] {
    var challenges: [AuthenticationChallenge] = []
    while true {
      skip { $0 == UInt8(ascii: ",") || $0.isBlank }
      if index == bytes.count { return challenges }
      let word = take(while: HTTPToken.contains)
      if word.isEmpty {
        skipToComma()
        continue
      }
      let afterWord = index
      skip(\.isBlank)
      if peek == UInt8(ascii: "="), !challenges.isEmpty, let value = parameterValue() {
        challenges[challenges.count - 1].parameters.append(.init(name: word, value: value))
        continue
      }
      var challenge = AuthenticationChallenge(scheme: word)
      index = afterWord
      if let byte = peek, byte.isBlank {
        skip(\.isBlank)
        challenge.token = token68()
      } else if peek != nil, peek != UInt8(ascii: ",") {
        skipToComma()
        continue
      }
      challenges.append(challenge)
    }
  }

  private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  /// Returns the value after the equals sign at the current position. If the value is missing, returns nil and consumes nothing.
  private mutating func parameterValue() -> String? {
    let start = index
    index += 1
    skip(\.isBlank)
    if peek == UInt8(ascii: "\"") { return quoted() }
    let value = take { $0 != UInt8(ascii: ",") && !$0.isBlank && $0 != UInt8(ascii: "\"") }
    if value.isEmpty { index = start }
    return value.isEmpty ? nil : value
  }

  private mutating func quoted() -> String {
    index += 1
    var value: [UInt8] = []
    while let byte = peek, byte != UInt8(ascii: "\"") {
      index += 1
      if byte == UInt8(ascii: "\\"), let next = peek {
        value.append(next)
        index += 1
      } else {
        value.append(byte)
      }
    }
    if peek != nil { index += 1 }
    return String(decoding: value, as: UTF8.self)
  }

  /// Returns the base64-like data before the next comma. If anything else precedes the comma, returns nil and
  /// consumes nothing.
  private mutating func token68() -> String? {
    let start = index
    var token = take(while: Self.isToken68Byte)
    let padding = take { $0 == UInt8(ascii: "=") }
    skip(\.isBlank)
    if !token.isEmpty, peek == nil || peek == UInt8(ascii: ",") {
      token += padding
      return token
    }
    index = start
    return nil
  }

  private mutating func take(while isWanted: (UInt8) -> Bool) -> String {
    let start = index
    skip(isWanted)
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func skip(_ isSkipped: (UInt8) -> Bool) { while let byte = peek, isSkipped(byte) { index += 1 } }

  private mutating func skipToComma() {
    while let byte = peek, byte != UInt8(ascii: ",") {
      if byte == UInt8(ascii: "\"") { _ = quoted() } else { index += 1 }
    }
  }

  private static func isToken68Byte(_ byte: UInt8) -> Bool { byte.isLetterOrDigit || "-._~+/".utf8.contains(byte) }
}
