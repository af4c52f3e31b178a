/// Why an XPath expression can't be evaluated.
public struct XPathError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The expression.
  public let expression: String
  /// What is wrong with it.
  public let detail: String

  init(_ expression: String, _ detail: String) {
    self.expression = expression
    self.detail = detail
  }

  /// Human words.
  public var description: String { "the XPath expression \(expression) can't be evaluated: \(detail)" }
}
