import GarlandDiagnostics
import GarlandJSON
import GarlandText
import GarlandTransfer
import GarlandWorkflow

/// The shell variables that replace secrets in a curl command.
///
/// A variable contains exactly the bytes that the command needs at its position. If the command needs a secret in an encoded form, a
/// separate variable contains the encoded secret. The name of this separate variable ends with the name of the encoding, such as
/// `TOKEN_URLENCODED`.
struct ShellVariables {
  /// A shell variable that replaces a secret value in a curl command.
  struct Variable: Sendable {
    var name: String
    var value: String
    /// The value that the user must assign, described by a noun phrase: "the secret `TOKEN`, percent-encoded".
    var meaning: String
    /// Whether the variable contains a declared secret. Such a variable is already in the user's environment, so that a command need not
    /// explain it.
    var isDeclared = false
  }

  /// A command and the variables that it uses.
  struct Command {
    var text: String
    /// The variables in the order in which they were added, except that variables with the encoded form of a secret are at the end.
    var variables: [Variable]
  }

  /// The maximum number of strings and numbers within one value that get their own shell variables.
  private static let leafLimit = 1000

  private(set) var all: [Variable] = []
  private var values: Set<String> = []

  /// Adds a shell variable for a declared secret. The variable has the same name as the secret, since the environment contains the secret
  /// under this name. A name that is invalid in a shell is converted.
  mutating func add(secret name: String, _ value: String) {
    add(value, name: Self.isIdentifier(name) ? name : Self.name(of: name), meaning: "the secret `\(name)`", isDeclared: true)
  }

  /// Adds a variable for a secret value. If the value was added before, the earlier variable is kept.
  mutating func add(_ value: String, name: String, meaning: String) {
    add(value, name: Self.name(of: name), meaning: meaning, isDeclared: false)
  }

  private mutating func add(_ value: String, name: String, meaning: String, isDeclared: Bool) {
    guard !value.isEmpty, values.insert(value).inserted else { return }
    all.append(Variable(name: name, value: value, meaning: meaning, isDeclared: isDeclared))
  }

  /// Adds a shell variable for each secret within a value. The name of the variable is derived from the path of the secret: `login.t.a`
  /// becomes `LOGIN_T_A`.
  mutating func add(_ value: Value, path: String, meaning: (String) -> String) {
    guard value.isTainted else { return }
    var left = Self.leafLimit
    add(value, path, meaning, &left)
  }

  private mutating func add(_ value: Value, _ path: String, _ meaning: (String) -> String, _ left: inout Int) {
    switch value {
    case .plain: break
    case .secret(let json): add(json, path, meaning, &left)
    case .list(let items): for (index, item) in items.enumerated() { add(item, "\(path)[\(index)]", meaning, &left) }
    case .sparse(let items):
      for (index, item) in items.enumerated() { if let item { add(item, "\(path)[\(index)]", meaning, &left) } }
    case .object(let members): for member in members { add(member.value, Self.path(path, member.key), meaning, &left) }
    }
  }

  private mutating func add(_ value: JSONValue, _ path: String, _ meaning: (String) -> String, _ left: inout Int) {
    guard left > 0 else { return }
    switch value {
    case .null, .bool: break
    case .number(let number):
      left -= 1
      add(number.text, name: path, meaning: meaning(path))
    case .string(let text):
      left -= 1
      add(text, name: path, meaning: meaning(path))
    case .array(let items): for (index, item) in items.enumerated() { add(item, "\(path)[\(index)]", meaning, &left) }
    case .object(let members): for member in members { add(member.value, Self.path(path, member.key), meaning, &left) }
    }
  }

  /// Adds a shell variable for a secret value. Adds none if the value is too short to be masked, or if the values of earlier variables
  /// already cover all secret parts of the value.
  ///
  /// To find the secret parts, the function removes the values of the earlier variables from `value`. If each remaining piece occurs in
  /// `visible`, no piece is secret.
  ///
  /// - Parameter visible: text that need not be masked.
  mutating func addUnlessComposed(_ value: String, besides visible: String, name: String, meaning: String) {
    guard value.count >= Redactor.minimumLength, !isComposed(value, besides: visible) else { return }
    add(value, name: name, meaning: meaning)
  }

  private func isComposed(_ value: String, besides visible: String) -> Bool {
    let parts = all.map(\.value).filter { Self.isPart($0, of: value) }.sorted { $0.utf8.count > $1.utf8.count }
    guard !parts.isEmpty else { return false }
    let pieces = parts.reduce([value[...]]) { pieces, part in pieces.flatMap { $0.split(separator: part) } }
    return pieces.allSatisfy { visible.contains($0) }
  }

  /// Returns whether a text contains the text `part`. A short part must be a separate word, since it may otherwise occur by coincidence.
  private static func isPart(_ part: String, of text: String) -> Bool {
    if part.utf8.count >= Redactor.minimumLength { return text.contains(part) }
    return text.ranges(of: part).contains { range in
      let before = range.lowerBound > text.startIndex ? text[text.index(before: range.lowerBound)] : nil
      let after = range.upperBound < text.endIndex ? text[range.upperBound] : nil
      return [before, after].allSatisfy { $0.map { !$0.isLetter && !$0.isNumber } ?? true }
    }
  }

  /// Returns the curl command for a request, and the shell variables that the command uses, each with a unique name.
  func command(for request: TransferRequest) -> Command {
    let candidates = all + all.flatMap(Self.forms)
    // Only values that occur in the command get variables.
    let probe = CURLCommand(request, secrets: candidates.enumerated().map { .init(value: $1.value, variable: Self.mark($0)) }).text
    var taken: Set<String> = []
    var used: [Variable] = []
    for (index, candidate) in candidates.enumerated() where probe.contains("${\(Self.mark(index))}") {
      var variable = candidate
      var number = 1
      while !taken.insert(variable.name).inserted {
        number += 1
        variable.name = "\(candidate.name)_\(number)"
      }
      used.append(variable)
    }
    let text = CURLCommand(request, secrets: used.map { .init(value: $0.value, variable: $0.name) }).text
    return Command(text: text, variables: used)
  }

  private static func mark(_ index: Int) -> String { "\u{1}\(index)" }

  // MARK: Encoded

  /// The values of all variables in encoded form: percent-encoded, as a JSON string, and so on.
  var encodedValues: Set<String> { Set(all.flatMap(Self.forms).map(\.value)) }

  /// Returns a variable for each encoded form of the given variable's value, such as the percent-encoded form. A request can contain the
  /// value in any of these forms.
  private static func forms(of variable: Variable) -> [Variable] {
    let value = variable.value
    let query = PercentEncoding.encode(value, keeping: PercentEncoding.queryComponent)
    let percent = PercentEncoding.encode(value)
    let forms = [
      ("_URLENCODED", percent, "percent-encoded"),
      ("_QUERY", query, "percent-encoded, except `/` and `?`"),
      ("_FORM", query.replacing("%20", with: "+"), "percent-encoded, except `/` and `?`, with `+` for spaces"),
      ("_HTMLFORM", PercentEncoding.form(FormEntries.normalised(value)), "encoded as browsers encode forms"),
      ("_URL", PercentEncoding.encode(value, keeping: PercentEncoding.legal), "percent-encoded where a URL requires it"),
      ("_JSON", String(JSONValue.string(value).jsonText().dropFirst().dropLast()), "as written between the quotes of a JSON string"),
      ("_XML", xml(value), "escaped for XML"),
      ("_FILENAME", fileName(value), "with quotes and line breaks as forms write them in names"),
      ("_CRLF", FormEntries.normalised(value), "with each line break as CR LF"),
      ("_TWICE", PercentEncoding.encode(percent), "percent-encoded twice"),
    ]
    var known: Set<String> = [value]
    return forms.compactMap { suffix, form, words in
      guard known.insert(form).inserted else { return nil }
      return Variable(name: variable.name + suffix, value: form, meaning: "\(variable.meaning), \(words)")
    }
  }

  /// Escapes text for an XML property list.
  private static func xml(_ text: String) -> String { Markup.escape(text) { $0 == "\r" ? "&#13;" : nil } }

  /// Escapes text for the names of parts and files in a multipart form (HTML, section 4.10.21.8).
  private static func fileName(_ text: String) -> String {
    // The loop uses scalars, since CR LF is a single character in Swift.
    text.replacingScalars { scalar in
      switch scalar {
      case "\"": return "%22"
      case "\r": return "%0D"
      case "\n": return "%0A"
      default: return nil
      }
    }
  }

  // MARK: Names

  /// Converts a name to a shell variable's name: letters, digits and `_`, in upper case.
  static func name(of name: String) -> String {
    var letters = ""
    for scalar in name.unicodeScalars {
      let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
      if isPlain { letters.unicodeScalars.append(scalar) } else if letters.last != "_" { letters += "_" }
    }
    while letters.last == "_" { letters.removeLast() }
    let name = letters.uppercased()
    return name.first?.isNumber ?? true ? "_" + name : name
  }

  private static func isIdentifier(_ name: String) -> Bool {
    guard let first = name.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return false }
    return name.unicodeScalars.allSatisfy { $0.isASCII && ($0.properties.isAlphabetic || $0 == "_" || ("0"..."9").contains($0)) }
  }

  private static func path(_ path: String, _ key: String) -> String {
    isIdentifier(key) ? "\(path).\(key)" : "\(path)['\(key)']"
  }
}
