import GarlandText

/// The length of a body as announced by `Content-Length` (RFC 9110, section 8.6).
enum AnnouncedLength: Sendable, Hashable {
  /// No length is announced.
  case unknown
  /// The announced length of the body in bytes.
  case bytes(Int64)
  /// The announced length is invalid. The associated value is the reason.
  case invalid(String)

  /// Combines all values of the field. The field may occur several times, and each value may be a list of numbers. If all numbers are
  /// equal, the length is this number. If two numbers differ, the length is invalid: the end of the body and the start of the next response
  /// are unknown (RFC 9112, section 6.3).
  init(_ values: [String]) {
    var numbers: [Substring] = []
    for value in values {
      for part in value.split(separator: ",", omittingEmptySubsequences: false) {
        let text = part.withoutBlanks
        guard !text.isEmpty, text.utf8.allSatisfy(\.isDigit) else {
          self = .invalid("its `Content-Length` is \"\(Self.shown(text))\", which is no number of bytes")
          return
        }
        var number = text
        while number.utf8.count > 1, number.utf8.first == UInt8(ascii: "0") { number.removeFirst() }
        if !numbers.contains(number) { numbers.append(number) }
      }
    }
    switch numbers.count {
    case 0: self = .unknown
    case 1:
      // A length that overflows must be neither treated as a different length nor ignored (RFC 9110, section 8.6).
      self =
        Int64(numbers[0]).map { .bytes($0) }
        ?? .invalid("its `Content-Length` is \"\(Self.shown(numbers[0]))\", more bytes than can be counted")
    default:
      let words = numbers.prefix(3).map { Self.shown($0) }.joined(separator: " and ")
      self = .invalid("it has several values for `Content-Length`, \(words): the end of its body is unknown")
    }
  }

  /// Returns the start of a `Content-Length` value for an error message. A control character, or a character outside of ASCII, is replaced
  /// by `?`.
  private static func shown(_ text: Substring) -> String {
    let characters = text.unicodeScalars.prefix(40).map { (0x20..<0x7F).contains($0.value) ? Character($0) : "?" }
    return String(characters) + (text.unicodeScalars.count > 40 ? "…" : "")
  }
}
