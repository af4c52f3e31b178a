import GarlandYAML

/// A status code or a range of status codes in `expect.status`, such as `200`, `2xx` or `200..299`.
public struct StatusPattern: Sendable, Hashable {
  /// The range of status codes that match.
  public let codes: ClosedRange<Int>

  init(_ codes: ClosedRange<Int>) { self.codes = codes }

  /// Whether a status code matches the pattern.
  public func matches(_ status: Int) -> Bool { codes.contains(status) }
  /// Whether the pattern matches at least one status code of a redirect (3xx).
  public var admitsRedirects: Bool { codes.overlaps(300...399) }

  /// Reads a status code of three digits, such as `404`, from 100 to 599. Returns nil for any other node. Most patterns are such a status
  /// code, so this function creates no string.
  static func code(of node: YAMLNode) -> StatusPattern? {
    guard node.isScalar, !node.isNull else { return nil }
    var code = 0
    let isPlain = node.hasText { text in
      guard text.count == 3, text[0] >= UInt8(ascii: "1"), text[0] <= UInt8(ascii: "5") else { return false }
      for digit in text {
        guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return false }
        code = code * 10 + Int(digit - UInt8(ascii: "0"))
      }
      return true
    }
    return isPlain ? StatusPattern(code...code) : nil
  }
}
