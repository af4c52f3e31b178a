import GarlandJSON
import GarlandText

/// The probable meaning of a text in `extract` that is written in the syntax of another tool. Garland does not accept this syntax.
struct ExtractMeaning {
  /// The first part of the help in a diagnostic, such as "to use an XPath, write". The corrected text follows it.
  let words: String
  /// The corrected text for the extract, in Garland's syntax, as messages show it. The text has no quotes, even if YAML would need them.
  let shown: String
  /// The corrected text in Garland's syntax, as valid YAML, for a fix.
  let replacement: String

  private init(_ words: String, path: String) {
    self.words = words
    shown = path
    replacement = YAMLQuoting.scalar(path)
  }

  private init(_ words: String, _ key: String, _ name: String) {
    self.words = words
    shown = "{ \(key): \(name) }"
    replacement = "{ \(key): \(YAMLQuoting.scalar(name)) }"
  }

  private init(_ words: String, expression: String) {
    self.words = words
    shown = expression
    replacement = YAMLQuoting.quoted(expression)
  }

  /// Returns the possible meanings of a text that is not a valid source of an extract, the most likely meaning first. Returns an empty list
  /// if no meaning is known.
  static func all(of text: String) -> [ExtractMeaning] {
    if let query = query(text) { return [query] }
    if text.hasPrefix("//"), (try? XPath(text)) != nil { return [ExtractMeaning("to use an XPath, write", "xpath", text)] }
    if text.hasPrefix("/") || text.hasPrefix("#/") {
      let pointer = text.hasPrefix("#") ? String(text.dropFirst()) : text
      return (try? JSONPointer(pointer)) == nil ? [] : [ExtractMeaning("to use a JSON Pointer, write", "pointer", pointer)]
    }
    return (part(of: text).map { [$0] } ?? [])
      + (JSONPath.meant(by: text).map { [ExtractMeaning("a JSONPath begins with `$`: write", path: $0)] } ?? [])
  }

  /// Returns the meaning of a query in Hurl's syntax, such as `header "Location"`; nil for any other text.
  private static func query(_ text: String) -> ExtractMeaning? {
    let words = text.split(separator: " ", maxSplits: 1)
    guard words.count == 2 else { return nil }
    let argument = words[1].trimmingPrefix { $0 == " " }
    guard let quote = argument.first, quote == "\"" || quote == "'", argument.count > 2, argument.last == quote else { return nil }
    let value = String(argument.dropFirst().dropLast())
    switch words[0] {
    case "jsonpath": return (try? JSONPath(value)) == nil ? nil : ExtractMeaning("to use the JSONPath, write", path: value)
    case "xpath": return (try? XPath(value)) == nil ? nil : ExtractMeaning("to use an XPath, write", "xpath", value)
    case "header", "cookie": return ExtractMeaning("to take a \(words[0]), write", String(words[0]), value)
    default: return nil
    }
  }

  /// Returns the meaning of a text that names a part of the response, such as `response.headers.Location`, `cookies.sid`, `body.token` or
  /// `status`; nil for any other text.
  private static func part(of text: String) -> ExtractMeaning? {
    let words = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let parts = ["response", "res", "resp"].contains(words[0].lowercased()) ? Array(words.dropFirst()) : words
    guard let root = parts.first?.lowercased() else { return nil }
    let rest = parts.dropFirst().joined(separator: ".")
    switch root {
    case "header", "headers": return HTTPToken.isToken(rest) ? ExtractMeaning("to take a header, write", "header", rest) : nil
    case "cookie", "cookies": return HTTPToken.isToken(rest) ? ExtractMeaning("to take a cookie, write", "cookie", rest) : nil
    case "body", "json":
      return JSONPath.meant(by: rest).map { ExtractMeaning("in a JSONPath, `$` is the body: write", path: $0) }
    case "status", "url", "text", "time", "size":
      return rest.isEmpty ? ExtractMeaning("to take the \(root) of the response, write", expression: "${response.\(root)}") : nil
    default: return nil
    }
  }
}

extension JSONPath {
  /// Returns the JSONPath that the author of a text such as `data.id`, `.items[0]` or `items.0.id` probably meant; nil for any other text.
  static func meant(by text: String) -> String? {
    var path = "$"
    for (index, part) in text.split(separator: ".", omittingEmptySubsequences: true).enumerated() {
      let name = String(part)
      let plain = index == 0 && part.hasPrefix("[") ? name : ".\(name)"
      if part.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) {
        path += "[\(part)]"
      } else if (try? JSONPath("$" + plain)) == nil, part.utf8.allSatisfy({ Lexer.isNamePart($0) }) {
        path += JSONPointer.selector(name)
      } else {
        path += plain
      }
    }
    return path != "$" && (try? JSONPath(path)) != nil ? path : nil
  }
}
