/// The error of a text that is not JSON, with the position of the mistake.
public struct JSONParsingError: Error, Sendable, Hashable {
  /// The kinds of mistakes in a JSON text.
  public enum Reason: String, Sendable, Hashable, CaseIterable {
    /// The text has only white space.
    case empty
    /// The text ends too early.
    case unexpectedEnd
    /// A character is not allowed in this position.
    case unexpectedCharacter
    /// There is more text after the value.
    case trailingContent
    /// There is a comma before a closing bracket.
    case trailingComma
    /// A number does not conform to JSON's grammar.
    case invalidNumber
    /// An invalid character follows a backslash.
    case invalidEscape
    /// A surrogate from `\uD800` to `\uDFFF` lacks its other half.
    case loneSurrogate
    /// A string contains a control character.
    case controlCharacter
    /// The text contains bytes that are not UTF-8.
    case invalidUTF8
    /// Values are nested deeper than ``JSONParsingOptions/maximumDepth``.
    case tooDeep
    /// An object has two members with the same name, and ``JSONParsingOptions/duplicateKeys`` does not allow this.
    case duplicateKey
    /// The enclosing ``Computation`` has ended: it has reached its time limit, or memory is short.
    case outOfTime
  }

  /// The kind of mistake.
  public let reason: Reason
  /// The byte offset of the mistake from the start of the text.
  public let offset: Int
  /// The line of the mistake, counted from 1.
  public let line: Int
  /// The column of the mistake, counted from 1 in Unicode scalars.
  public let column: Int
  /// A description of the mistake, without its position.
  public let message: String
  /// The text that would be valid in this position; nil if it is unknown.
  public let expected: String?

  /// The error for a text whose values need more memory than is available. The current ``Computation`` has then already ended, and contains
  /// a message about the missing memory.
  static let outOfMemory = JSONParsingError(
    reason: .outOfTime, offset: 0, line: 1, column: 1, message: "the values need too much memory", expected: nil)
}

extension JSONParsingError: CustomStringConvertible {
  /// The position and the message: `line 2, column 5: expected a value, found ','`.
  public var description: String {
    "line \(line), column \(column): \(message)"
  }
}
