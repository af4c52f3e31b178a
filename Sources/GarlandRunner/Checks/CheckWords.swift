import GarlandJSON
import GarlandText
import GarlandWorkflow

/// Describes the expected statuses of `expect.status` in messages, such as `2xx`.
enum StatusWords {
  static func text(_ pattern: StatusPattern) -> String {
    let (low, high) = (pattern.codes.lowerBound, pattern.codes.upperBound)
    if low == high { return "\(low)" }
    if low % 100 == 0, high == low + 99 { return "\(low / 100)xx" }
    return "\(low)..\(high)"
  }

  static func alternatives(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "nothing" }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }
}

extension Expectation.Check {
  /// The checked part of the response, as it is named in the messages of failures, such as `headers.ETag` or `json $.id`.
  var subject: String {
    switch self {
    case .status, .statusPredicates: "status"
    case .type, .typePredicates: "type"
    case .header(let name, _): "headers.\(name)"
    case .cookie(let name, _), .cookieFact(let name, _, _): "cookies.\(name)"
    case .json(let path, _): "json \(path.text)"
    case .plist(let path, _): "plist \(path.text)"
    case .firstBytes, .firstBytesPredicates: "first_bytes"
    case .xpath(let path, _): "xpath \(path.text)"
    case .body: "body"
    case .schema: "schema"
    case .time: "time"
    case .items(let format, _): format.rawValue
    case .timeToFirstItem(let format, _): format.timeKey
    case .item(let member, _): member.rawValue
    case .size: "size"
    case .sha256: "sha256"
    case .redirects: "redirects"
    case .url: "url"
    case .version: "version"
    case .tls(let fact, _): "tls.\(fact.rawValue)"
    case .snapshot: "snapshot"
    case .method: "method"
    case .query(let name, _): "query.\(name)"
    case .named(_, let check): check.subject
    case .error: "error"
    case .that: "that"
    }
  }
}

/// Parses the media types in an `Accept` field (RFC 9110, section 12.5.1) and formats them for messages.
enum AcceptedTypes {
  static func patterns(of field: String) -> [MediaTypePattern] {
    MediaTypePattern.split(field[...], at: UInt8(ascii: ",")).compactMap { item -> MediaTypePattern? in
      // The value of `q` is the preference for a type; q=0 excludes it.
      var kept: [Substring] = []
      for part in MediaTypePattern.split(item, at: UInt8(ascii: ";")) where !part.isEmpty {
        let text = part.filter { $0 != " " && $0 != "\t" }.lowercased()
        if text.hasPrefix("q=") {
          if Double(text.dropFirst(2)) == 0 { return nil }
          break
        }
        kept.append(part)
      }
      return MediaTypePattern(kept.joined(separator: ";"))
    }
  }

  static func text(_ pattern: MediaTypePattern) -> String {
    let parameters = pattern.parameters.sorted { $0.key < $1.key }.map { name, value in
      let isToken = HTTPToken.isToken(value)
      return "; \(name)=" + (isToken ? value : "\"" + value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\"")
    }
    return "\(pattern.type)/\(pattern.subtype)" + parameters.joined()
  }
}

/// Formats a condition of `that:` as written in the document.
enum ConditionText {
  static func of(_ setting: Setting<Bool>) -> String {
    switch setting.content {
    case .constant(let value): written(setting.range.text) ?? "\(value)"
    case .template(let template):
      if case .expression(let expression) = template.content { expression.source.trimmed } else { template.range.text }
    }
  }

  /// Returns the first expression in the source text of a YAML scalar; nil if the scalar contains no expression.
  private static func written(_ text: String) -> String? {
    var plain = text
    // Removes the quotes of YAML. A text in double quotes whose escapes JSON does not have stays as it is written.
    if text.hasPrefix("'") { plain = text.replacing("''", with: "'") }
    if text.hasPrefix("\"") { plain = (try? JSONValue(parsing: text))?.stringValue ?? text }
    for case .expression(let expression) in ExpressionScanner.pieces(of: plain) ?? [] { return expression.trimmed }
    return nil
  }

  /// Returns the reason why a step is skipped: "`when` is false: `vars.region == 'eu'`, vars.region is "us"".
  static func reasonOfSkipping(_ when: Setting<Bool>, in context: any EvaluationContext) -> String {
    if when.constant != nil {
      // If the condition is a literal `false`, repeating it would not help the reader.
      return ExpressionScanner.hasExpression(when.range.text) ? "`when` is false: \(when.range.text)" : "`when` is false"
    }
    let reason = "`when` is false: `\(Shown.cut(of(when), 120))`"
    return values(of: when, in: context).map { "\(reason), \($0)" } ?? reason
  }

  /// Returns the values that a condition compared, with secrets masked: `response.json.state is "new"`. Returns nil if the condition
  /// compares nothing.
  static func values(of setting: Setting<Bool>, in context: any EvaluationContext) -> String? {
    guard case .template(let template) = setting.content, case .expression(let expression) = template.content else { return nil }
    let parts = expression.operands(in: context).map { text, value in
      "\(text) is \(value.map { Shown.value($0.masked, limit: 60) } ?? "undefined")"
    }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}

/// Creates excerpts of JSON documents for messages. An excerpt shows the value at a path, or the list or object that contains this value.
enum JSONPlace {
  /// Returns an excerpt that shows the value at a path. If the value is a scalar, the excerpt shows the list or object that contains it,
  /// since a scalar alone would not help the reader of the message. If there is no value at the path, the excerpt shows the last value that
  /// exists along the path.
  static func around(_ place: [JSONPathElement], in root: JSONValue) -> String {
    var current = root
    var container = root
    for element in place {
      guard let next = current.value(at: [element]) else { return Excerpt.of(current) }
      container = current
      current = next
    }
    switch current {
    case .array, .object: return Excerpt.of(current)
    default: return Excerpt.of(container)
    }
  }
}
