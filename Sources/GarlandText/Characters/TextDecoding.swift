import Glibc

/// Decodes bytes by the name of their character set (RFC 2978). Common character sets are decoded by this
/// type, all others by the C library. A byte order mark is not part of the text.
package enum TextDecoding {
  /// The reason why bytes cannot be decoded.
  package enum Problem: Error, Equatable {
    /// The character set is unknown.
    case unknown
    /// The bytes are invalid in the character set.
    case invalid
    /// The number of bytes is odd, although UTF-16 has two bytes for each unit.
    case oddCount
    /// The time limit of the caller was reached.
    case outOfTime
  }

  /// Returns the `charset` of a media type in lower case; nil if the media type has none.
  package static func charset(of type: String) -> String? {
    for parameter in type.split(separator: ";").dropFirst() {
      let parts = parameter.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, parts[0].withoutBlanks.lowercased() == "charset" else { continue }
      var value = parts[1].withoutBlanks
      if value.hasPrefix("\""), value.hasSuffix("\""), value.utf8.count >= 2 { value = value.dropFirst().dropLast() }
      return value.isEmpty ? nil : value.lowercased()
    }
    return nil
  }

  /// Decodes bytes.
  ///
  /// - Parameters:
  ///   - charset: The character set, in upper or lower case.
  ///   - isComplete: Whether the bytes are the whole text. If false, an incomplete character at the end of the bytes is ignored.
  ///   - isOver: Returns whether the time limit of the caller is reached. This closure is called for each character of a long text.
  package static func text(
    of bytes: [UInt8], charset: String, isComplete: Bool = true, until isOver: () -> Bool = { false }
  ) -> Result<String, Problem> {
    switch charset.lowercased() {
    case "utf-8", "utf8": utf8(bytes, isComplete)
    case "us-ascii", "ascii": bytes.allSatisfy { $0 < 0x80 } ? .success(String(decoding: bytes, as: UTF8.self)) : .failure(.invalid)
    case "iso-8859-1", "iso8859-1", "latin1", "l1": byteByByte(bytes, isOver) { Unicode.Scalar($0) }
    case "windows-1252", "cp1252": byteByByte(bytes, isOver, windows1252)
    case "utf-16", "utf-16be": utf16(bytes, isLittleEndian: false, isComplete, isOver)
    case "utf-16le": utf16(bytes, isLittleEndian: true, isComplete, isOver)
    case let name: convert(bytes, from: name, isComplete, isOver)
    }
  }

  private static func utf8(_ bytes: [UInt8], _ isComplete: Bool) -> Result<String, Problem> {
    var rest = bytes[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    if let text = String(validating: rest, as: UTF8.self) { return .success(text) }
    guard !isComplete else { return .failure(.invalid) }
    for _ in 0..<3 where !rest.isEmpty {
      rest.removeLast()
      if let text = String(validating: rest, as: UTF8.self) { return .success(text) }
    }
    return .failure(.invalid)
  }

  private static func byteByByte(
    _ bytes: [UInt8], _ isOver: () -> Bool, _ scalar: (UInt8) -> Unicode.Scalar
  ) -> Result<String, Problem> {
    if bytes.allSatisfy({ $0 < 0x80 }) { return .success(String(decoding: bytes, as: UTF8.self)) }
    var text = String.UnicodeScalarView()
    for byte in bytes {
      if isOver() { return .failure(.outOfTime) }
      text.append(scalar(byte))
    }
    return .success(String(text))
  }

  /// The characters for the 32 bytes where windows-1252 differs from ISO 8859-1
  /// (https://encoding.spec.whatwg.org/index-windows-1252.txt).
  private static let windowsSpecials: [UInt16] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D, 0x8F,
    0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
  ]

  private static func windows1252(_ byte: UInt8) -> Unicode.Scalar {
    guard (0x80..<0xA0).contains(byte) else { return Unicode.Scalar(byte) }
    return Unicode.Scalar(windowsSpecials[Int(byte - 0x80)]) ?? Unicode.Scalar(byte)
  }

  /// Decodes UTF-16. Without a byte order mark it is big-endian (RFC 2781, section 3.3).
  private static func utf16(
    _ bytes: [UInt8], isLittleEndian: Bool, _ isComplete: Bool, _ isOver: () -> Bool
  ) -> Result<String, Problem> {
    var rest = bytes[...]
    var isLittle = isLittleEndian
    if rest.starts(with: [0xFF, 0xFE]) {
      isLittle = true
      rest = rest.dropFirst(2)
    } else if rest.starts(with: [0xFE, 0xFF]) {
      isLittle = false
      rest = rest.dropFirst(2)
    }
    if !rest.count.isMultiple(of: 2) {
      guard !isComplete else { return .failure(.oddCount) }
      rest.removeLast()
    }
    var units: [UInt16] = []
    units.reserveCapacity(rest.count / 2)
    for index in stride(from: rest.startIndex, to: rest.endIndex, by: 2) {
      if isOver() { return .failure(.outOfTime) }
      units.append(isLittle ? UInt16(rest[index + 1]) << 8 | UInt16(rest[index]) : UInt16(rest[index]) << 8 | UInt16(rest[index + 1]))
    }
    if !isComplete, let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
    return String(validating: units, as: UTF16.self).map { .success($0) } ?? .failure(.invalid)
  }

  /// The number of bytes that the C library converts in one call.
  private static let pieceSize = 16 << 10

  private static func convert(
    _ bytes: [UInt8], from name: String, _ isComplete: Bool, _ isOver: () -> Bool
  ) -> Result<String, Problem> {
    // The name may come from a server. It is passed to the library only if all its characters can occur in names, so that it contains none
    // of the library's options, which begin with `//`.
    let isName = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "+"):
        true
      default: false
      }
    }
    guard isName, !name.isEmpty, let descriptor = iconv_open("UTF-8", name), descriptor != iconv_t(bitPattern: -1) else {
      return .failure(.unknown)
    }
    defer { iconv_close(descriptor) }
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count * 2)
    let problem = bytes.withUnsafeBytes { input -> Problem? in
      // The library only reads from this pointer.
      var next = UnsafeMutablePointer(mutating: input.bindMemory(to: CChar.self).baseAddress)
      var left = input.count
      return withUnsafeTemporaryAllocation(of: CChar.self, capacity: pieceSize) { piece in
        while left > 0 {
          if isOver() { return .outOfTime }
          var target = piece.baseAddress
          var room = piece.count
          let status = iconv(descriptor, &next, &left, &target, &room)
          let problem = status == -1 ? errno : 0
          output.append(contentsOf: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(piece)[..<(piece.count - room)]))
          switch problem {
          case 0, E2BIG: continue
          // A character is cut off at the end.
          case EINVAL: return isComplete ? .invalid : nil
          default: return .invalid
          }
        }
        return nil
      }
    }
    return problem.map { .failure($0) } ?? utf8(output, isComplete)
  }
}
