import GarlandJSON
import Glibc

/// Finds a tag with so many attributes that libxml2 would compare them for seconds, during which no time limit could stop it.
///
/// Like libxml2, the scanner skips comments, CDATA sections, processing instructions and, in HTML, scripts and styles.
struct TagScanner {
  /// The maximum number of attributes of a tag. libxml2 compares the names of all attributes with each other, which takes about ten
  /// milliseconds for this number.
  static let mostAttributes = 10_000

  private let bytes: UnsafeRawBufferPointer
  private let isHTML: Bool
  /// The number of bytes of an ASCII character in the document's encoding, such as 2 in UTF-16. All of these bytes are zero except the byte
  /// with the index ``place``.
  private let width: Int
  private let place: Int
  private let count: Int
  private let computation = Computation.current

  init(_ bytes: UnsafeRawBufferPointer, charset: String?, isHTML: Bool) {
    self.bytes = bytes
    self.isHTML = isHTML
    (width, place) = Self.layout(bytes, charset?.lowercased() ?? "")
    count = bytes.count / width
  }

  /// Returns how an ASCII character is encoded in the document: the number of its bytes, and the index of the byte with the ASCII code. All
  /// other bytes of the character are zero. For UTF-32 in big-endian order, the results are 4 and 3.
  ///
  /// UTF-16 and UTF-32 are detected by the name `charset`, by the byte order mark or by the zeros around the first character (XML 1.0,
  /// appendix F).
  private static func layout(_ bytes: UnsafeRawBufferPointer, _ charset: String) -> (width: Int, place: Int) {
    let start = Array(bytes.prefix(4))
    let zeros = start.map { $0 == 0 }
    if charset.hasPrefix("utf-32") || charset.hasPrefix("ucs-4") || start.filter({ $0 == 0 }).count == 3
      || zeros == [true, true, false, false]
    {
      return (4, charset.hasSuffix("le") || start.starts(with: [0xFF, 0xFE]) || zeros.first == false ? 0 : 3)
    }
    if start.starts(with: [0xFF, 0xFE]) || charset == "utf-16le" { return (2, 0) }
    if start.starts(with: [0xFE, 0xFF]) || charset == "utf-16be" { return (2, 1) }
    if zeros.count == 4, zeros.contains(true) || charset.hasPrefix("utf-16") { return (2, zeros[0] ? 1 : 0) }
    return (1, 0)
  }

  /// Returns the first tag with too many attributes; nil if there is no such tag.
  func crowdedTag() -> (name: String, line: Int)? {
    // Each attribute needs at least a space and a letter.
    guard count > 2 * Self.mostAttributes else { return nil }
    var index = 0
    while true {
      index = next(UInt8(ascii: "<"), from: index)
      guard index < count else { return nil }
      let start = index
      if matches("!--", index + 1) {
        index = end(of: "-->", from: index + 4)
      } else if !isHTML, matches("![CDATA[", index + 1) {
        index = end(of: "]]>", from: index + 9)
      } else if unit(index + 1) == UInt8(ascii: "?") {
        index = end(of: isHTML ? ">" : "?>", from: index + 2)
      } else if Self.beginsName(unit(index + 1)) {
        guard let tag = passTag(&index) else { return (name(at: start + 1), line(of: start)) }
        if isHTML, ["script", "style"].contains(tag) { index = end(of: "</\(tag)", from: index) }
      } else {
        index += 1
      }
      if let computation, computation.isOver(after: index - start) { return nil }
    }
  }

  /// Skips a tag and returns its name; nil if the tag has too many attributes.
  private func passTag(_ index: inout Int) -> String? {
    let name = name(at: index + 1)
    index += 1 + name.utf8.count
    var attributes = 0
    var isOpen = false
    var isValue = false
    while index < count {
      let unit = unit(index)
      index += 1
      switch unit {
      case UInt8(ascii: ">"): return name.lowercased()
      case 0x09, 0x0A, 0x0D, 0x20, UInt8(ascii: "/"): isOpen = false
      case UInt8(ascii: "="): (isValue, isOpen) = (true, false)
      case UInt8(ascii: "\"") where isValue, UInt8(ascii: "'") where isValue:
        index = next(unit, from: index) + 1
        (isValue, isOpen) = (false, false)
      default:
        guard !isOpen else { continue }
        isOpen = true
        if isValue { isValue = false } else { attributes += 1 }
        if attributes > Self.mostAttributes { return nil }
      }
    }
    return name.lowercased()
  }

  // MARK: Characters

  /// Returns the character at an index: an ASCII character, 0x80 for any other, and 0 after the end.
  private func unit(_ index: Int) -> UInt8 {
    guard index < count else { return 0 }
    if width == 1 { return bytes[index] }
    for offset in 0..<width where offset != place && bytes[index * width + offset] != 0 { return 0x80 }
    return bytes[index * width + place]
  }

  /// Returns the next index of an ASCII character, or the end index if it does not occur.
  private func next(_ character: UInt8, from start: Int) -> Int {
    guard start < count else { return count }
    if width == 1 {
      guard let base = bytes.baseAddress, let found = memchr(base + start, Int32(character), count - start) else { return count }
      return base.distance(to: UnsafeRawPointer(found))
    }
    var index = start
    while index < count, unit(index) != character {
      if let computation, computation.isOver() { return count }
      index += 1
    }
    return index
  }

  private func matches(_ text: String, _ index: Int) -> Bool {
    var index = index
    for byte in text.utf8 {
      guard unit(index) | (isHTML ? 0x20 : 0) == byte | (isHTML ? 0x20 : 0) else { return false }
      index += 1
    }
    return true
  }

  /// Returns the index after the next occurrence of a text, or the end index if it does not occur.
  private func end(of text: String, from start: Int) -> Int {
    guard let first = text.utf8.first else { return start }
    var index = next(first, from: start)
    while index < count {
      if matches(text, index) { return index + text.utf8.count }
      if let computation, computation.isOver() { return count }
      index = next(first, from: index + 1)
    }
    return count
  }

  private static func beginsName(_ unit: UInt8) -> Bool {
    unit >= 0x80 || unit == UInt8(ascii: "_") || unit == UInt8(ascii: ":")
      || (unit | 0x20 >= UInt8(ascii: "a") && unit | 0x20 <= UInt8(ascii: "z"))
  }

  private func name(at start: Int) -> String {
    var name: [UInt8] = []
    var index = start
    while index < count, name.count < 80, ![0x09, 0x0A, 0x0D, 0x20, UInt8(ascii: "/"), UInt8(ascii: ">")].contains(unit(index)) {
      name.append(unit(index))
      index += 1
    }
    return String(decoding: name, as: UTF8.self)
  }

  private func line(of index: Int) -> Int { 1 + (0..<index).count { unit($0) == 0x0A } }
}
