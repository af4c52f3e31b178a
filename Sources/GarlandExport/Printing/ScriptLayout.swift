import GarlandJSON

/// The syntax of the programming language in which a script is printed.
protocol ScriptLanguage {
  /// Returns a JSON value as a literal of the language, on one line.
  func literal(_ value: JSONValue) -> String
  /// Returns the text that begins a closure with the given parameters, such as `(a) => ` in JavaScript.
  func closureHead(_ parameters: [String]) -> String
  /// Whether a mapping that is the body of a closure must be in parentheses, as in JavaScript: `() => ({ … })`.
  var wrapsMappings: Bool { get }
  /// Returns the text of a mapping key that is computed from the expression `name`, such as `[NAME]` in JavaScript.
  func computedName(_ name: String) -> String
}

/// Formats nodes of a script as lines of at most 120 columns.
struct ScriptLayout<Language: ScriptLanguage> {
  let language: Language
  private static var width: Int { 120 }

  init(_ language: Language) { self.language = language }

  /// Returns the text of a node that begins in the given column of a line with the given indentation.
  func text(_ node: ScriptNode, indentation: Int, column: Int) -> String {
    let flat = flat(node)
    guard column + flat.count > Self.width else { return flat }
    let inner = indentation + 2
    let margin = "\n" + String(repeating: " ", count: inner)
    let end = "\n" + String(repeating: " ", count: indentation)
    func lines(_ open: String, _ items: [String], _ close: String) -> String {
      open + items.map { margin + $0 + "," }.joined() + end + close
    }
    switch node {
    case .list(let items) where !items.isEmpty:
      return lines("[", items.map { text($0, indentation: inner, column: inner + 1) }, "]")
    case .object(let members) where !members.isEmpty:
      let items = members.map { member in
        let name = self.name(member.name) + ": "
        return name + text(member.value, indentation: inner, column: inner + name.count + 1)
      }
      return lines("{", items, "}")
    case .call(let name, let arguments) where !arguments.isEmpty:
      return lines("run.\(name)(", arguments.map { text($0, indentation: inner, column: inner + 1) }, ")")
    case .closure(let parameters, let body):
      let head = language.closureHead(parameters)
      let wraps = wraps(body)
      return head + (wraps ? "(" : "") + text(body, indentation: indentation, column: column + head.count + 1) + (wraps ? ")" : "")
    default: return flat
    }
  }

  private func flat(_ node: ScriptNode) -> String {
    switch node {
    case .literal(let value): return language.literal(value)
    case .list(let items): return "[" + items.map(flat).joined(separator: ", ") + "]"
    case .object(let members): return "{" + members.map { "\(name($0.name)): \(flat($0.value))" }.joined(separator: ", ") + "}"
    case .call(let name, let arguments): return "run.\(name)(" + arguments.map(flat).joined(separator: ", ") + ")"
    case .parameter(let name): return name
    case .closure(let parameters, let body):
      let wraps = wraps(body)
      return language.closureHead(parameters) + (wraps ? "(" : "") + flat(body) + (wraps ? ")" : "")
    }
  }

  private func name(_ node: ScriptNode) -> String {
    if case .literal = node { return flat(node) }
    return language.computedName(flat(node))
  }

  /// Whether the body of a closure needs parentheses. True for a mapping, in a language that would otherwise read the mapping's braces as a
  /// block of statements.
  private func wraps(_ node: ScriptNode) -> Bool {
    guard language.wrapsMappings else { return false }
    switch node {
    case .object: return true
    case .literal(.object): return true
    default: return false
    }
  }
}
