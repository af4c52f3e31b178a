import GarlandDiagnostics
import GarlandJSON

/// The reason why a predicate is false for a value.
struct Mismatch {
  /// The message for a missing value. Like every message, it follows its subject in a sentence: `json $.id is missing`.
  static let missing = "is missing"

  /// The message without its subject, such as `is 404, expected 201`. The caller writes the subject, such as `status`, before the message.
  var message: String
  /// The expected value, on one line; nil if the failure shows no expected value.
  var expected: String?
  /// The actual value, on one line.
  var actual: String?
  /// The lines of a difference between two structures or texts.
  var difference: [String] = []
  /// Advice on how to correct the mistake.
  var help: String?
  /// The source range of the expectation in the document.
  var range: SourceRange?
  /// The name of the item with which the message begins, such as `item 1`; nil if the message is about the whole value.
  private var item: String?
  /// The path, from the value's root, to the part that does not match.
  var place: [JSONPathElement] = []
  /// Whether the predicate cannot be applied to this kind of value. In this case, the negated predicate fails too.
  var isUnfit = false
  /// Whether the expected value in the document could not be computed. In this case the check says nothing about the response.
  var isValueError = false
  /// Whether the check failed because a file on this machine is missing or can't be read.
  var concernsFile = false

  init(_ message: String, at range: SourceRange?, expected: String? = nil, actual: String? = nil, help: String? = nil) {
    self.message = message
    self.range = range
    self.expected = expected
    self.actual = actual
    self.help = help
  }

  /// The mismatch that the predicate `not` reports if its inner predicate can't be applied to the value, so that both predicates fail.
  ///
  /// - If ``actual`` is nil, "not" is put before the expected value.
  /// - If ``actual`` is set, the mismatch is unchanged. Its expected value is then a requirement of both predicates, for example a list
  ///   with at least one item.
  var negated: Mismatch {
    guard actual == nil else { return self }
    var copy = self
    copy.expected = expected.map { "not \($0)" }
    return copy
  }

  /// Converts this mismatch of an item into a mismatch of the list that contains the item. The message of the result begins with the item's
  /// index.
  func inside(item index: Int) -> Mismatch {
    var copy = self
    let item = "item \(index)"
    copy.message = "\(item) \(message)"
    copy.item = item
    copy.place.insert(.index(index), at: 0)
    return copy
  }

  /// Converts this mismatch, which is about a selected value of a JSON text, to a mismatch of the whole text. An example of the new message
  /// is "is JSON text in which item 1 of `$[*].id` is 8".
  ///
  /// - Parameters:
  ///   - path: the path that selects the value.
  ///   - words: the beginning of the new message, such as "is JSON text in which".
  func selected(by path: String, in words: String) -> Mismatch {
    var copy = self
    let subject = item.map { "\($0) of \(path)" } ?? "\(path) "
    copy.message = "\(words) \(subject)\(message.dropFirst(item?.count ?? 0))"
    copy.item = nil
    return copy
  }
}
