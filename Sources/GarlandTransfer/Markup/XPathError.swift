/// The reason why an XPath expression cannot be evaluated.
public struct XPathError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The expression.
  public let expression: String
  /// The mistake in the expression.
  public let detail: String

  init(_ expression: String, _ detail: String) {
    self.expression = expression
    self.detail = detail
  }

  /// The error message.
  public var description: String { "the XPath expression \(expression) can't be evaluated: \(detail)" }
}
