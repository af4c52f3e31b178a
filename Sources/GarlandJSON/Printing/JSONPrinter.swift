/// Writes values as JSON text into bytes.
///
/// ```swift
/// var bytes: [UInt8] = []
/// JSONPrinter(options: .pretty).print(value, into: &bytes)
/// ```
///
/// Numbers are written with the text they have. Strings escape what [RFC 8259 §7](https://www.rfc-editor.org/rfc/rfc8259#section-7) asks for and no more.
public struct JSONPrinter: Sendable {
  private let sortsKeys: Bool
  private let escapesNonASCII: Bool
  /// Spaces a level, or nil for a compact text.
  private let indentation: Int?

  /// A printer for these options.
  public init(options: JSONPrintingOptions = .compact) {
    sortsKeys = options.sortsKeys
    escapesNonASCII = options.escapesNonASCII
    indentation =
      switch options.layout {
      case .compact: nil
      case .indented(let spaces): max(0, spaces)
      }
  }

  /// Appends the text of a value.
  public func print(_ value: JSONValue, into bytes: inout [UInt8]) {
    print(value, level: 0, into: &bytes)
  }

  /// Appends the text of a string, with its quotes.
  public func print(_ string: String, into bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    var string = string
    string.withUTF8 { text in
      append(text, to: &bytes)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private func print(_ value: JSONValue, level: Int, into bytes: inout [UInt8]) {
    switch value {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .bool(true): bytes.append(contentsOf: "true".utf8)
    case .bool(false): bytes.append(contentsOf: "false".utf8)
    case .number(let number): append(number, to: &bytes)
    case .string(let string): print(string, into: &bytes)
    case .array(let elements): print(elements, level: level, into: &bytes)
    case .object(let object): print(sortsKeys ? object.sortedByKey() : object, level: level, into: &bytes)
    }
  }

  private func print(_ elements: [JSONValue], level: Int, into bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "["))
    var isFirst = true
    for element in elements {
      separate(isFirst: isFirst, level: level + 1, in: &bytes)
      isFirst = false
      print(element, level: level + 1, into: &bytes)
    }
    if !isFirst { breakLine(level: level, in: &bytes) }
    bytes.append(UInt8(ascii: "]"))
  }

  private func print(_ object: JSONObject, level: Int, into bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "{"))
    var isFirst = true
    for member in object.members {
      separate(isFirst: isFirst, level: level + 1, in: &bytes)
      isFirst = false
      print(member.key, into: &bytes)
      bytes.append(UInt8(ascii: ":"))
      if indentation != nil { bytes.append(UInt8(ascii: " ")) }
      print(member.value, level: level + 1, into: &bytes)
    }
    if !isFirst { breakLine(level: level, in: &bytes) }
    bytes.append(UInt8(ascii: "}"))
  }

  @inline(__always)
  private func separate(isFirst: Bool, level: Int, in bytes: inout [UInt8]) {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    breakLine(level: level, in: &bytes)
  }

  @inline(__always)
  private func breakLine(level: Int, in bytes: inout [UInt8]) {
    guard let indentation else { return }
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indentation * level))
  }

  private func append(_ number: JSONNumber, to bytes: inout [UInt8]) {
    switch number.storage {
    case .text(let text): bytes.append(contentsOf: text.utf8)
    case .integer(let value):
      // Twenty bytes hold any Int; digits come last to first.
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { buffer in
        var position = 20
        var magnitude = value.magnitude
        repeat {
          position -= 1
          buffer[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: magnitude % 10)
          magnitude /= 10
        } while magnitude > 0
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer)[position...]))
      }
    }
  }

  private func append(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    var copied = 0
    var position = 0
    while position < text.count {
      let byte = text[position]
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || (escapesNonASCII && byte >= 0x7F) else {
        position += 1
        continue
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[copied..<position]))
      if byte < 0x80 {
        JSONPrinter.escape(byte, into: &bytes)
        position += 1
      } else {
        position += JSONPrinter.escapeScalar(of: UnsafeBufferPointer(rebasing: text[position...]), into: &bytes)
      }
      copied = position
    }
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[copied...]))
  }

  private static func escape(_ byte: UInt8, into bytes: inout [UInt8]) {
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
      bytes.append(UInt8(ascii: "\\"))
      bytes.append(letter)
    } else {
      escapeUnit(UInt16(byte), into: &bytes)
    }
  }

  private static func escapeUnit(_ unit: UInt16, into bytes: inout [UInt8]) {
    let digits: StaticString = "0123456789abcdef"
    bytes.append(UInt8(ascii: "\\"))
    bytes.append(UInt8(ascii: "u"))
    for shift in [12, 8, 4, 0] as [UInt16] {
      bytes.append(digits.utf8Start[Int(unit >> shift & 0xF)])
    }
  }

  /// Writes the scalar at the start of a text as one or two `\uXXXX` and says how many bytes it had.
  private static func escapeScalar(of text: UnsafeBufferPointer<UInt8>, into bytes: inout [UInt8]) -> Int {
    var iterator = text.makeIterator()
    var decoder = UTF8()
    // A Swift string is always well-formed, so there is a scalar.
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return 1 }
    for unit in UTF16.encode(scalar).map(Array.init) ?? [] {
      escapeUnit(unit, into: &bytes)
    }
    return UTF8.width(scalar)
  }
}

extension JSONValue: CustomStringConvertible {
  /// The value as compact JSON.
  public var description: String { jsonText() }

  /// The value as JSON text.
  public func jsonText(options: JSONPrintingOptions = .compact) -> String {
    String(decoding: jsonBytes(options: options), as: UTF8.self)
  }

  /// The value as the bytes of JSON text in UTF-8.
  public func jsonBytes(options: JSONPrintingOptions = .compact) -> [UInt8] {
    var bytes: [UInt8] = []
    JSONPrinter(options: options).print(self, into: &bytes)
    return bytes
  }
}
