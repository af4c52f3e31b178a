import GarlandText

/// Writes values as JSON text into bytes.
///
/// ```swift
/// var bytes: [UInt8] = []
/// JSONPrinter(options: .pretty).print(value, into: &bytes)
/// ```
///
/// Numbers keep their text. Strings escape only the characters that [RFC 8259
/// §7](https://www.rfc-editor.org/rfc/rfc8259#section-7) requires.
public struct JSONPrinter: Sendable {
  private let sortsKeys: Bool
  private let escapesNonASCII: Bool
  /// The number of spaces for each level of nesting; nil for compact text.
  private let indentation: Int?

  /// Creates a printer with these options.
  public init(options: JSONPrintingOptions = .compact) {
    sortsKeys = options.sortsKeys
    escapesNonASCII = options.escapesNonASCII
    indentation =
      switch options.layout {
      case .compact: nil
      case .indented(let spaces): max(0, spaces)
      }
  }

  /// Appends the JSON text of a value.
  public func print(_ value: JSONValue, into bytes: inout [UInt8]) {
    var writer = ByteWriter(capacity: 256)
    print(value, level: 0, into: &writer)
    append(writer, to: &bytes)
  }

  /// Appends the JSON text of a string, including its quotes.
  public func print(_ string: String, into bytes: inout [UInt8]) {
    var writer = ByteWriter(capacity: string.utf8.count + 2)
    print(string, into: &writer)
    append(writer, to: &bytes)
  }

  private func append(_ writer: borrowing ByteWriter, to bytes: inout [UInt8]) {
    let written = writer.bytes
    guard bytes.count + written.count <= bytes.capacity || Computation.hasRoom(for: bytes.count * 2 + written.count) else { return }
    bytes.append(contentsOf: written)
  }

  private func print(_ value: JSONValue, level: Int, into writer: inout ByteWriter) {
    switch value {
    case .null: writer.append("null" as StaticString)
    case .bool(true): writer.append("true" as StaticString)
    case .bool(false): writer.append("false" as StaticString)
    case .number(let number):
      switch number.storage {
      case .integer(let value): writer.append(value)
      case .text(let text): writer.append(text)
      }
    case .string(let string): print(string, into: &writer)
    case .array(let elements): print(elements, level: level, into: &writer)
    case .object(let object): print(sortsKeys ? object.sortedByKey() : object, level: level, into: &writer)
    }
  }

  private func print(_ elements: [JSONValue], level: Int, into writer: inout ByteWriter) {
    writer.append(UInt8(ascii: "["))
    var isFirst = true
    for element in elements {
      separate(isFirst: isFirst, level: level + 1, in: &writer)
      isFirst = false
      print(element, level: level + 1, into: &writer)
    }
    if !isFirst { breakLine(level: level, in: &writer) }
    writer.append(UInt8(ascii: "]"))
  }

  private func print(_ object: JSONObject, level: Int, into writer: inout ByteWriter) {
    writer.append(UInt8(ascii: "{"))
    var isFirst = true
    for member in object.members {
      separate(isFirst: isFirst, level: level + 1, in: &writer)
      isFirst = false
      print(member.key, into: &writer)
      writer.append(UInt8(ascii: ":"))
      if indentation != nil { writer.append(UInt8(ascii: " ")) }
      print(member.value, level: level + 1, into: &writer)
    }
    if !isFirst { breakLine(level: level, in: &writer) }
    writer.append(UInt8(ascii: "}"))
  }

  @inline(__always)
  private func separate(isFirst: Bool, level: Int, in writer: inout ByteWriter) {
    if !isFirst { writer.append(UInt8(ascii: ",")) }
    breakLine(level: level, in: &writer)
  }

  @inline(__always)
  private func breakLine(level: Int, in writer: inout ByteWriter) {
    guard let indentation else { return }
    writer.append(UInt8(ascii: "\n"))
    writer.append(repeating: UInt8(ascii: " "), count: indentation * level)
  }

  // MARK: Strings

  private func print(_ string: String, into writer: inout ByteWriter) {
    writer.append(UInt8(ascii: "\""))
    var string = string
    string.withUTF8 { text in
      if let address = text.baseAddress { append(address, count: text.count, to: &writer) }
    }
    writer.append(UInt8(ascii: "\""))
  }

  private func append(_ text: UnsafePointer<UInt8>, count: Int, to writer: inout ByteWriter) {
    var copied = 0
    var position = 0
    while position < count {
      let byte = text[position]
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || (escapesNonASCII && byte >= 0x7F) else {
        position += 1
        continue
      }
      writer.append(text + copied, count: position - copied)
      if byte < 0x80 {
        JSONPrinter.escape(byte, into: &writer)
        position += 1
      } else {
        position += JSONPrinter.escapeScalar(of: UnsafeBufferPointer(start: text + position, count: count - position), into: &writer)
      }
      copied = position
    }
    writer.append(text + copied, count: count - copied)
  }

  private static func escape(_ byte: UInt8, into writer: inout ByteWriter) {
    let letter: UInt8? =
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): byte
      case 0x08: UInt8(ascii: "b")
      case 0x0C: UInt8(ascii: "f")
      case 0x0A: UInt8(ascii: "n")
      case 0x0D: UInt8(ascii: "r")
      case 0x09: UInt8(ascii: "t")
      default: nil
      }
    if let letter {
      writer.append(UInt8(ascii: "\\"))
      writer.append(letter)
    } else {
      escapeUnit(UInt16(byte), into: &writer)
    }
  }

  private static func escapeUnit(_ unit: UInt16, into writer: inout ByteWriter) {
    writer.append("\\u" as StaticString)
    for shift in [12, 8, 4, 0] as [UInt16] {
      writer.append(Hex.digit(UInt8(unit >> shift & 0xF)))
    }
  }

  /// Writes the first scalar of a text as one or two `\uXXXX`. Returns the number of bytes that the scalar has in the text.
  private static func escapeScalar(of text: UnsafeBufferPointer<UInt8>, into writer: inout ByteWriter) -> Int {
    var iterator = text.makeIterator()
    var decoder = UTF8()
    // A Swift string is always well-formed, so there is a scalar.
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return 1 }
    for unit in UTF16.encode(scalar).map(Array.init) ?? [] {
      escapeUnit(unit, into: &writer)
    }
    return UTF8.width(scalar)
  }
}

extension JSONValue: CustomStringConvertible {
  /// The value as JSON text without white space.
  public var description: String { jsonText() }

  /// Returns the value as JSON text.
  public func jsonText(options: JSONPrintingOptions = .compact) -> String {
    String(utf8IfRoom: jsonBytes(options: options))
  }

  /// Returns the value as JSON text in UTF-8.
  public func jsonBytes(options: JSONPrintingOptions = .compact) -> [UInt8] {
    var bytes: [UInt8] = []
    JSONPrinter(options: options).print(self, into: &bytes)
    return bytes
  }
}
