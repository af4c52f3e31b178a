import GarlandText

extension JSONScanner {
  /// Creates an error. Computes its line and column from the offset: the parser itself counts no lines, to be fast.
  @inline(never)
  func failure(_ reason: JSONParsingError.Reason, at offset: Int, _ message: String, expected: String? = nil) -> JSONParsingError {
    var line = 1
    var column = 1
    for position in start..<max(start, min(offset, end)) {
      let byte = base[position]
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        // Do not count continuation bytes, since they begin no scalar.
        column += 1
      }
    }
    return JSONParsingError(reason: reason, offset: offset, line: line, column: column, message: message, expected: expected)
  }

  @inline(never)
  func unexpected(at position: Int, expected: String) -> JSONParsingError {
    guard position < end else {
      return failure(.unexpectedEnd, at: position, "the text ends where \(expected) was expected", expected: expected)
    }
    return failure(.unexpectedCharacter, at: position, "expected \(expected), found \(found(at: position))", expected: expected)
  }

  /// Returns the error for a missing value. Well-known mistakes get a specific message.
  @inline(never)
  func unexpectedValue(at position: Int) -> JSONParsingError {
    guard position < end else { return unexpected(at: position, expected: "a value") }
    switch base[position] {
    case UInt8(ascii: "'"):
      return failure(.unexpectedCharacter, at: position, "strings are written in double quotes", expected: "a value")
    case UInt8(ascii: "/") where byte(at: position + 1) == UInt8(ascii: "/") || byte(at: position + 1) == UInt8(ascii: "*"):
      return failure(.unexpectedCharacter, at: position, "JSON has no comments", expected: "a value")
    case UInt8(ascii: "+"), UInt8(ascii: "."):
      return invalidNumber(from: position)
    case let byte where JSONScanner.continuesWord(byte) && byte < 0x80:
      return unexpectedWord(at: position)
    default:
      return unexpected(at: position, expected: "a value")
    }
  }

  @inline(never)
  func unexpectedWord(at position: Int) -> JSONParsingError {
    var last = position
    while last < end, last - position < 40, JSONScanner.continuesWord(base[last]), base[last] < 0x80 { last += 1 }
    let word = String(decoding: UnsafeBufferPointer(start: base + position, count: last - position), as: UTF8.self)
    if last == end, ["true", "false", "null"].contains(where: { $0.hasPrefix(word) && $0 != word }) {
      return failure(.unexpectedEnd, at: end, "the text ends within a word", expected: "a value")
    }
    let hint =
      switch word.lowercased() {
      case "true": "; JSON writes true"
      case "false": "; JSON writes false"
      case "null", "none", "nil", "undefined": "; JSON writes null"
      case "nan", "inf", "infinity": "; JSON has no such number"
      default: ""
      }
    return failure(.unexpectedCharacter, at: position, "expected a value, found the word '\(word)'\(hint)", expected: "a value")
  }

  @inline(never)
  func unexpectedName(at position: Int, afterComma: Bool) -> JSONParsingError {
    guard position < end else { return unexpected(at: position, expected: "a name in double quotes") }
    if afterComma, base[position] == UInt8(ascii: "}") { return trailingComma(before: position) }
    return failure(
      .unexpectedCharacter, at: position, "expected a name in double quotes, found \(found(at: position))",
      expected: "a name in double quotes")
  }

  @inline(never)
  func trailingComma(before position: Int) -> JSONParsingError {
    var comma = position - 1
    while comma > 0, base[comma] != UInt8(ascii: ",") { comma -= 1 }
    let bracket = found(at: position)
    return failure(.trailingComma, at: comma, "a comma before \(bracket) is not allowed in JSON", expected: bracket)
  }

  @inline(never)
  func trailingContent(at position: Int) -> JSONParsingError {
    failure(
      .trailingContent, at: position, "expected the end of the text after the JSON value, found \(found(at: position))",
      expected: "the end")
  }

  @inline(never)
  func unexpectedEnd(in what: String) -> JSONParsingError {
    failure(.unexpectedEnd, at: end, "the text ends within \(what)")
  }

  @inline(never)
  func unterminatedString(from start: Int) -> JSONParsingError {
    failure(.unexpectedEnd, at: end, "the text ends within the string that began at byte \(start - 1)", expected: "'\"'")
  }

  @inline(never)
  func invalidUTF8(at position: Int) -> JSONParsingError {
    failure(.invalidUTF8, at: position, "the byte 0x\(Hex.padded(base[position], uppercase: true)) is not UTF-8 here")
  }

  @inline(never)
  func controlCharacter(at position: Int) -> JSONParsingError {
    let byte = base[position]
    let escape =
      switch byte {
      case 0x0A: "\\n"
      case 0x0D: "\\r"
      case 0x09: "\\t"
      default: "\\u\(Hex.padded(byte, to: 4, uppercase: true))"
      }
    let name =
      switch byte {
      case 0x0A: "a line break"
      case 0x09: "a tab"
      default: "the control character 0x\(Hex.padded(byte, uppercase: true))"
      }
    return failure(.controlCharacter, at: position, "\(name) within a string is written \(escape)", expected: escape)
  }

  @inline(never)
  func invalidEscape(at position: Int) -> JSONParsingError {
    if byte(at: position + 1) == UInt8(ascii: "u") {
      return failure(.invalidEscape, at: position, "\\u needs four hexadecimal digits", expected: "four hexadecimal digits")
    }
    let known = #"\" \\ \/ \b \f \n \r \t \uXXXX"#
    return failure(
      .invalidEscape, at: position, "a backslash with \(found(at: position + 1)) is not an escape; JSON has \(known)", expected: known)
  }

  @inline(never)
  func loneSurrogate(at position: Int) -> JSONParsingError {
    let escape = String(decoding: UnsafeBufferPointer(start: base + position, count: 6), as: UTF8.self)
    return failure(.loneSurrogate, at: position, "\(escape) is half of a surrogate pair, and its other half is missing")
  }

  @inline(never)
  func invalidNumber(from start: Int) -> JSONParsingError {
    var last = start
    while last < end, last - start < 40, JSONScanner.continuesNumber(base[last]) { last += 1 }
    let text = String(decoding: UnsafeBufferPointer(start: base + start, count: last - start), as: UTF8.self)
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    if last == end, let final = text.utf8.last, !final.isDigit, NumberSyntax(of: (text + "0").utf8) != nil {
      return failure(.unexpectedEnd, at: end, "the text ends within the number \(text)", expected: "a digit")
    }
    let hint =
      if digits.hasPrefix("0"), digits.dropFirst().first?.isNumber == true {
        "a number does not begin with 0"
      } else if text.hasPrefix("+") {
        "a number does not begin with +"
      } else if digits.hasPrefix(".") {
        "a fraction needs a digit before the point"
      } else if digits.hasPrefix("I") || digits.hasPrefix("N") {
        "JSON has no such number"
      } else if digits.isEmpty {
        "a minus needs a digit after it"
      } else {
        "a JSON number has the form -12.5e3"
      }
    return failure(.invalidNumber, at: start, "'\(text)' is not a number: \(hint)", expected: "a number")
  }

  private static func continuesNumber(_ byte: UInt8) -> Bool {
    byte < 0x80 && continuesWord(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
  }

  @inline(never)
  func tooDeep(at position: Int, limit: Int) -> JSONParsingError {
    failure(.tooDeep, at: position, "more than \(limit) arrays and objects are nested")
  }

  @inline(never)
  func outOfTime(at position: Int) -> JSONParsingError { failure(.outOfTime, at: position, "the time limit was reached") }

  @inline(never)
  func duplicateKey(_ key: String, at position: Int) -> JSONParsingError {
    failure(.duplicateKey, at: position, "the name \(JSONValue.string(key)) is in this object twice")
  }

  /// Returns the scalar at a position as text for messages.
  private func found(at position: Int) -> String {
    guard position < end else { return "the end" }
    let bytes = UnsafeBufferPointer(start: base + position, count: min(4, end - position))
    var iterator = bytes.makeIterator()
    var decoder = UTF8()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else {
      return "the byte 0x\(Hex.padded(base[position], uppercase: true))"
    }
    if scalar.value < 0x20 || scalar.value == 0x7F { return "the control character 0x\(Hex.padded(base[position], uppercase: true))" }
    if scalar.value == 0xA0 || scalar.value == 0xFEFF {
      return "the invisible character U+\(String(scalar.value, radix: 16, uppercase: true))"
    }
    return "'\(scalar)'"
  }
}
