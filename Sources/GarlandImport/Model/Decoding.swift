import GarlandJSON
import GarlandText

/// Decodes and encodes text in the format `application/x-www-form-urlencoded`.
enum FormDecoding {
  /// Decodes `%XX` and `+` in a text. Returns nil if the result is not valid text.
  static func text(_ text: ImportedText) -> ImportedText? {
    var pieces: [ImportedText.Piece] = []
    for piece in text.pieces {
      guard case .literal(let literal) = piece else {
        pieces.append(piece)
        continue
      }
      guard let decoded = decoded(literal) else { return nil }
      pieces.append(.literal(decoded))
    }
    return ImportedText(pieces: pieces)
  }

  static func decoded(_ text: String) -> String? {
    // A byte that should have been encoded, but was not, would change by decoding and encoding.
    let isIllegal = text.utf8.contains { $0 <= 0x20 || $0 == 0x7F || "\"{}".utf8.contains($0) }
    return isIllegal ? nil : PercentEncoding.strictText(decoding: text, plusIsSpace: true)
  }

  /// Percent-encodes bytes, except for unreserved characters (RFC 3986, section 2.3) and those in `kept`. A space becomes `+`.
  static func encoded(_ bytes: ArraySlice<UInt8>, keeping kept: String = "") -> String {
    let kept = PercentEncoding.unreserved.union(PercentEncoding.ByteSet(kept + " "))
    return PercentEncoding.encode(Array(bytes), keeping: kept).replacing(" ", with: "+")
  }

  /// Returns the names and values in the text of a form. Returns nil if a step with these names and values under `form` would send a
  /// different text.
  static func exactPairs(of text: ImportedText) -> [(name: ImportedText, value: ImportedText)]? {
    guard let literal = text.literal, !literal.isEmpty else { return nil }
    var pairs: [(name: String, value: String)] = []
    for part in literal.split(separator: "&", omittingEmptySubsequences: false) {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2, !sides[0].isEmpty, let name = decoded(String(sides[0])), let value = decoded(String(sides[1])) else {
        return nil
      }
      pairs.append((name, value))
    }
    // A step sends the values of a repeated name one after another.
    let names = pairs.reduce(into: [String]()) { names, pair in if !names.contains(pair.name) { names.append(pair.name) } }
    let written = names.flatMap { name in pairs.filter { $0.name == name } }.map { pair in
      [pair.name, pair.value].map { encoded(Array($0.utf8)[...], keeping: "?/") }.joined(separator: "=")
    }
    guard written.joined(separator: "&") == literal else { return nil }
    return pairs.map { (ImportedText($0.name), ImportedText($0.value)) }
  }
}

/// JSON that contains values which are only known when the workflow runs.
enum JSONTemplate {
  /// Parses a text as JSON. Returns nil if the text is not JSON. An expression inside a JSON string is text; an expression outside of JSON
  /// strings keeps its type.
  static func value(of text: ImportedText) -> ImportedValue? {
    var expressions: [String] = []
    var source = ""
    var isInText = false
    for piece in text.pieces {
      switch piece {
      case .literal(let literal):
        var isEscaped = false
        for byte in literal.utf8 {
          if isEscaped {
            isEscaped = false
          } else if byte == UInt8(ascii: "\\") {
            isEscaped = isInText
          } else if byte == UInt8(ascii: "\"") {
            isInText.toggle()
          }
        }
        source += literal
      case .expression(let expression):
        let mark = "\u{F8FF}\(expressions.count)\u{F8FF}"
        expressions.append(expression)
        source += isInText ? mark : "\"\(mark)\""
      }
    }
    guard !text.pieces.contains(where: { if case .literal(let text) = $0 { text.contains("\u{F8FF}") } else { false } }) else { return nil }
    let json: JSONValue
    do throws(JSONParsingError) {
      json = try JSONValue(parsing: source)
    } catch {
      return nil
    }
    func restored(_ string: String) -> ImportedText {
      var pieces: [ImportedText.Piece] = []
      for (index, part) in string.split(separator: "\u{F8FF}", omittingEmptySubsequences: false).enumerated() {
        if index % 2 == 1, let number = Int(part), expressions.indices.contains(number) {
          pieces.append(.expression(expressions[number]))
        } else if !part.isEmpty {
          pieces.append(.literal(String(part)))
        }
      }
      return ImportedText(pieces: pieces)
    }
    return restoredValue(json, restored)
  }

  /// Converts a JSON text to the object or array for the key `json` of a step. Returns nil if the text is not a JSON object or array. Also
  /// returns nil if the step would send a JSON text that differs from this text, for example in its white space.
  static func exactValue(of text: ImportedText) -> ImportedValue? {
    guard let literal = text.literal, let first = literal.utf8.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
      let json = try? JSONValue(parsing: literal), json.jsonBytes().elementsEqual(literal.utf8), let value = value(of: text),
      hasUniqueNames(value)
    else { return nil }
    return value
  }

  private static func hasUniqueNames(_ value: ImportedValue) -> Bool {
    switch value {
    case .object(let members): Set(members.map(\.key)).count == members.count && members.allSatisfy { hasUniqueNames($0.value) }
    case .list(let items): items.allSatisfy(hasUniqueNames)
    case .null, .bool, .number, .text: true
    }
  }

  private static func restoredValue(_ json: JSONValue, _ restored: (String) -> ImportedText) -> ImportedValue {
    switch json {
    case .null: .null
    case .bool(let value): .bool(value)
    case .number(let number): .number(number.text)
    case .string(let string): .text(restored(string))
    case .array(let items): .list(items.map { restoredValue($0, restored) })
    case .object(let object): .object(object.map { (restored($0.key).source, restoredValue($0.value, restored)) })
    }
  }
}
