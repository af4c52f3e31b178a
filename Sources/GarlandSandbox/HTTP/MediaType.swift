import GarlandText

/// A media type with its parameters (RFC 9110, section 8.3.1), parsed leniently.
struct MediaType: Sendable {
  /// The type and subtype in lower case, such as `text/html`.
  let essence: String
  /// The parameters, with names in lower case and values without quotes.
  let parameters: [(name: String, value: String)]

  init(_ text: String) {
    let pieces = Self.split(text)
    essence = pieces.first?.asciiLowercased ?? ""
    parameters = pieces.dropFirst().compactMap { piece in
      guard let equals = piece.firstIndex(of: "=") else { return nil }
      let name = String(piece[..<equals].withoutBlanks).asciiLowercased
      return (name, Self.unquoted(piece[piece.index(after: equals)...].withoutBlanks))
    }
  }

  subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

  /// Whether the media type denotes readable text.
  var isTextual: Bool {
    essence.hasPrefix("text/") || essence.hasSuffix("+json") || essence.hasSuffix("+xml")
      || ["application/json", "application/xml", "application/x-www-form-urlencoded", "application/javascript"].contains(essence)
  }

  /// Whether the media type denotes JSON.
  var isJSON: Bool { essence == "application/json" || essence.hasSuffix("+json") }

  /// Splits a text at `;`, except within quoted strings.
  private static func split(_ text: String) -> [String] {
    var pieces: [String] = []
    var current: [UInt8] = []
    var isQuoted = false
    var isEscaped = false
    for byte in text.utf8 {
      if isEscaped {
        isEscaped = false
      } else if isQuoted, byte == 0x5C {
        isEscaped = true
      } else if byte == 0x22 {
        isQuoted.toggle()
      } else if byte == 0x3B, !isQuoted {
        pieces.append(String(String(decoding: current, as: UTF8.self).withoutBlanks))
        current.removeAll()
        continue
      }
      current.append(byte)
    }
    pieces.append(String(String(decoding: current, as: UTF8.self).withoutBlanks))
    return pieces
  }

  private static func unquoted(_ text: Substring) -> String {
    guard text.count >= 2, text.first == "\"", text.last == "\"" else { return String(text) }
    var output = ""
    var isEscaped = false
    for character in text.dropFirst().dropLast() {
      if character == "\\", !isEscaped {
        isEscaped = true
      } else {
        output.append(character)
        isEscaped = false
      }
    }
    return output
  }
}
