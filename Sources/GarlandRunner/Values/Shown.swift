import GarlandJSON
import GarlandWorkflow

/// The form of values in failures.
enum Shown {
  /// The maximal length of a value within a sentence.
  static let sentence = 80
  /// The maximal length of a value on a line of its own.
  static let line = 240

  /// A value as JSON on one line, cut.
  static func value(_ value: JSONValue, limit: Int = sentence) -> String {
    switch value {
    case .string(let text):
      let beginning = masked(beginningOf: text, limit)
      return cut(JSONValue.string(String(beginning.prefix(limit + 1))).jsonText(), limit, isCut: beginning.utf8.count > limit * 4)
    case .array(let items): return items.count > 40 ? list(items, limit) : cut(value.jsonText(), limit)
    default: return cut(value.jsonText(), limit)
    }
  }

  /// Returns a value, or the words for a missing one.
  static func value(_ value: JSONValue?, limit: Int = sentence) -> String {
    value.map { self.value($0, limit: limit) } ?? "nothing"
  }

  private static func list(_ items: [JSONValue], _ limit: Int) -> String {
    cut(JSONValue.array(Array(items.prefix(40))).jsonText(), limit, isCut: true)
  }

  /// Returns a value, with its kind before it if the value alone does not show it:
  /// `the text "9.50"`, `the number 12`.
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

  /// A value in few words: a list or an object by its size, text without quotes, all else as JSON.
  static func brief(_ value: JSONValue) -> String {
    switch value {
    case .array(let items): "a list of \(items.count)"
    case .object(let object): "an object with \(count(object.count, "member"))"
    case .string(let text): cut(text, line)
    case .null, .bool, .number: self.value(value, limit: line)
    }
  }

  /// A kind with its article.
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

  /// Masks secrets in texts that are cut: half a secret could not be found later, nor one line of
  /// it.
  @TaskLocal private static var secrets: (any SecretRegistry)?

  /// How far a secret may reach beyond the place where a text is cut.
  private static let reach = 64 << 10

  static func masking<Result>(secretsOf context: any EvaluationContext, _ body: () -> Result) -> Result {
    let registry = context.services.secrets
    return registry.hasSecrets ? $secrets.withValue(registry, operation: body) : body()
  }

  /// A text without its secrets.
  static func masked(_ text: String) -> String { secrets?.masked(text) ?? text }

  /// Returns the beginning of a text without its secrets, longer than the part that is shown.
  static func masked(beginningOf text: String, _ limit: Int) -> String {
    guard text.utf8.count > limit * 4 + reach else { return masked(text) }
    return masked(String(text.unicodeScalars.prefix(limit + reach)) + "…")
  }

  /// "`a`, `b` or `c`".
  static func list(_ names: some Collection<String>, _ conjunction: String = "and") -> String {
    let quoted = names.map { "`\($0)`" }
    guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "" }
    return quoted.dropLast().joined(separator: ", ") + " \(conjunction) " + last
  }
}
