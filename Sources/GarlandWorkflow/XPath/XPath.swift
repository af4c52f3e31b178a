/// An XPath 1.0 expression (https://www.w3.org/TR/1999/REC-xpath-19991116/) whose syntax has been checked, so that a document says what is wrong
/// with it before anything is sent.
///
/// ```swift
/// let path = try XPath("//ul[@id='books']/li")
/// print(path.result)   // nodes
/// ```
public struct XPath: Sendable, Hashable {
  /// The result of an expression.
  public enum Result: Sendable, Hashable {
    /// Elements, attributes or texts: a location path.
    case nodes
    /// A number, such as that of `count(…)`.
    case number
    /// Text, such as that of `string(…)`.
    case string
    /// A truth value, such as that of `a = b`.
    case boolean
  }

  /// The expression as written.
  public let text: String
  /// The kind of its result.
  public let result: Result
  /// Whether it uses a prefix of a namespace.
  public let usesPrefixes: Bool
  /// Whether it names an element without a prefix, which means one in no namespace.
  public let namesPlainElements: Bool

  /// Parses text; throws the mistake, with its place.
  public init(_ text: String) throws(XPathSyntaxError) {
    var parser = XPathParser(Array(text.utf8))
    result = try parser.parse()
    self.text = text
    usesPrefixes = parser.usesPrefixes
    namesPlainElements = parser.namesPlainElements
  }
}

/// Why a text is no XPath 1.0 expression.
public struct XPathSyntaxError: Error, Sendable, Hashable {
  /// A sentence without a full stop.
  public let message: String
  /// The advice.
  public let help: String?
  /// The text to put at `range` to follow the advice.
  let replacement: String?
  /// The UTF-8 offsets of what is wrong.
  public let range: Range<Int>

  init(_ message: String, at range: Range<Int>, help: String? = nil, replacement: String? = nil) {
    self.message = message
    self.range = range
    self.help = help
    self.replacement = replacement
  }
}
