/// What an XPath expression gives.
public enum XPathResult: Sendable {
  /// Nodes, in the order of the document.
  case nodes([MarkupNode])
  /// A truth value.
  case boolean(Bool)
  /// A number, which may be none.
  case number(Double)
  /// A text.
  case string(String)

  /// The nodes; none if it is something else.
  public var nodes: [MarkupNode] { if case .nodes(let nodes) = self { nodes } else { [] } }

  /// As text: that of the first node, as XPath's `string()` has it.
  public var text: String {
    switch self {
    case .nodes(let nodes): nodes.first?.text ?? ""
    case .boolean(let value): value ? "true" : "false"
    case .number(let value):
      if value.isNaN {
        "NaN"
      } else if value.isInfinite {
        value < 0 ? "-Infinity" : "Infinity"
      } else if let integer = Int(exactly: value) {
        String(integer)
      } else {
        value.description
      }
    case .string(let value): value
    }
  }
}
