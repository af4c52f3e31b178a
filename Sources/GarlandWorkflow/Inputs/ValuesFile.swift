public import GarlandDiagnostics
public import GarlandJSON
import GarlandYAML

/// Reads values that are set outside of documents: files with variables, files with secrets, `--var` and `--secret`.
///
/// The format of a file follows from its name: JSON (`.json`), dotenv (`.env`, or a name that begins with `.env`), or else YAML. The format
/// of standard input, and of a file whose name has no ending, is detected by its content. Expressions are not evaluated: a `${…}` in a value
/// is text.
public enum ValuesFile {
  /// The format of a file with variables or secrets.
  public enum Format: Sendable, Hashable {
    case json, dotenv, yaml

    /// Determines the format from the name of a file.
    init(name: String) {
      let base = name.split(separator: "/").last.map(String.init) ?? name
      self = base.hasSuffix(".json") ? .json : base.hasSuffix(".env") || base.hasPrefix(".env") ? .dotenv : .yaml
    }

    /// Determines the format from the ending of a file's name. If the name has no ending, such as `/dev/fd/3` and `/dev/stdin`, the content
    /// determines the format.
    public init(name: String, content bytes: [UInt8]) {
      let base = name.split(separator: "/").last ?? ""
      self = base.contains(".") ? Format(name: name) : Format(content: bytes)
    }

    /// Determines the format from the beginning of the content. JSON begins with `{`, followed by `"` or `}`; dotenv begins with `NAME=`.
    /// Any other content is YAML, such as `{ NAME: value }`.
    public init(content bytes: [UInt8]) {
      let text = String(decoding: bytes.prefix(4096), as: UTF8.self)
      let lines = text.split(whereSeparator: \.isNewline).map { $0.drop { $0 == "\u{FEFF}" || $0 == " " || $0 == "\t" } }
      guard let first = lines.first(where: { !$0.isEmpty && $0.first != "#" }) else {
        self = .yaml
        return
      }
      let name = (first.hasPrefix("export ") ? first.dropFirst(7) : first).prefix { $0 != "=" && $0 != ":" }
      let isPair = name.endIndex < first.endIndex && first[name.endIndex] == "="
      let opening = text.filter { !$0.isWhitespace && $0 != "\u{FEFF}" }.prefix(2)
      self = ["{\"", "{}", "{"].contains(opening) ? .json : isPair && ReservedNames.isName(name.trimmingBlanks) ? .dotenv : .yaml
    }
  }

  /// Reads the variables of a file.
  ///
  /// - Parameters:
  ///   - name: the path of the file, as the user wrote it.
  ///   - format: the format of the file; nil to determine the format from the name.
  ///   - bytes: the content of the file.
  ///   - diagnostics: the list to which errors and warnings are added.
  public static func variables(
    name: String, _ format: Format? = nil, bytes: [UInt8], into diagnostics: inout DiagnosticList
  ) -> [WorkflowDecoder.Override] {
    entries(name: name, format ?? Format(name: name), bytes: bytes, what: "variables", into: &diagnostics).map {
      WorkflowDecoder.Override(name: $0.name, value: $0.value, origin: .file(name))
    }
  }

  /// Reads the secrets of a file. The value of each secret is text.
  ///
  /// - Parameters:
  ///   - name: the path of the file, as the user wrote it.
  ///   - format: the format of the file; nil to determine the format from the name.
  ///   - bytes: the content of the file.
  ///   - diagnostics: the list to which errors are added. No error contains text of the file: each has a fixed message with line and
  ///     column.
  public static func secrets(
    name: String, _ format: Format? = nil, bytes: [UInt8], into diagnostics: inout DiagnosticList
  ) -> [(name: Located<String>, value: String)] {
    var result: [(name: Located<String>, value: String)] = []
    var found = DiagnosticList()
    defer { for diagnostic in found.all { diagnostics.report(SecretsFileWords.withoutSource(diagnostic, of: name)) } }
    for entry in entries(name: name, format ?? Format(name: name), bytes: bytes, what: "secrets", into: &found) {
      switch entry.value {
      case .string(let text): result.append((entry.name, text))
      case .number(let number): result.append((entry.name, number.text))
      case .bool(let value): result.append((entry.name, value ? "true" : "false"))
      case .null, .array, .object:
        found.report(Diagnostic(.wrongType, "the value of a secret must be text", at: entry.name.range))
      }
    }
    return result
  }

  /// Reads the value of `--var`, which has the form `NAME=VALUE`. Returns nil if it is invalid.
  ///
  /// The value gets a type as in YAML: `5` is a number, `[a, b]` a list, `"5"` text. An empty value is empty text.
  public static func variable(_ argument: String, into diagnostics: inout DiagnosticList) -> WorkflowDecoder.Override? {
    guard let (name, text) = pair(argument, option: "--var", into: &diagnostics),
      let value = typedValue(text, name: "--var \(name.value)", into: &diagnostics)
    else { return nil }
    if ExpressionScanner.hasExpression(text) {
      diagnostics.report(
        Diagnostic(.literalExpression, severity: .warning, "`${…}` in `--var` is taken literally", at: name.range)
          .help("expressions belong in documents; `--var-string` takes such a text without a warning"))
    }
    return WorkflowDecoder.Override(name: name, value: value, origin: .commandLine)
  }

  /// Reads the value of `--var-string`, which has the form `NAME=VALUE`. The value of the variable is always text. Returns nil if the form
  /// is invalid.
  public static func textVariable(_ argument: String, into diagnostics: inout DiagnosticList) -> WorkflowDecoder.Override? {
    guard let (name, text) = pair(argument, option: "--var-string", into: &diagnostics) else { return nil }
    return WorkflowDecoder.Override(name: name, value: .string(text), origin: .commandLine)
  }

  /// Converts the text of `--var NAME=TEXT` to the value of the variable: a number, list, mapping, boolean, null or text. Returns nil if
  /// the text is invalid.
  ///
  /// - Parameters:
  ///   - text: the text after the `=`.
  ///   - name: the name of the variable in errors.
  ///   - diagnostics: the list to which errors are added. They do not show the text, since it may be a secret.
  public static func typedValue(_ text: String, name: String, into diagnostics: inout DiagnosticList) -> JSONValue? {
    switch text.utf8.first {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "'"):
      var parsed = DiagnosticList()
      let root = root(name: name, bytes: Array(text.utf8), what: "values", into: &parsed)
      for diagnostic in parsed.all { diagnostics.report(SecretsFileWords.withoutSource(diagnostic, ofValue: name)) }
      guard !parsed.hasErrors, let root else { return nil }
      return plainValue(root)
    default: return typed(text)
    }
  }

  /// Reads the value of `--secret`, which has the form `NAME=VALUE`. The value of the secret is always text, and errors do not show it.
  /// Returns nil if the form is invalid.
  public static func secret(_ argument: String, into diagnostics: inout DiagnosticList) -> (name: Located<String>, value: String)? {
    guard let equals = argument.firstIndex(of: "="), ReservedNames.isName(String(argument[..<equals])) else {
      diagnostics.report(Diagnostic(.badName, "expected `NAME=VALUE` after `--secret`", at: nil))
      return nil
    }
    let name = String(argument[..<equals])
    let file = SourceFile(name: "--secret", bytes: Array(name.utf8))
    return (Located(name, at: SourceRange(file, 0..<name.utf8.count)), String(argument[argument.index(after: equals)...]))
  }

  // MARK: Formats

  private typealias Entry = (name: Located<String>, value: JSONValue)

  private static func entries(
    name: String, _ format: Format, bytes: [UInt8], what: String, into diagnostics: inout DiagnosticList
  ) -> [Entry] {
    switch format {
    case .json: json(name: name, bytes: bytes, what: what, into: &diagnostics)
    case .dotenv: DotenvReader.entries(SourceFile(name: name, bytes: bytes), into: &diagnostics).map { ($0.name, .string($0.value)) }
    case .yaml: yaml(name: name, bytes: bytes, what: what, into: &diagnostics)
    }
  }

  /// Returns the root node of a YAML text; nil if the text is empty or invalid. If the text contains a second document, reports an error,
  /// since the values of that document would be ignored.
  private static func root(name: String, bytes: [UInt8], what: String, into diagnostics: inout DiagnosticList) -> YAMLNode? {
    let filled = YAMLParser.parse(name: name, bytes: bytes, into: &diagnostics).filter { $0.root != nil }
    if filled.count > 1 {
      diagnostics.report(
        Diagnostic(.severalDocuments, "\(what) must be in one YAML document, found another", at: filled[1].range)
          .help("put all \(what) into the first document, or into files of their own"))
    }
    return filled.first?.root
  }

  private static func yaml(name: String, bytes: [UInt8], what: String, into diagnostics: inout DiagnosticList) -> [Entry] {
    guard let root = root(name: name, bytes: bytes, what: what, into: &diagnostics) else { return [] }
    guard let mapping = root.mapping else {
      diagnostics.report(Diagnostic(.wrongType, "expected a mapping of names to values, found \(root.kindDescription)", at: root.range))
      return []
    }
    return mapping.entries.map { entry in
      checkName(entry.name, entry.key.range, into: &diagnostics)
      if what == "variables" { warnOfTemplates(entry.value, into: &diagnostics) }
      return (Located(entry.name, at: entry.key.range), plainValue(entry.value))
    }
  }

  private static func json(name: String, bytes: [UInt8], what: String, into diagnostics: inout DiagnosticList) -> [Entry] {
    let file = SourceFile(name: name, bytes: bytes)
    do {
      let root = try JSONValue(parsing: bytes)
      guard !isPostmanEnvironment(root) else {
        diagnostics.report(
          Diagnostic(.wrongType, "expected a mapping of names to values", at: SourceRange(file, 0..<0))
            .help(adviceOnPostman))
        return []
      }
      guard case .object(let object) = root else {
        diagnostics.report(Diagnostic(.wrongType, "expected a mapping of names to values", at: SourceRange(file, 0..<0)))
        return []
      }
      let start = SourceRange(file, 0..<0)
      return object.map { member in
        checkName(member.key, start, into: &diagnostics)
        return (Located(member.key, at: start), member.value)
      }
    } catch {
      let end = min(error.offset + 1, bytes.count)
      diagnostics.report(Diagnostic(.badJSON, error.message, at: SourceRange(file, min(error.offset, end)..<end)))
      return []
    }
  }

  /// Whether a JSON value is the content of a file that Postman has exported: an environment, or Postman's global variables. Both have a
  /// list `values` of objects that have a `key`.
  package static func isPostmanEnvironment(_ root: JSONValue) -> Bool {
    guard let values = root["values"]?.arrayValue else { return false }
    return root["_postman_variable_scope"] != nil || (!values.isEmpty && values.allSatisfy { $0["key"]?.stringValue != nil })
  }

  /// The advice to a user who passes an environment of Postman, or Postman's global variables, as a file with values.
  package static let adviceOnPostman =
    "this is an environment of Postman: `garland help from-postman` shows how its values become a profile"

  private static func checkName(_ name: String, _ range: SourceRange, into diagnostics: inout DiagnosticList) {
    guard !ReservedNames.isName(name) else { return }
    diagnostics.report(
      Diagnostic(.badName, "`\(Words.excerpt(name))` is not a valid name", at: range)
        .help("a name has letters, digits, `_` and `-`, and begins with a letter or `_`"))
  }

  private static func warnOfTemplates(_ node: YAMLNode, into diagnostics: inout DiagnosticList) {
    guard let scalar = node.scalar, ExpressionScanner.hasExpression(scalar.text) else { return }
    diagnostics.report(
      Diagnostic(.literalExpression, severity: .warning, "`${…}` in a vars file is taken literally", at: node.range)
        .help("expressions belong in documents; a profile may contain them, too"))
  }

  private static func pair(
    _ argument: String, option: String, into diagnostics: inout DiagnosticList
  ) -> (name: Located<String>, value: String)? {
    // No message shows the argument: it may be the value of a secret, or begin with it.
    guard let equals = argument.firstIndex(of: "="), ReservedNames.isName(String(argument[..<equals])) else {
      diagnostics.report(
        Diagnostic(.badName, "expected `NAME=VALUE` after `\(option)`", at: nil)
          .help("a name has letters, digits, `_` and `-`, and begins with a letter or `_`"))
      return nil
    }
    let name = String(argument[..<equals])
    let range = SourceRange(SourceFile(name: option, bytes: Array(name.utf8)), 0..<name.utf8.count)
    return (Located(name, at: range), String(argument[argument.index(after: equals)...]))
  }

  /// Returns the value of an unquoted YAML scalar: a number, boolean, null or text, by the rules that Garland uses for documents.
  private static func typed(_ text: String) -> JSONValue {
    switch text {
    case "null": .null
    case "true": .bool(true)
    case "false": .bool(false)
    default: JSONNumber(text).map { .number($0) } ?? .string(text)
    }
  }

  private static func plainValue(_ node: YAMLNode) -> JSONValue {
    switch node.content {
    case .scalar(let scalar): TemplateCompiler.constant(scalar)
    case .sequence(let items): .array(items.map { plainValue($0) })
    case .mapping(let mapping): .object(JSONObject(mapping.entries.map { ($0.name, plainValue($0.value)) }))
    }
  }
}

extension Substring {
  /// The text without the spaces and tabs at its end.
  fileprivate var trimmingBlanks: String {
    var text = self
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return String(text)
  }
}
