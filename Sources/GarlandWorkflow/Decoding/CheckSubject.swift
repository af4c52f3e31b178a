/// What predicates speak of.
struct CheckSubject {
  enum Unit {
    case none
    /// Seconds, written as durations.
    case duration
    /// Bytes, which may be written as sizes.
    case size
  }

  /// How errors name it.
  let words: String
  /// What it can be.
  let kinds: ValueKinds
  /// The unit of its numbers.
  var unit = Unit.none
  /// Whether it is the list of what a path selects, though a single value was perhaps meant.
  var isNodeList = false

  static func text(_ words: String) -> CheckSubject { CheckSubject(words: words, kinds: .text) }
  static func number(_ words: String, whole: Bool) -> CheckSubject { CheckSubject(words: words, kinds: .number) }

  /// The items of a list.
  var item: CheckSubject { CheckSubject(words: "an item of \(words)", kinds: .any, unit: unit) }
  /// The number of characters, items or members.
  var length: CheckSubject { CheckSubject(words: "the length of \(words)", kinds: .number) }
}
