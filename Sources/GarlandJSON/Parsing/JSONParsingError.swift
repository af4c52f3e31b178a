/// The error of a text that is not JSON, with its place.
public struct JSONParsingError: Error, Sendable, Hashable {
  /// The kinds of mistakes.
  public enum Reason: String, Sendable, Hashable, CaseIterable {
    /// The text has only white space.
    case empty
    /// The text ends too early.
    case unexpectedEnd
    /// A character is invalid in its place.
    case unexpectedCharacter
    /// More text follows the value.
    case trailingContent
    /// A comma before a closing bracket.
    case trailingComma
    /// A number that JSON's grammar does not allow.
    case invalidNumber
    /// An invalid character follows a backslash.
    case invalidEscape
    /// A surrogate from `\uD800` to `\uDFFF` lacks its other half.
    case loneSurrogate
    /// A control character within a string.
    case controlCharacter
    /// Bytes that are not UTF-8.
    case invalidUTF8
    /// More nesting than ``JSONParsingOptions/maximumDepth``.
    case tooDeep
    /// A duplicate name, if the options make it an error.
    case duplicateKey
    /// The time of the enclosing ``Computation`` is over.
    case outOfTime
  }

  /// The kind of mistake.
  public let reason: Reason
  /// The place, in bytes from the start.
  public let offset: Int
  /// The line, counted from 1.
  public let line: Int
  /// The column, counted from 1 in Unicode scalars.
  public let column: Int
  /// The mistake in words, without the place.
  public let message: String
  /// The text that would be right in that place; nil when it is unknown.
  public let expected: String?
}

extension JSONParsingError: CustomStringConvertible {
  /// The place and the message: `line 2, column 5: expected a value, found ','`.
  public var description: String {
    "line \(line), column \(column): \(message)"
  }
}
