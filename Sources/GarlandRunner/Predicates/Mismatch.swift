import GarlandDiagnostics
import GarlandJSON

/// Why one predicate does not hold for a value.
struct Mismatch {
  /// What follows the subject in a sentence: `is 404, expected 201`.
  var message: String
  /// What was expected, on a line.
  var expected: String?
  /// What was found, on a line.
  var actual: String?
  /// Where two structures or texts differ.
  var difference: [String] = []
  /// What to do about it.
  var help: String?
  /// Where in the document it was asked for.
  var range: SourceRange?
  /// The place within the value that does not fit, from its root.
  var place: [JSONPathElement] = []
  /// Whether the predicate can't be asked of such a value at all, so that its opposite does not hold either.
  var isUnfit = false
  /// Whether a value that the document gives could not be made: then there is nothing to say about the response.
  var isValueError = false
  /// Whether a file of this machine is why.
  var concernsFile = false

  init(_ message: String, at range: SourceRange?, expected: String? = nil, actual: String? = nil, help: String? = nil) {
    self.message = message
    self.range = range
    self.expected = expected
    self.actual = actual
    self.help = help
  }

  /// The same for a part of the value that was looked at.
  func inside(_ words: String, _ element: JSONPathElement? = nil) -> Mismatch {
    var copy = self
    copy.message = "\(words) \(message)"
    if let element { copy.place.insert(element, at: 0) }
    return copy
  }
}
