import GarlandDiagnostics
import GarlandText

/// Converts a file's bytes to valid UTF-8 for libyaml.
enum SourceDecoding {
  /// Detects the encoding of the bytes, and converts UTF-16 to UTF-8. After an error, adds a diagnostic to `diagnostics` and returns nil.
  static func decode(
    name: String, bytes: [UInt8], limits: YAMLLimits, into diagnostics: inout DiagnosticList
  ) -> SourceFile? {
    guard bytes.count <= limits.fileSize else {
      reportSize(name: name, count: bytes.count, limits: limits, into: &diagnostics)
      return nil
    }
    if bytes.starts(with: [0xFF, 0xFE, 0, 0]) || bytes.starts(with: [0, 0, 0xFE, 0xFF]) {
      diagnostics.report(
        Diagnostic(.invalidEncoding, "`\(name)` is UTF-32", at: nil).help("save the file as UTF-8"))
      return nil
    }
    // Without a mark, a zero byte next to the first character reveals UTF-16: in YAML, that
    // character is nearly always ASCII.
    let bigEndian: Bool
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.count >= 2 && bytes[0] == 0 && bytes[1] != 0 {
      bigEndian = true
    } else if bytes.starts(with: [0xFF, 0xFE]) || bytes.count >= 2 && bytes[0] != 0 && bytes[1] == 0 {
      bigEndian = false
    } else {
      return SourceFile(name: name, bytes: bytes)
    }
    return transcode(name: name, bytes: bytes, bigEndian: bigEndian, into: &diagnostics)
  }

  private static func transcode(name: String, bytes: [UInt8], bigEndian: Bool, into diagnostics: inout DiagnosticList) -> SourceFile? {
    func unit(_ index: Int) -> UInt16 {
      bigEndian ? UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1]) : UInt16(bytes[index + 1]) << 8 | UInt16(bytes[index])
    }
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count / 2)
    var index = 0
    if bytes.count >= 2, unit(0) == 0xFEFF { index = 2 }
    var broken = bytes.count % 2 != 0
    while index + 1 < bytes.count {
      var scalar = Unicode.Scalar(unit(index))
      if scalar == nil, unit(index) < 0xDC00, index + 3 < bytes.count, 0xDC00...0xDFFF ~= unit(index + 2) {
        scalar = Unicode.Scalar(0x10000 + (UInt32(unit(index)) - 0xD800) << 10 + (UInt32(unit(index + 2)) - 0xDC00))
        index += 2
      }
      guard let scalar else {
        broken = true
        break
      }
      output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      index += 2
    }
    let file = SourceFile(name: name, bytes: output)
    guard broken else { return file }
    diagnostics.report(
      Diagnostic(
        .invalidEncoding, "broken UTF-16 at byte \(min(index, bytes.count - 1))", at: SourceRange(file, output.count..<output.count),
        label: "the text breaks off here"
      ).help("save the file as UTF-8"))
    return nil
  }

  /// Returns whether the text consists only of characters that YAML allows. If not, reports the first invalid character.
  static func validate(_ file: SourceFile, limits: YAMLLimits, into diagnostics: inout DiagnosticList) -> Bool {
    guard file.bytes.count <= limits.fileSize else {
      reportSize(name: file.name, count: file.bytes.count, limits: limits, into: &diagnostics)
      return false
    }
    guard let (offset, problem) = file.bytes.withUnsafeBufferPointer(firstProblem) else { return true }
    // A binary file may begin with another invalid byte, but a NUL byte shows more clearly that the file is binary.
    if let null = file.bytes.prefix(1024).firstIndex(of: 0) {
      diagnostics.report(
        Diagnostic(.binaryFile, "`\(file.name)` is a binary file, not a YAML text", at: nil).note("byte \(null) is NUL"))
      return false
    }
    switch problem {
    case .encoding(let length):
      diagnostics.report(
        Diagnostic(
          .invalidEncoding, "the text is not UTF-8: byte \(Hex.padded(file.bytes[offset], uppercase: true)) is not allowed here",
          at: SourceRange(file, offset..<offset + length)
        ).help("save the file as UTF-8"))
    case .character(0, _):
      // Report no position, since the position of the first NUL in a binary file helps no user.
      diagnostics.report(
        Diagnostic(.binaryFile, "`\(file.name)` is a binary file, not a YAML text", at: nil)
          .note("byte \(offset) is NUL"))
    case .character(let value, let length):
      diagnostics.report(
        Diagnostic(
          .invalidEncoding, "character U+\(Hex.padded(value, to: 4, uppercase: true)) is not allowed in YAML",
          at: SourceRange(file, offset..<offset + length)
        ).help("in double quotes it can be written as `\(escape(value))`"))
    }
    return false
  }

  private static func reportSize(name: String, count: Int, limits: YAMLLimits, into diagnostics: inout DiagnosticList) {
    diagnostics.report(
      Diagnostic(.fileTooLarge, "`\(name)` has \(count) bytes; the limit is \(limits.fileSize)", at: nil)
        .help("split it into several files and connect them with `use` or `call`"))
  }

  private enum Problem {
    /// Bytes that are not UTF-8, with the length of the invalid sequence.
    case encoding(Int)
    /// A character that YAML does not allow, with its length.
    case character(UInt32, Int)
  }

  /// Returns the first invalid character or byte sequence, with its offset; nil if the text is valid. YAML 1.2.2, section 5.1, allows
  /// printable characters only, and a byte order mark only at the start.
  private static func firstProblem(_ bytes: UnsafeBufferPointer<UInt8>) -> (Int, Problem)? {
    var offset = bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF ? 3 : 0
    let count = bytes.count
    let raw = UnsafeRawBufferPointer(bytes)
    while offset < count {
      // Nearly all bytes are printable ASCII and line feeds; this loop checks eight at a time.
      while offset + 8 <= count, isPrintable(raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) { offset += 8 }
      guard offset < count else { break }
      let lead = bytes[offset]
      if lead < 0x80 {
        if lead < 0x20 && lead != 0x0A && lead != 0x0D && lead != 0x09 || lead == 0x7F { return (offset, .character(UInt32(lead), 1)) }
        offset += 1
        continue
      }
      let length: Int
      let lowest: UInt32
      switch lead {
      case 0xC2...0xDF: (length, lowest) = (2, 0x80)
      case 0xE0...0xEF: (length, lowest) = (3, 0x800)
      case 0xF0...0xF4: (length, lowest) = (4, 0x10000)
      default: return (offset, .encoding(1))
      }
      var value = UInt32(lead) & (0x7F >> UInt32(length))
      for next in 1..<length {
        guard offset + next < count, bytes[offset + next] & 0xC0 == 0x80 else { return (offset, .encoding(next)) }
        value = value << 6 | UInt32(bytes[offset + next] & 0x3F)
      }
      guard value >= lowest, value <= 0x10FFFF, !(0xD800...0xDFFF).contains(value) else { return (offset, .encoding(length)) }
      if value < 0xA0 && value != 0x85 || value == 0xFEFF || value == 0xFFFE || value == 0xFFFF {
        return (offset, .character(value, length))
      }
      offset += length
    }
    return nil
  }

  /// Whether all eight bytes of `word` are printable ASCII or line feeds.
  private static func isPrintable(_ word: UInt64) -> Bool {
    let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
    let high = ~low
    // The highest bit of each byte marks a control character, a line feed, or DEL: no sum carries
    // into the next byte.
    let control = ~((word & low) + 0x6060_6060_6060_6060) & high
    let feed = ~(((word ^ 0x0A0A_0A0A_0A0A_0A0A) & low) + low) & high
    let delete = ~(((word ^ low) & low) + low) & high
    return word & high == 0 && (control & ~feed) | delete == 0
  }

  private static func escape(_ value: UInt32) -> String {
    (value < 0x100 ? "\\x" : "\\u") + Hex.padded(value, to: value < 0x100 ? 2 : 4, uppercase: true)
  }
}

/// Limits of parsing a document. The defaults permit a document of 100,000 steps.
public struct YAMLLimits: Sendable, Hashable {
  /// The maximum number of bytes in a file. Default: 64 MiB.
  public var fileSize: Int
  /// The maximum nesting depth of collections. Default: 100.
  public var depth: Int
  /// The maximum number of nodes that aliases and merge keys may add. A node counts each time it is repeated. Default: one million. If ten
  /// times the number of nodes that are written in the document is larger, that number is the maximum instead.
  public var expandedNodes: Int
  /// The number of errors after which parsing stops. Default: 500.
  public var errors: Int

  /// Creates limits; each has a default.
  public init(fileSize: Int = 64 << 20, depth: Int = 100, expandedNodes: Int = 1_000_000, errors: Int = 500) {
    self.fileSize = fileSize
    self.depth = depth
    self.expandedNodes = expandedNodes
    self.errors = errors
  }
}
