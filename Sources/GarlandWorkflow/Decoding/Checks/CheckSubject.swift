import GarlandJSON

/// The subject of predicates.
struct CheckSubject {
  enum Unit {
    case none
    /// Seconds, written as durations.
    case duration
    /// Bytes, which may be written as sizes.
    case size
  }

  /// Its name in errors.
  var words: String { path.map { "`\(Words.excerpt($0.text))`" } ?? name }
  private let name: String
  /// The path that selects it, whose text names it: put into words only for an error.
  private var path: JSONPath?
  /// The possible kinds of the subject.
  let kinds: ValueKinds
  /// The unit of its numbers.
  var unit = Unit.none
  /// Whether it is the list of the values that a path selects, although a single value may be
  /// intended.
  var isNodeList = false

  init(words: String, kinds: ValueKinds, unit: Unit = .none) {
    name = words
    self.kinds = kinds
    self.unit = unit
  }

  /// The value that a path selects.
  init(_ path: JSONPath) {
    name = ""
    kinds = path.isSingular ? .any : .list
    isNodeList = !path.isSingular
    self.path = path
  }

  static func text(_ words: String) -> CheckSubject { CheckSubject(words: words, kinds: .text) }
  static func number(_ words: String, whole: Bool) -> CheckSubject { CheckSubject(words: words, kinds: .number) }

  /// The items of a list.
  var item: CheckSubject { CheckSubject(words: "an item of \(words)", kinds: .any, unit: unit) }
  /// The number of characters, items or members.
  var length: CheckSubject { CheckSubject(words: "the length of \(words)", kinds: .number) }
}

extension CookieFact {
  /// The subject as predicates see it.
  var subject: CheckSubject {
    switch self {
    case .value: .text("the cookie's value")
    case .path: .text("the path")
    case .domain: .text("the domain")
    case .expires: .text("the time")
    case .maxAge: .number("the number of seconds", whole: true)
    case .secure, .httpOnly: CheckSubject(words: "`\(rawValue)`", kinds: .boolean)
    case .sameSite: .text("`same_site`")
    }
  }
}
