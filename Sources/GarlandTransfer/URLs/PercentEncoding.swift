/// Percent-encoding (RFC 3986, section 2.1), and the sets of bytes that need no encoding in each
/// part of a URL.
public enum PercentEncoding {
  /// A set of ASCII bytes.
  public struct ByteSet: Sendable, Hashable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// Creates a set of the ASCII characters in a text; other characters are ignored.
    public init(_ members: String) { for byte in members.utf8 { insert(byte) } }

    mutating func insert(_ byte: UInt8) {
      if byte < 64 { low |= 1 << UInt64(byte) } else if byte < 128 { high |= 1 << UInt64(byte - 64) }
    }

    /// Returns the set of bytes that are in this set or in `other`.
    public func union(_ other: ByteSet) -> ByteSet {
      var result = self
      result.low |= other.low
      result.high |= other.high
      return result
    }

    /// Whether `byte` is in the set.
    public func contains(_ byte: UInt8) -> Bool {
      byte < 64 ? low >> UInt64(byte) & 1 == 1 : byte < 128 && high >> UInt64(byte - 64) & 1 == 1
    }
  }

  /// Letters, digits and `-._~`, which never need encoding.
  public static let unreserved = ByteSet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
  /// The bytes that need no encoding in a path segment.
  public static let pathSegment = unreserved.union(ByteSet("!$&'()*+,;=:@"))
  /// The bytes that need no encoding in a key or value of a query, as in Alamofire: the unreserved ones, and
  /// `?` and `/`, which RFC 3986 allows in a query.
  public static let queryComponent = unreserved.union(ByteSet("?/"))

  /// The bytes that need no encoding in user and password (RFC 3986, section 3.2.1), and `%`, which begins
  /// encoded bytes.
  static let userInfo = unreserved.union(ByteSet("!$&'()*+,;=:%"))
  /// All bytes that may occur in a URL.
  package static let legal = pathSegment.union(ByteSet("/?#[]%"))
  /// The bytes that RFC 3986 allows outside of the host, where brackets enclose an IPv6 address.
  private static let legalOutsideHost = pathSegment.union(ByteSet("/?#%"))
  private static let hex = Array("0123456789ABCDEF".utf8)

  /// Returns `text` in UTF-8 with every byte outside `allowed` encoded.
  public static func encode(_ text: String, keeping allowed: ByteSet = unreserved) -> String {
    if text.utf8.allSatisfy(allowed.contains) { return text }
    var output: [UInt8] = []
    append(text.utf8, to: &output, keeping: allowed)
    return String(decoding: output, as: UTF8.self)
  }

  /// Encodes bytes and appends them to `output`.
  static func append(_ bytes: some Sequence<UInt8>, to output: inout [UInt8], keeping allowed: ByteSet) {
    for byte in bytes {
      if allowed.contains(byte) {
        output.append(byte)
      } else {
        output.append(UInt8(ascii: "%"))
        output.append(hex[Int(byte >> 4)])
        output.append(hex[Int(byte & 15)])
      }
    }
  }

  /// Decodes `text` to bytes. A `%` that is not followed by two hexadecimal digits is kept.
  public static func decode(_ text: some StringProtocol) -> [UInt8] {
    var output: [UInt8] = []
    var bytes = Array(text.utf8)[...]
    while let byte = bytes.popFirst() {
      if byte == UInt8(ascii: "%"), bytes.count >= 2, let high = nibble(bytes[bytes.startIndex]),
        let low = nibble(bytes[bytes.startIndex + 1])
      {
        output.append(high << 4 | low)
        bytes = bytes.dropFirst(2)
      } else {
        output.append(byte)
      }
    }
    return output
  }

  /// Returns `text` with illegal bytes encoded; nil if it contains no illegal bytes. The host is left unchanged,
  /// since it has its own encoding.
  static func repaired(_ text: String) throws(URLReferenceError) -> String? {
    var needsRepair = false
    for byte in text.utf8 {
      if byte < 0x20 || byte == 0x7F { throw URLReferenceError(.controlCharacter, in: text) }
      if !legalOutsideHost.contains(byte) { needsRepair = true }
    }
    guard needsRepair else { return nil }
    let authority = authorityRange(of: text)
    var output: [UInt8] = []
    append(text[..<authority.lowerBound].utf8, to: &output, keeping: legalOutsideHost)
    output.append(contentsOf: text[authority].utf8)
    append(text[authority.upperBound...].utf8, to: &output, keeping: legalOutsideHost)
    return String(decoding: output, as: UTF8.self)
  }

  private static func authorityRange(of text: String) -> Range<String.Index> {
    var scanner = URLScanner(text)
    _ = scanner.scheme()
    guard let authority = scanner.authority() else { return text.startIndex..<text.startIndex }
    return authority.startIndex..<authority.endIndex
  }

  static func nibble(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
