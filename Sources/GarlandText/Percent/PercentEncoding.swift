/// Percent-encoding (RFC 3986, section 2.1), and the sets of bytes that need no encoding in each
/// part of a URL.
public enum PercentEncoding {
  /// A set of ASCII bytes.
  public struct ByteSet: Sendable, Hashable {
    @usableFromInline var low: UInt64 = 0
    @usableFromInline var high: UInt64 = 0

    /// Creates a set of the ASCII characters in a text; other characters are ignored.
    public init(_ members: String) { self.init(members.utf8) }

    /// Creates a set of the ASCII bytes among the given ones; other bytes are ignored.
    package init(_ bytes: some Sequence<UInt8>) {
      for byte in bytes where byte < 128 {
        if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
      }
    }

    /// Whether the set has no bytes.
    package var isEmpty: Bool { low | high == 0 }

    /// Returns the set of bytes that are in this set or in `other`.
    public func union(_ other: ByteSet) -> ByteSet {
      var result = self
      result.low |= other.low
      result.high |= other.high
      return result
    }

    /// Returns the set of bytes that are in this set and in `other`.
    package func intersection(_ other: ByteSet) -> ByteSet {
      var result = self
      result.low &= other.low
      result.high &= other.high
      return result
    }

    /// Whether `byte` is in the set.
    @inlinable public func contains(_ byte: UInt8) -> Bool {
      byte < 64 ? low >> UInt64(byte) & 1 == 1 : byte < 128 && high >> UInt64(byte - 64) & 1 == 1
    }
  }

  private static let alphanumeric = ByteSet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
  /// Letters, digits and `-._~`, which never need encoding.
  public static let unreserved = alphanumeric.union(ByteSet("-._~"))
  /// The bytes that need no encoding in the name of a file that is safe on every system.
  package static let fileName = alphanumeric.union(ByteSet("-._"))
  /// The bytes that need no encoding in a name or value of a form, and the space, which ``form(_:)`` replaces by `+`.
  private static let formValue = alphanumeric.union(ByteSet("*-._ "))
  /// The bytes that need no encoding in a path segment.
  public static let pathSegment = unreserved.union(ByteSet("!$&'()*+,;=:@"))
  /// The bytes that need no encoding in the path of a file: the ``unreserved`` bytes and `/`. The byte `:` is encoded, since it could be
  /// read as the end of a URL scheme.
  package static let filePath = unreserved.union(ByteSet("/"))
  /// The bytes that need no encoding in a key or value of a query, as in Alamofire: the unreserved bytes, and `?` and `/`, which RFC 3986
  /// allows in a query.
  public static let queryComponent = unreserved.union(ByteSet("?/"))
  /// The bytes that need no encoding in a fragment (RFC 3986, section 3.5).
  package static let fragment = pathSegment.union(ByteSet("/?"))
  /// The bytes that need no encoding in user and password (RFC 3986, section 3.2.1), and `%`, which begins
  /// encoded bytes.
  package static let userInfo = unreserved.union(ByteSet("!$&'()*+,;=:%"))
  /// All bytes that may occur in a URL, including `%` and the delimiters.
  package static let legal = pathSegment.union(ByteSet("/?#[]%"))

  // MARK: Encoding

  /// Returns `text` in UTF-8 with every byte outside `allowed` encoded.
  public static func encode(_ text: String, keeping allowed: ByteSet = unreserved) -> String {
    var plain = text
    guard !plain.withUTF8({ $0.allSatisfy(allowed.contains) }) else { return text }
    var output: [UInt8] = []
    append(text, to: &output, keeping: allowed)
    return String(decoding: output, as: UTF8.self)
  }

  /// Encodes the UTF-8 of `text` and appends it to `output`.
  package static func append(_ text: String, to output: inout [UInt8], keeping allowed: ByteSet) {
    var text = text
    text.withUTF8 { append($0, to: &output, keeping: allowed) }
  }

  /// Encodes `bytes` and appends them to `output`.
  package static func append(_ bytes: UnsafeBufferPointer<UInt8>, to output: inout [UInt8], keeping allowed: ByteSet) {
    for byte in bytes {
      if allowed.contains(byte) {
        output.append(byte)
      } else {
        output.append(UInt8(ascii: "%"))
        output.append(Hex.digit(byte >> 4, uppercase: true))
        output.append(Hex.digit(byte & 15, uppercase: true))
      }
    }
  }

  /// Returns `bytes` as text, with every byte outside `allowed` encoded.
  package static func encode(_ bytes: [UInt8], keeping allowed: ByteSet = unreserved) -> String {
    var output: [UInt8] = []
    bytes.withUnsafeBufferPointer { append($0, to: &output, keeping: allowed) }
    return String(decoding: output, as: UTF8.self)
  }

  /// Returns a name or value of a form as browsers encode it: `application/x-www-form-urlencoded` (URL Standard, section 5.2).
  package static func form(_ text: String) -> String {
    var output: [UInt8] = []
    append(text, to: &output, keeping: formValue)
    for index in output.indices where output[index] == UInt8(ascii: " ") { output[index] = UInt8(ascii: "+") }
    return String(decoding: output, as: UTF8.self)
  }

  // MARK: Decoding

  /// Decodes `text` to bytes. A `%` that is not followed by two hexadecimal digits is kept.
  public static func decode(_ text: some StringProtocol) -> [UInt8] { decode(Array(text.utf8)) }

  /// Decodes `text` to bytes. A `%` that is not followed by two hexadecimal digits is kept.
  ///
  /// - Parameter plusIsSpace: Whether `+` means a space, as in forms.
  package static func decode(_ text: [UInt8], plusIsSpace: Bool = false) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      let byte = text[index]
      if byte == UInt8(ascii: "%"), index + 2 < text.count, let high = Hex.value(text[index + 1]), let low = Hex.value(text[index + 2]) {
        output.append(high << 4 | low)
        index += 3
      } else {
        output.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
        index += 1
      }
    }
    return output
  }

  /// Decodes percent-encoded text. Bytes that are not UTF-8 become U+FFFD.
  package static func text(decoding text: some StringProtocol, plusIsSpace: Bool = false) -> String {
    String(decoding: decode(Array(text.utf8), plusIsSpace: plusIsSpace), as: UTF8.self)
  }

  /// Decodes percent-encoded text. Returns nil if the decoded bytes are not UTF-8.
  package static func text(validating text: some StringProtocol, plusIsSpace: Bool = false) -> String? {
    String(validating: decode(Array(text.utf8), plusIsSpace: plusIsSpace), as: UTF8.self)
  }

  /// Decodes percent-encoded text. Returns nil if a `%` is not followed by two hexadecimal digits, or if the decoded bytes are not UTF-8.
  package static func strictText(decoding text: String, plusIsSpace: Bool = false) -> String? {
    let parts = text.utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false).dropFirst()
    guard parts.allSatisfy({ $0.count >= 2 && $0.prefix(2).allSatisfy(\.isHexDigit) }) else { return nil }
    return Self.text(validating: text, plusIsSpace: plusIsSpace)
  }
}
