import GarlandCrypto
import GarlandJSON
import GarlandText

/// The evaluation of filters that split or parse a text.
extension ExpressionNode {
  /// Returns the lines of a text without the characters that end them. A line ends with a line feed, a carriage return or both; the last
  /// line need not end with such a character.
  func lines(of text: String) throws(ExpressionFailure) -> [JSONValue] {
    var lines: [JSONValue] = []
    var size = SizeLimit.Count()
    var line: [UInt8] = []
    var previous: UInt8 = 0
    var isOpen = false
    for byte in text.utf8 {
      defer { previous = byte }
      if byte == 0x0A, previous == 0x0D { continue }
      isOpen = byte != 0x0A && byte != 0x0D
      if isOpen {
        line.append(byte)
      } else {
        try checkTime(16 + line.count)
        lines.append(.string(String(decoding: line, as: UTF8.self)))
        try count(.plain(lines[lines.count - 1]), in: &size)
        line.removeAll(keepingCapacity: true)
      }
    }
    if isOpen { lines.append(.string(String(decoding: line, as: UTF8.self))) }
    return lines
  }

  /// Returns the parts of a text between separators. If the separator is empty, each part is one character.
  func split(_ text: String, at separator: String) throws(ExpressionFailure) -> [JSONValue] {
    var parts: [JSONValue] = []
    var size = SizeLimit.Count()
    func add(_ part: String) throws(ExpressionFailure) {
      parts.append(.string(part))
      try count(.plain(.string(part)), in: &size)
    }
    if separator.isEmpty {
      for scalar in text.unicodeScalars {
        try checkTime(16)
        try add(String(scalar))
      }
    } else {
      try forEachPart(of: text, between: separator) { (part: ArraySlice<UInt8>) throws(ExpressionFailure) in
        try add(String(decoding: part, as: UTF8.self))
      }
    }
    return parts
  }

  func replacing(_ old: String, with new: String, in text: String) throws(ExpressionFailure) -> String {
    let new = Array(new.utf8)
    var result: [UInt8] = []
    var isFirst = true
    try forEachPart(of: text, between: old) { (part: ArraySlice<UInt8>) throws(ExpressionFailure) in
      if result.count + new.count + part.count > result.capacity { try checkRoom(2 * (result.count + new.count + part.count)) }
      if !isFirst { result += new }
      isFirst = false
      result += part
      try checkSize(result.count)
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Calls `body` for each part of a text between separators. Bytes are compared, since Swift treats CR LF as one character and would not
  /// find the LF in it.
  private func forEachPart(
    of text: String, between separator: String, _ body: (ArraySlice<UInt8>) throws(ExpressionFailure) -> Void
  ) throws(ExpressionFailure) {
    let bytes = Array(text.utf8)
    let separator = Array(separator.utf8)
    var start = 0
    var index = 0
    while index + separator.count <= bytes.count {
      guard bytes[index] == separator[0] else {
        index += 1
        continue
      }
      // In a text of equal letters, each comparison reads the separator up to its last byte.
      try checkTime(1 + separator.count / 8)
      guard bytes[index..<index + separator.count].elementsEqual(separator) else {
        index += 1
        continue
      }
      try checkTime(16 + index - start)
      try body(bytes[start..<index])
      index += separator.count
      start = index
    }
    try body(bytes[start...])
  }

  // MARK: Encodings

  func decoded(
    _ filter: Filter, _ text: String, _ frame: EvaluationFrame, _ input: ExpressionNode
  ) throws(ExpressionFailure) -> JSONValue {
    switch filter {
    case .base64Decode:
      // Mail and PEM split Base64 into lines.
      let bytes = try? Base64.decode(text.utf8.filter { $0 != 0x0A && $0 != 0x0D && $0 != 0x20 && $0 != 0x09 }, isPaddingOptional: true)
      return .string(try decodedText(bytes, "Base64", text, frame, input))
    case .base64urlDecode: return .string(try decodedText(try? Base64URL.decode(text.utf8), "base64url", text, frame, input))
    case .parseJSON:
      do throws(JSONParsingError) {
        return try JSONValue(parsing: text)
      } catch {
        // The parser's message may quote the text.
        let detail = frame.isSecret(input) ? "" : ": \(error.message) at line \(error.line), column \(error.column)"
        throw .wrong(.wrongType, "\(found(text, frame, input)) is not JSON\(detail)", at: input.range)
      }
    default: return try tokenPart(filter, text, frame, input)
    }
  }

  /// Returns the header or the claims of a JSON Web Token as JSON, for the filters that read them.
  private func tokenPart(
    _ filter: Filter, _ text: String, _ frame: EvaluationFrame, _ input: ExpressionNode
  ) throws(ExpressionFailure) -> JSONValue {
    let token: JSONWebSignature
    do throws(TokenError) {
      token = try JSONWebSignature(text)
    } catch {
      var detail = ""
      if case .malformed(let problem) = error, !frame.isSecret(input) { detail = ": \(problem)" }
      throw .wrong(.wrongType, "\(found(text, frame, input)) is not a JSON Web Token\(detail)", at: input.range)
    }
    if filter == .jwtHeader { return .object(token.header) }
    guard let claims = try? JSONValue(parsing: token.payload), case .object = claims else {
      throw .wrong(.wrongType, "\(found(text, frame, input)) has no claims: its payload is no JSON object", at: input.range)
    }
    return claims
  }

  private func decodedText(
    _ bytes: [UInt8]?, _ encoding: String, _ text: String, _ frame: EvaluationFrame, _ input: ExpressionNode
  ) throws(ExpressionFailure) -> String {
    guard let bytes else { throw .wrong(.wrongType, "\(found(text, frame, input)) is not valid \(encoding)", at: input.range) }
    guard let decoded = String(validating: bytes, as: UTF8.self) else {
      throw .wrong(.wrongType, "\(found(text, frame, input)) decodes to bytes that are not UTF-8 text", at: input.range)
    }
    return decoded
  }

  private func found(_ text: String, _ frame: EvaluationFrame, _ input: ExpressionNode) -> String {
    Words.found(Value(.string(text), isSecret: frame.isSecret(input)))
  }

  // MARK: Regular expressions

  func matched(
    _ filter: Filter, _ text: String, _ given: [JSONValue], _ arguments: [ExpressionNode], _ frame: EvaluationFrame,
    _ input: ExpressionNode
  ) throws(ExpressionFailure) -> JSONValue {
    let place = arguments.first?.range ?? range
    do throws(FilterPattern.Mistake) {
      let pattern = try FilterPattern(given.first?.stringValue ?? "")
      switch filter {
      case .regexReplace: return .string(try pattern.replacing(in: text, with: given.last?.stringValue ?? ""))
      case .matchAll: return .array(try pattern.all(in: text, group: given.dropFirst().first))
      default:
        if let found = try pattern.first(in: text, group: given.dropFirst().first) { return .string(found) }
      }
    } catch {
      if Computation.hasEnded { throw .wrong(.outOfTime, "the time limit was reached", at: range) }
      if error.isTooLarge { throw .wrong(.tooLarge, error.message, at: range) }
      let isSecret = arguments.contains { frame.isSecret($0) }
      throw .wrong(.badRegex, isSecret ? "the secret value is not a valid regular expression" : error.message, at: place)
    }
    throw frame.undefined(
      "\(found(text, frame, input)) does not match \(frame.text(place))", at: input.range, help: "give another value with `??`")
  }
}
