/// One place in which a value is not what was expected.
///
/// ```swift
/// let expected: JSONValue = ["id": 7, "tags": ["a", "b"]]
/// let actual: JSONValue = ["id": "7", "tags": ["b"], "new": true]
/// for difference in JSONDifference.between(expected: expected, actual: actual) { print(difference) }
/// // $['id']: expected the number 7, found the string "7"
/// // $['tags'][0]: expected "a", which is missing
/// // $['new']: true was not expected
/// ```
public struct JSONDifference: Sendable, Hashable {
  /// How much of the actual value has to be expected.
  public enum Mode: Sendable, Hashable {
    /// All of it.
    case exact
    /// Members of objects that were not mentioned may be there, at any depth. Arrays have the same number of elements, compared one by
    /// one.
    case subset
  }

  /// What is different.
  public enum Change: Sendable, Hashable {
    /// Something else is there.
    case different(expected: JSONValue, actual: JSONValue)
    /// What was expected is not there.
    case missing(JSONValue)
    /// What is there was not expected.
    case unexpected(JSONValue)
  }

  /// Where: in the expected value for what is missing, otherwise in the actual one.
  public let location: NormalizedPath
  /// What is different there.
  public let change: Change

  /// The differences in the order of the expected value, what was not expected last in each object; none when the values are equal.
  ///
  /// Elements of arrays are aligned, so that one that was left out or put in is one difference, and not one for each behind it.
  /// What is nested more than 500 levels deep is compared as a whole, and exactly.
  ///
  /// - Parameter limit: How many differences are enough.
  public static func between(
    expected: JSONValue, actual: JSONValue, mode: Mode = .exact, limit: Int = .max
  ) -> [JSONDifference] {
    var comparison = JSONComparison(mode: mode, limit: limit)
    comparison.compare(expected, actual)
    return comparison.differences
  }

  /// Whether there is no difference, which is quicker than asking for them.
  public static func isMatch(expected: JSONValue, actual: JSONValue, mode: Mode = .exact) -> Bool {
    switch mode {
    case .exact: expected == actual
    case .subset: between(expected: expected, actual: actual, mode: mode, limit: 1).isEmpty
    }
  }
}

extension JSONDifference: CustomStringConvertible {
  /// The place and the change, on one line.
  public var description: String { "\(location): \(message)" }

  /// The change, without the place.
  public var message: String {
    switch change {
    case .different(let expected, let actual) where expected.kind == actual.kind || expected.isContainer || actual.isContainer:
      "expected \(SchemaWords.value(expected)), found \(SchemaWords.value(actual))"
    case .different(let expected, let actual):
      // `7` and `"7"` are easily taken for the same.
      "expected \(JSONDifference.words(expected)), found \(JSONDifference.words(actual))"
    case .missing(let value): "expected \(SchemaWords.value(value)), which is missing"
    case .unexpected(let value): "\(SchemaWords.value(value)) was not expected"
    }
  }

  private static func words(_ value: JSONValue) -> String {
    switch value {
    case .number: "the number \(SchemaWords.value(value))"
    case .string: "the string \(SchemaWords.value(value))"
    default: SchemaWords.value(value)
    }
  }
}

extension JSONValue {
  fileprivate var isContainer: Bool { kind == .array || kind == .object }
}
