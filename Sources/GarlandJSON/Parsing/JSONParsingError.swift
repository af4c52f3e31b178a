/// Why a text is no JSON, and where.
public struct JSONParsingError: Error, Sendable, Hashable {
  /// The kinds of mistakes.
  public enum Reason: String, Sendable, Hashable, CaseIterable {
    /// There is nothing but white space.
    case empty
    /// The text ends too early.
    case unexpectedEnd
    /// A character that cannot stand there.
    case unexpectedCharacter
    /// Something follows the value.
    case trailingContent
    /// A comma before a closing bracket.
    case trailingComma
    /// A number that JSON's grammar does not allow.
    case invalidNumber
    /// A backslash with what may not follow it.
    case invalidEscape
    /// `\uD800` to `\uDFFF` without its other half.
    case loneSurrogate
    /// A control character within a string.
    case controlCharacter
    /// Bytes that are not UTF-8.
    case invalidUTF8
    /// More nesting than ``JSONParsingOptions/maximumDepth``.
    case tooDeep
    /// A repeated name, when that is an error.
    case duplicateKey
    /// The ``Computation`` that it is part of is over.
    case outOfTime
  }

  /// The kind of mistake.
  public let reason: Reason
  /// Where it is, in bytes from the start.
  public let offset: Int
  /// The line, counted from 1.
  public let line: Int
  /// The column, counted from 1 in Unicode scalars.
  public let column: Int
  /// What is wrong, in words, without the place.
  public let message: String
  /// What would have been right there, where that can be said.
  public let expected: String?
}

extension JSONParsingError: CustomStringConvertible {
  /// The place and the message: `line 2, column 5: expected a value, found ','`.
  public var description: String {
    "line \(line), column \(column): \(message)"
  }
}
