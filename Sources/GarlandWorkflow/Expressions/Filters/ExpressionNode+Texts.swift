import GarlandCrypto
import GarlandJSON
import GarlandText

/// The evaluation of filters that split or parse a text.
extension ExpressionNode {
  /// Returns the lines of a text without the characters that end them. A line ends with a line feed, a carriage return or both; the last
  /// line may have no such end.
  func lines(of text: String) throws(ExpressionFailure) -> [JSONValue] {
    var lines: [JSONValue] = []
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
        line.removeAll(keepingCapacity: true)
      }
    }
    if isOpen { lines.append(.string(String(decoding: line, as: UTF8.self))) }
    return lines
  }

  /// Returns the parts of a text between separators. Bytes are compared, since Swift treats CR LF as one character and would not find the
  /// LF in it.
  func parts(of text: String, between separator: String) throws(ExpressionFailure) -> [String] {
    let bytes = Array(text.utf8)
    let separator = Array(separator.utf8)
    var parts: [String] = []
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
      parts.append(String(decoding: bytes[start..<index], as: UTF8.self))
      index += separator.count
      start = index
    }
    parts.append(String(decoding: bytes[start...], as: UTF8.self))
    return parts
  }

  // MARK: Encodings

  func decoded(
    _ filter: Filter, _ text: String, _ frame: EvaluationFrame, _ input: ExpressionNode
  ) throws(ExpressionFailure) -> JSONValue {
    switch filter {
    case .base64Decode:
      // Mail and PEM split Base64 into lines.
      let bytes = try? Base64.decode(text.utf8.filter { $0 != 0x0A && $0 != 0x0D && $0 != 0x20 && $0 != 0x09 })
      return .string(try decodedText(bytes, "Base64", text, frame, input))
    case .base64urlDecode: return .string(try decodedText(try? Base64URL.decode(text.utf8), "Base64 for URLs", text, frame, input))
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

  /// Returns the header or the claims of a JSON Web Token.
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
    guard let bytes else { throw .wrong(.wrongType, "\(found(text, frame, input)) is not \(encoding)", at: input.range) }
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
      case .matchAll: return .array(try pattern.all(in: text, group: given.dropFirst().first).map { .string($0) })
      default:
        if let found = try pattern.first(in: text, group: given.dropFirst().first) { return .string(found) }
      }
    } catch {
      if Computation.hasEnded { throw .wrong(.outOfTime, "the time limit was reached", at: range) }
      let isSecret = arguments.contains { frame.isSecret($0) }
      throw .wrong(.badRegex, isSecret ? "the secret value is not a valid regular expression" : error.message, at: place)
    }
    throw frame.undefined(
      "\(found(text, frame, input)) does not match \(frame.text(place))", at: input.range, help: "give another value with `??`")
  }
}
