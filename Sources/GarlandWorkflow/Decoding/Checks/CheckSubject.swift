import GarlandJSON

/// The value that a predicate checks, as far as it is known before the run.
struct CheckSubject {
  enum Unit {
    case none
    /// A number of seconds, written as a duration.
    case duration
    /// A number of bytes, which may be written as a size.
    case size
  }

  /// The name of the checked value in error messages.
  var words: String { path.map { "`\(Words.excerpt($0.text))`" } ?? name }
  private let name: String
  /// The JSONPath that selects the subject; nil for other subjects. The name of the subject is the text of this path, and is created only
  /// when an error needs it.
  private var path: JSONPath?
  /// The possible kinds of the subject.
  let kinds: ValueKinds
  /// The unit of the subject's numbers.
  var unit = Unit.none
  /// Whether the subject is the list of all values that a JSONPath selects. The author may have expected a single value.
  var isNodeList = false

  init(words: String, kinds: ValueKinds, unit: Unit = .none) {
    name = words
    self.kinds = kinds
    self.unit = unit
  }

  /// Creates the subject for the value that a JSONPath selects.
  init(_ path: JSONPath) {
    name = ""
    kinds = path.isSingular ? .any : .list
    isNodeList = !path.isSingular
    self.path = path
  }

  static func text(_ words: String) -> CheckSubject { CheckSubject(words: words, kinds: .text) }
  static func number(_ words: String, whole: Bool) -> CheckSubject { CheckSubject(words: words, kinds: .number) }

  /// The subject of predicates that check each item of the list.
  var item: CheckSubject { CheckSubject(words: "an item of \(words)", kinds: .any, unit: unit) }
  /// The subject of predicates that check the length of the value: the number of characters, items or members.
  var length: CheckSubject { CheckSubject(words: "the length of \(words)", kinds: .number) }
}

extension CookieFact {
  /// The value of this cookie attribute as the subject of predicates.
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
