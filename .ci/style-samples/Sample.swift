/// What a response has.
struct Headless {
  /// Writes the report. What fails is left out.
  ///
  /// - Parameter name: Who asks.
  /// - Returns: The answer, and what it cost.
  func write(name: String) {}
}

/// Whether the run has ended: true when no step is left.
let right = true

/// Whether it is one.
let fragment = false

/// The same.
let again = 1  // Both.

// The user is told of each failure, and the caller was told twice.
// A failure that stands here comes to five lines, and is looked at once.
// The letter x stands for any digit, and `nobody stands there` is code.
let phrases = 0

/// The length in bytes
/// of what is sent: who sends it knows it.
///
/// ```swift
/// // What is an example stays as it is, and so does whoever.
/// ```
let code = "what the user reads here is to be mended, and it's to be shown"
let question = "What is the answer, and who knows it?"
let data = "nobody"
let message = "nobody knows what \(code.map { "is told \($0)" }) this file is"
let block = """
  The first line is right.
  Who reads the second does not know.
  """

@Suite("What a sample has") struct SampleTests {
  @Test func works() {}
  @Test(arguments: [
    ("a)", 1),
    ("b", (2)),
  ]) func fails(text: String, number: Int) {}
  @Test(arguments: [1, 2]) func `refused`(number: Int) {}
  @Test func `a POST is not retried unless methods lists it`() {}
  @Test func `who reads a name is told of it`() {}
  @Test("A title of several words is a sentence, too") func title() {}
  @Test(.enabled(if: true))
  func worksToo() {}
}

/// A report of one run that ended.
struct RunReport {
  /// The request.
  public let request: String
  /// The length of the body in bytes.
  let bodyLength: Int
  /// The message, with the
  /// message.
  let message = "the body of `\(name)` is in the URL of `garland sandbox` and the body of the step `\(name)`"
  @Test func `the published examples give the same signature`() {}
  @Test func `the published examples of RFC 7616 give the same response`() {}
}

/// Where the keys of a mapping stand, where they are many: a flat table.
struct Index {
  /// Does what is done while nobody else reads.
  func run() {}
  /// Where there is no key.
  let missing = 0
  /// Does nothing if the mapping has no keys. Where a key has no value, the value is null.
  let words = "a selector is missing behind '['"
  /// The bytes behind the key. The reports fall behind, and a server behind a proxy is slow.
  let rest = 0
  // MARK: Where the index ends
  @Test func `cancelled reads`() {}
  @Test func `cancelled reads end`() {}
  @Test("A title") func short() {}
}
