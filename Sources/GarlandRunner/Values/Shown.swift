import GarlandJSON
import GarlandWorkflow

/// Formats values for the messages of failures.
enum Shown {
  /// The maximum number of characters of a value that a message quotes within a sentence.
  static let sentence = 80
  /// The maximum number of characters of a value that is shown on a separate line.
  static let line = 240

  /// Returns a value as JSON on one line, shortened to `limit` characters.
  static func value(_ value: JSONValue, limit: Int = sentence) -> String {
    switch value {
    case .string(let text):
      let beginning = masked(beginningOf: text, limit)
      return cut(JSONValue.string(String(beginning.prefix(limit + 1))).jsonText(), limit, isCut: beginning.utf8.count > limit * 4)
    case .array(let items): return items.count > 40 ? list(items, limit) : cut(value.jsonText(), limit)
    default: return cut(value.jsonText(), limit)
    }
  }

  /// Returns a value as text. If the value is nil, returns a description of its absence.
  static func value(_ value: JSONValue?, limit: Int = sentence) -> String {
    value.map { self.value($0, limit: limit) } ?? "nothing"
  }

  private static func list(_ items: [JSONValue], _ limit: Int) -> String {
    cut(JSONValue.array(Array(items.prefix(40))).jsonText(), limit, isCut: true)
  }

  /// Returns a description of a value that shows its kind: `the text "9.50"`, `the number 12`, `a list of 3 items`, `null`.
  static func found(_ value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number: "the number \(self.value(value))"
    case .string(let text): text.isEmpty ? "empty text" : "the text \(self.value(value))"
    case .array(let items): items.isEmpty ? "an empty list" : "a list of \(count(items.count, "item"))"
    case .object(let object): object.isEmpty ? "an empty object" : "an object with \(count(object.count, "member"))"
    }
  }

  /// Returns a short form of a value: the size of a list or an object, a text without quotes, or any other value as JSON.
  static func brief(_ value: JSONValue) -> String {
    switch value {
    case .array(let items): "a list of \(items.count)"
    case .object(let object): "an object with \(count(object.count, "member"))"
    case .string(let text): cut(text, line)
    case .null, .bool, .number: self.value(value, limit: line)
    }
  }

  /// Returns the name of a kind of JSON value with its article, such as `a number`.
  static func kind(_ kind: JSONValue.Kind) -> String {
    switch kind {
    case .null: "null"
    case .boolean: "a boolean"
    case .number: "a number"
    case .string: "text"
    case .array: "a list"
    case .object: "an object"
    }
  }

  static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

  static func cut(_ text: String, _ limit: Int, isCut: Bool = false) -> String {
    guard text.utf8.count > limit else { return text }
    let text = masked(beginningOf: text, limit)
    guard text.utf8.count > limit else { return text }
    guard isCut || text.unicodeScalars.count > limit else { return text }
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: text.unicodeScalars.prefix(limit - 1))
    return String(scalars) + "…"
  }

  // MARK: Secrets

  /// The registry whose secrets are masked in a text before the text is shortened. In the shortened text, a secret whose end was cut off
  /// would no longer be recognised.
  @TaskLocal private static var secrets: (any SecretRegistry)?

  /// The number of characters after the cut that are also searched for secrets when a text is shortened. A secret may begin before the cut
  /// and end after it.
  private static let reach = 64 << 10

  static func masking<Result>(secretsOf context: any EvaluationContext, _ body: () -> Result) -> Result {
    masking(context.secretRegistry, body)
  }

  /// Calls `body`, and masks the secrets of the registry in the texts that `body` formats.
  static func masking<Result>(_ registry: any SecretRegistry, _ body: () -> Result) -> Result {
    registry.hasSecrets ? $secrets.withValue(registry, operation: body) : body()
  }

  /// Masks the secrets in a text, and returns the text.
  static func masked(_ text: String) -> String { secrets?.masked(text) ?? text }

  /// Returns the beginning of a text with its secrets masked. The caller must then shorten the result to `limit` characters: the result may
  /// be longer.
  static func masked(beginningOf text: String, _ limit: Int) -> String {
    guard text.utf8.count > limit * 4 + reach else { return masked(text) }
    return masked(String(text.unicodeScalars.prefix(limit + reach)) + "…")
  }

  /// Returns a list of quoted names: "`a`, `b` or `c`". If there are more names than `limit`, the list ends with "and 6 more".
  static func list(_ names: some Collection<String>, _ conjunction: String = "and", limit: Int? = nil) -> String {
    let quoted = names.prefix(limit ?? names.count).map { "`\($0)`" }
    if quoted.count < names.count { return quoted.joined(separator: ", ") + " \(conjunction) \(names.count - quoted.count) more" }
    guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "" }
    return quoted.dropLast().joined(separator: ", ") + " \(conjunction) " + last
  }
}
