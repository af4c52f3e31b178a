/// An XPath 1.0 expression (https://www.w3.org/TR/1999/REC-xpath-19991116/). Its syntax is checked when a document is decoded, so that
/// mistakes are reported before any request is sent.
///
/// ```swift
/// let path = try XPath("//ul[@id='books']/li")
/// print(path.result)   // nodes
/// ```
public struct XPath: Sendable, Hashable {
  /// The type of an expression's result.
  public enum Result: Sendable, Hashable {
    /// Elements, attributes or text nodes: the result of a location path.
    case nodes
    /// A number, such as the result of `count(…)`.
    case number
    /// Text, such as the result of `string(…)`.
    case string
    /// A boolean, such as the result of `a = b`.
    case boolean
  }

  /// The expression as written.
  public let text: String
  /// The type of the expression's result.
  public let result: Result
  /// Whether the expression contains a namespace prefix.
  public let usesPrefixes: Bool
  /// Whether the expression contains the name of an element without a prefix. Such a name matches only elements without a namespace.
  public let namesPlainElements: Bool

  /// Parses an expression. Throws an error with the range of the mistake if the expression is invalid.
  public init(_ text: String) throws(XPathSyntaxError) {
    var parser = XPathParser(Array(text.utf8))
    result = try parser.parse()
    self.text = text
    usesPrefixes = parser.usesPrefixes
    namesPlainElements = parser.namesPlainElements
  }
}

/// A mistake in an XPath 1.0 expression.
public struct XPathSyntaxError: Error, Sendable, Hashable {
  /// The message of the error, as a sentence without a full stop.
  public let message: String
  /// Advice on how to correct the mistake.
  let help: String?
  /// The text that replaces ``range`` to correct the mistake; nil if no correction is known.
  let replacement: String?
  /// The range of the mistake in the UTF-8 text of the expression.
  public let range: Range<Int>

  init(_ message: String, at range: Range<Int>, help: String? = nil, replacement: String? = nil) {
    self.message = message
    self.range = range
    self.help = help
    self.replacement = replacement
  }
}
