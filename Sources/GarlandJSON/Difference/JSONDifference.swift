/// One difference between a value and the expected value.
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
  /// The strictness of a comparison.
  public enum Mode: Sendable, Hashable {
    /// The whole value must equal the expected value.
    case exact
    /// Objects may have additional members, at any depth. Arrays must have the same number of elements,
    /// which are compared one by one.
    case subset
  }

  /// The way in which a value differs from the expected value.
  public enum Change: Sendable, Hashable {
    /// The value is not equal to the expected value.
    case different(expected: JSONValue, actual: JSONValue)
    /// The expected value is missing.
    case missing(JSONValue)
    /// The actual value contains this value, which was not expected.
    case unexpected(JSONValue)
  }

  /// The location of the difference in the actual value. If the actual value lacks a member or element, this is the location of that member
  /// or element in the expected value.
  public let location: NormalizedPath
  /// The kind of the difference: another value, a missing value or an unexpected value.
  public let change: Change

  /// Returns the differences, ordered by their positions in the expected value; in each object, unexpected members come last. Empty for
  /// equal values.
  ///
  /// Elements of arrays are aligned, so that one removed or inserted element is one difference, and not one for each element after it.
  /// Values that are nested more than 500 levels deep are compared as a whole, as in the mode ``Mode/exact``.
  ///
  /// - Parameters:
  ///   - actual: The actual value.
  ///   - expected: The expected value.
  ///   - mode: The strictness of the comparison.
  ///   - limit: The maximum number of differences to return.
  public static func between(
    expected: JSONValue, actual: JSONValue, mode: Mode = .exact, limit: Int = .max
  ) -> [JSONDifference] {
    var comparison = JSONComparison(mode: mode, limit: limit)
    comparison.compare(expected, actual)
    return comparison.differences
  }

  /// Returns whether the actual value matches the expected value. This is faster than ``between(expected:actual:mode:limit:)``.
  public static func isMatch(expected: JSONValue, actual: JSONValue, mode: Mode = .exact) -> Bool {
    switch mode {
    case .exact: expected == actual
    case .subset: between(expected: expected, actual: actual, mode: mode, limit: 1).isEmpty
    }
  }
}

extension JSONDifference: CustomStringConvertible {
  /// The location and the message, on one line.
  public var description: String { "\(location): \(message)" }

  /// A description of the difference, without its location.
  public var message: String {
    switch change {
    case .different(let expected, let actual) where expected.kind == actual.kind || expected.isContainer || actual.isContainer:
      "expected \(SchemaWords.value(expected)), found \(SchemaWords.value(actual))"
    case .different(let expected, let actual):
      // Write the kinds too, since `7` and `"7"` look alike.
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
