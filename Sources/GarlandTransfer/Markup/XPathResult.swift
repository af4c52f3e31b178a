/// The result of an XPath expression.
public enum XPathResult: Sendable {
  /// Nodes in document order.
  case nodes([MarkupNode])
  /// A Boolean.
  case boolean(Bool)
  /// A number, which may be NaN.
  case number(Double)
  /// A text.
  case string(String)

  /// The selected nodes; empty for other kinds of results.
  public var nodes: [MarkupNode] { if case .nodes(let nodes) = self { nodes } else { [] } }

  /// The result as text, as defined by XPath's `string()`: for nodes, the text of the first node.
  public var text: String {
    switch self {
    case .nodes(let nodes): nodes.first?.text ?? ""
    case .boolean(let value): value ? "true" : "false"
    case .number(let value): XPathNumber.text(value)
    case .string(let value): value
    }
  }
}
