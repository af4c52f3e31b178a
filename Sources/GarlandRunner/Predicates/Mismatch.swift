import GarlandDiagnostics
import GarlandJSON

/// Why one predicate does not hold for a value.
struct Mismatch {
  /// The words after the subject of the sentence: `is 404, expected 201`.
  var message: String
  /// The expected value, on a line.
  var expected: String?
  /// The actual value, on a line.
  var actual: String?
  /// The difference of two structures or texts.
  var difference: [String] = []
  /// The advice.
  var help: String?
  /// The place of the expectation in the document.
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

  /// Returns the mismatch for a part of the value.
  func inside(_ words: String, _ element: JSONPathElement? = nil) -> Mismatch {
    var copy = self
    copy.message = "\(words) \(message)"
    if let element { copy.place.insert(element, at: 0) }
    return copy
  }
}
