import GarlandText

/// A `Content-Range` value (RFC 9110, section 14.4).
enum ContentRange: Sendable, Hashable {
  /// A range such as `bytes 2-9/10`. `length` is the length of the whole resource; nil if it is unknown.
  case range(first: Int64, last: Int64, length: Int64?)
  /// A range that cannot be satisfied, such as `bytes */10`.
  case unsatisfied(length: Int64)

  /// Parses the value of a `Content-Range` field. Returns nil if the value is invalid or its unit is not bytes.
  init?(_ field: String) {
    let parts = field.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
    let sides = parts[1].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard sides.count == 2 else { return nil }
    let length = Self.number(sides[1])
    if sides[0] == "*" {
      guard let length else { return nil }
      self = .unsatisfied(length: length)
      return
    }
    let bounds = sides[0].split(separator: "-", omittingEmptySubsequences: false)
    guard bounds.count == 2, let first = Self.number(bounds[0]), let last = Self.number(bounds[1]), first <= last else { return nil }
    guard length != nil || sides[1] == "*", last < length ?? .max else { return nil }
    self = .range(first: first, last: last, length: length)
  }

  private static func number(_ text: Substring) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy(\.isDigit) else { return nil }
    return Int64(text)
  }
}
