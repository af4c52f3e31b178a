import GarlandJSON
import GarlandText

/// The parts of a Postman test script that can be imported: statements in the forms of Postman's
/// own snippets.
struct PostmanScript {
  /// The expectations of the script in order, as entries of a step's `expect`.
  private(set) var expectations: [(key: String, value: ImportedValue)] = []
  /// The variables that the script sets to values from the response: the name of each variable, and the JSONPath or the header from which
  /// its value comes.
  private(set) var extracts: [(name: String, value: ImportedValue)] = []
  /// The statements that cannot be converted, in the order of the script.
  private(set) var untranslated: [String] = []
  /// The script variables that contain the JSON body or a part of it. The key is the name of the variable, and the value is the JSONPath of
  /// the part.
  private var bodies: [String: String] = [:]

  init(_ source: String) {
    for statement in Self.statements(source) { take(statement) }
  }

  /// Returns the statements of a script. The result contains neither comments nor the code around the statements, such as `pm.test("…",
  /// function () {` and `})`.
  private static func statements(_ source: String) -> [String] {
    var result: [String] = []
    var current = ""
    var quote: Character?
    var isEscaped = false
    var depth = 0
    // Whether each open brace begins the body of a function.
    var braces: [Bool] = []
    var characters = Array(source)[...]
    func close() {
      let text = current.trimmed
      if !text.isEmpty { result.append(text) }
      current = ""
      depth = 0
    }
    while let character = characters.popFirst() {
      if let open = quote {
        current.append(character)
        if isEscaped { isEscaped = false } else if character == "\\" { isEscaped = true } else if character == open { quote = nil }
        continue
      }
      switch character {
      case "\"", "'", "`":
        quote = character
        current.append(character)
      case "/" where characters.first == "/" && !current.hasSuffix(":"): characters = characters.drop { !$0.isNewline }
      case "/" where characters.first == "*": skipComment(&characters)
      case "(", "[":
        depth += 1
        current.append(character)
      case ")", "]":
        depth -= 1
        current.append(character)
      // The body of a function consists of separate statements.
      case "{" where current.trimmed.hasSuffix(")") || current.trimmed.hasSuffix("=>"):
        current.append(character)
        close()
        braces.append(true)
      case "{":
        braces.append(false)
        current.append(character)
      case "}" where braces.popLast() ?? true:
        close()
        current = "}"
      case ";":
        if depth <= 0 { close() } else { current.append(character) }
      case _ where character.isNewline:
        if depth <= 0, !current.trimmed.hasSuffix(","), !current.trimmed.hasSuffix("="),
          characters.first(where: { !$0.isWhitespace }) != "."
        {
          close()
        } else {
          current.append(" ")
        }
      default: current.append(character)
      }
    }
    close()
    return result
  }

  /// Skips the rest of a `/* … */` comment. The first `/` was already read; the next character is the `*`.
  private static func skipComment(_ characters: inout ArraySlice<Character>) {
    _ = characters.popFirst()
    var previous: Character = " "
    while let next = characters.popFirst(), !(previous == "*" && next == "/") { previous = next }
  }

  private mutating func take(_ statement: String) {
    let whole = statement.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let text = Self.arrowBody(of: whole) ?? whole
    // This call only contains other statements.
    if text.hasPrefix("pm.test(") && text.hasSuffix("{") { return }
    if ["}", "})", "});", "} )", "})()"].contains(text) || text.hasPrefix("console.log(") || text == "\"use strict\"" { return }
    if takeBody(text) || takeStatus(text) || takeHeader(text) || takeTime(text) || takeValue(text) || takeVariable(text) { return }
    untranslated.append(text)
  }

  /// Returns the expression that `pm.test("…", () => EXPRESSION)` checks; nil for any other statement.
  private static func arrowBody(of text: String) -> String? {
    guard text.hasPrefix("pm.test("), text.hasSuffix(")"), let arrow = text.firstRange(of: "() =>") ?? text.firstRange(of: "()=>") else {
      return nil
    }
    return String(text[arrow.upperBound...].dropLast()).trimmed
  }

  // MARK: Forms

  /// Reads a statement such as `const body = pm.response.json()` or `let id = body.id`. Returns false for any other statement.
  private mutating func takeBody(_ text: String) -> Bool {
    var rest = text[...]
    for word in ["const ", "let ", "var "] where rest.hasPrefix(word) { rest = rest.dropFirst(word.count) }
    guard let equals = rest.firstIndex(of: "="), rest.index(after: equals) < rest.endIndex, rest[rest.index(after: equals)] != "=" else {
      return false
    }
    let name = rest[..<equals].trimmed
    let value = String(rest[rest.index(after: equals)...]).trimmed
    guard Self.isName(name), let path = path(value) else { return false }
    bodies[name] = path
    return true
  }

  private mutating func takeStatus(_ text: String) -> Bool {
    if let code = Self.argument(of: "pm.response.to.have.status", in: text) {
      guard let number = Int(code) else { return false }
      return expect("status", .number(String(number)))
    }
    if text == "pm.response.to.be.ok" || text == "pm.response.to.be.success" { return expect("status", .string("2xx")) }
    if let (subject, verb, value) = Self.comparison(text), ["pm.response.code", "responseCode.code"].contains(subject) {
      if verb == "oneOf", let codes = Self.literal(value)?.arrayValue { return expect("status", .list(codes.map { ImportedValue($0) })) }
      guard Self.isEquality(verb), let code = Int(value) else { return false }
      return expect("status", .number(String(code)))
    }
    return false
  }

  private mutating func takeHeader(_ text: String) -> Bool {
    if let argument = Self.argument(of: "pm.response.to.have.header", in: text) {
      let values = Self.literal("[\(argument)]")?.arrayValue ?? []
      guard let name = values.first?.stringValue, Self.isField(name) else { return false }
      return expect("headers", .object([(name, values.count > 1 ? ImportedValue(values[1]) : .object([("exists", .bool(true))]))]))
    }
    guard let (subject, verb, value) = Self.comparison(text), let argument = Self.argument(of: "pm.response.headers.get", in: subject),
      let name = Self.literal(argument)?.stringValue, Self.isField(name), let wanted = Self.literal(value), wanted.stringValue != nil
    else { return false }
    if Self.isEquality(verb) { return expect("headers", .object([(name, ImportedValue(wanted))])) }
    guard ["include", "contain"].contains(verb) else { return false }
    return expect("headers", .object([(name, .object([("contains", ImportedValue(wanted))]))]))
  }

  private mutating func takeTime(_ text: String) -> Bool {
    guard let (subject, verb, value) = Self.comparison(text), subject == "pm.response.responseTime",
      ["below", "lessThan", "lt"].contains(verb),
      let limit = Int(value), limit > 0
    else { return false }
    return expect("time", .object([("lt", .string("\(limit)ms"))]))
  }

  private mutating func takeValue(_ text: String) -> Bool {
    if text.hasPrefix("pm.expect(pm.response.text())"), let (_, verb, value) = Self.comparison(text),
      ["include", "contain"].contains(verb),
      let wanted = Self.literal(value), wanted.stringValue != nil
    {
      return expect("body", .object([("contains", ImportedValue(wanted))]))
    }
    guard let (subject, verb, value) = Self.comparison(text), let path = path(subject) else { return false }
    func expectPath(_ wanted: ImportedValue) -> Bool { expect("json", .object([(path, wanted)])) }
    if Self.isEquality(verb) {
      guard let wanted = Self.literal(value) else { return false }
      if case .object = wanted { return expectPath(.object([("eq", ImportedValue(wanted))])) }
      return expectPath(ImportedValue(wanted))
    }
    let predicates = [
      "above": "gt", "greaterThan": "gt", "gt": "gt", "below": "lt", "lessThan": "lt", "lt": "lt", "least": "gte", "most": "lte",
      "include": "contains", "contain": "contains", "oneOf": "in", "lengthOf": "length", "length": "length",
    ]
    if verb == "a" || verb == "an" {
      guard let type = Self.literal(value)?.stringValue, ["string", "number", "boolean", "array", "object", "null"].contains(type) else {
        return false
      }
      return expectPath(.object([("type", .string(type))]))
    }
    if verb == "property" {
      guard let name = Self.literal(value)?.stringValue else { return false }
      return expect("json", .object([(path + Self.member(name), .object([("exists", .bool(true))]))]))
    }
    guard let predicate = predicates[verb], let wanted = Self.literal(value) else { return false }
    if ["gt", "lt", "gte", "lte", "length"].contains(predicate), wanted.numberValue == nil { return false }
    return expectPath(.object([(predicate, ImportedValue(wanted))]))
  }

  /// Reads a statement such as `pm.environment.set("token", body.token)`. Returns false for any other statement.
  private mutating func takeVariable(_ text: String) -> Bool {
    for scope in ["environment", "collectionVariables", "globals", "variables"] {
      guard let argument = Self.argument(of: "pm.\(scope).set", in: text), let comma = argument.firstIndex(of: ","),
        let name = Self.literal(String(argument[..<comma]))?.stringValue
      else { continue }
      let value = String(argument[argument.index(after: comma)...]).trimmed
      if let path = path(value) {
        extracts.append((name, .string(path)))
        return true
      }
      if let header = Self.argument(of: "pm.response.headers.get", in: value).flatMap(Self.literal)?.stringValue, Self.isField(header) {
        extracts.append((name, .object([("header", .string(header))])))
        return true
      }
    }
    return false
  }

  private mutating func expect(_ key: String, _ value: ImportedValue) -> Bool {
    expectations.append((key, value))
    return true
  }

  // MARK: Words

  /// Converts a term such as `body.a[0].b` to a JSONPath, if `body` is a name for the JSON body. Returns nil for any other term.
  private func path(_ text: String) -> String? {
    var rest = text[...]
    var path = ""
    if rest.hasPrefix("pm.response.json()") {
      path = "$"
      rest = rest.dropFirst("pm.response.json()".count)
    } else {
      let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }
      guard let known = bodies[String(name)] else { return nil }
      path = known
      rest = rest.dropFirst(name.count)
    }
    while let first = rest.first {
      if first == "." {
        let name = rest.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }
        guard !name.isEmpty, name.first?.isNumber == false, name != "length" else { return nil }
        path += Self.member(String(name))
        rest = rest.dropFirst(name.count + 1)
      } else if first == "[", let end = rest.firstIndex(of: "]") {
        let inner = String(rest[rest.index(after: rest.startIndex)..<end])
        if let index = Int(inner), index >= 0 {
          path += "[\(index)]"
        } else if let name = Self.literal(inner)?.stringValue {
          path += Self.member(name)
        } else {
          return nil
        }
        rest = rest[rest.index(after: end)...]
      } else {
        return nil
      }
    }
    return path
  }

  private static func member(_ name: String) -> String {
    let isPlain = isName(name) && !name.contains("$") && name.utf8.allSatisfy { $0 < 0x80 }
    return isPlain ? ".\(name)" : "[" + JSONValue.string(name).jsonText() + "]"
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.first?.isNumber == false && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }
  }

  private static func isField(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !Array("()<>@,;:\\\"/[]?={}".utf8).contains($0) }
  }

  private static func isEquality(_ verb: String) -> Bool { ["eql", "equal", "equals", "eq"].contains(verb) }

  /// Returns the text in the parentheses if `text` is a call of `function`; nil otherwise.
  private static func argument(of function: String, in text: String) -> String? {
    guard text.hasPrefix(function + "("), text.hasSuffix(")") else { return nil }
    return String(text.dropFirst(function.count + 1).dropLast())
  }

  /// Reads a comparison such as `pm.expect(SUBJECT).to.be.VERB(VALUE)`. Returns nil for any other text, and if the comparison contains
  /// `not`.
  private static func comparison(_ text: String) -> (subject: String, verb: String, value: String)? {
    guard text.hasPrefix("pm.expect("), text.hasSuffix(")") else { return nil }
    var depth = 1
    var end = text.index(text.startIndex, offsetBy: 10)
    while end < text.endIndex, depth > 0 {
      if text[end] == "(" { depth += 1 }
      if text[end] == ")" { depth -= 1 }
      if depth > 0 { end = text.index(after: end) }
    }
    guard end < text.endIndex else { return nil }
    let subject = String(text[text.index(text.startIndex, offsetBy: 10)..<end]).trimmed
    let rest = text[text.index(after: end)...].dropLast()
    guard rest.hasPrefix("."), let open = rest.firstIndex(of: "(") else { return nil }
    let words = rest[..<open].split(separator: ".").map(String.init)
    let chain: Set<String> = ["to", "be", "been", "is", "that", "have", "has", "deep", "at", "of"]
    guard let verb = words.last, words.dropLast().allSatisfy({ chain.contains($0) }) else { return nil }
    return (subject, verb, String(rest[rest.index(after: open)...]).trimmed)
  }

  /// Parses a JavaScript literal that is valid JSON, or becomes valid JSON if double quotes replace its single quotes. Returns nil for any
  /// other text.
  private static func literal(_ text: String) -> JSONValue? {
    var source = text.trimmed
    if source.hasPrefix("'"), source.hasSuffix("'"), source.count >= 2,
      !source.dropFirst().dropLast().contains(where: { $0 == "'" || $0 == "\\" || $0 == "\"" })
    {
      source = "\"\(source.dropFirst().dropLast())\""
    } else if source.hasPrefix("["), !source.contains("\""), !source.contains("\\") {
      source = source.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "\"")
    }
    do throws(JSONParsingError) {
      return try JSONValue(parsing: source)
    } catch {
      return nil
    }
  }
}
