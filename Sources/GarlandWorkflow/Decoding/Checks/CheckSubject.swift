import GarlandJSON

/// Describes the value that a predicate checks, such as the status: the name, the possible kinds and the unit of the value. The description
/// contains only what is known before the run.
struct CheckSubject {
  enum Unit {
    case none
    /// The value is a number of seconds. Predicates may compare it with a duration such as `500ms`.
    case duration
    /// The value is a number of bytes. Predicates may compare it with a size such as `10 MB`.
    case size
  }

  /// The name of the checked value in error messages.
  var words: String { path.map { "`\(Words.excerpt($0.text))`" } ?? name }
  private let name: String
  /// The JSONPath that selects the checked value; nil for a value that no JSONPath selects. Errors name the value by the text of this path.
  /// The text is created only when an error needs it.
  private var path: JSONPath?
  /// The possible kinds of the checked value.
  let kinds: ValueKinds
  /// The unit of the checked value if it is a number: none, a duration or a size.
  var unit = Unit.none
  /// Whether the checked value is the list of all values that a JSONPath selects. The author of the expectation may have meant a single
  /// value.
  var isNodeList = false

  init(words: String, kinds: ValueKinds, unit: Unit = .none) {
    name = words
    self.kinds = kinds
    self.unit = unit
  }

  /// Creates the description of the value that a JSONPath selects.
  init(_ path: JSONPath) {
    name = ""
    kinds = path.isSingular ? .any : .list
    isNodeList = !path.isSingular
    self.path = path
  }

  static func text(_ words: String) -> CheckSubject { CheckSubject(words: words, kinds: .text) }
  static func number(_ words: String, whole: Bool) -> CheckSubject { CheckSubject(words: words, kinds: .number) }

  /// The description of an item of the checked list, for predicates that check each item.
  var item: CheckSubject { CheckSubject(words: "an item of \(words)", kinds: .any, unit: unit) }
  /// Describes the length of the checked value, for predicates that check this length. The length is the number of characters, items or
  /// members.
  var length: CheckSubject { CheckSubject(words: "the length of \(words)", kinds: .number) }
}

extension CookieFact {
  /// Describes this part of a cookie, such as the value or the path, for predicates that check this part.
  var subject: CheckSubject {
    switch self {
    case .value: .text("the cookie's `value`")
    case .path: .text("the cookie's `path`")
    case .domain: .text("the cookie's `domain`")
    case .expires: .text("the cookie's `expires`")
    case .maxAge: .number("the cookie's `max_age`", whole: true)
    case .secure, .httpOnly: CheckSubject(words: "the cookie's `\(rawValue)`", kinds: .boolean)
    case .sameSite: .text("the cookie's `same_site`")
    }
  }
}
