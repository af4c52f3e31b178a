import GarlandDiagnostics
import GarlandYAML

func parse(_ text: String, limits: YAMLLimits = YAMLLimits()) -> (documents: [YAMLDocument], diagnostics: [Diagnostic]) {
  var diagnostics = DiagnosticList()
  let documents = YAMLParser.parse(name: "test.yaml", bytes: Array(text.utf8), limits: limits, into: &diagnostics)
  return (documents, diagnostics.all)
}

/// Returns a tree in one line, each node with the source text of its range.
func outline(_ node: YAMLNode) -> String {
  switch node.content {
  case .scalar(let scalar):
    switch scalar.value {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let digits): "#\(digits)"
    case .string(let text): "\"\(text.replacing("\n", with: "\\n"))\""
    }
  case .sequence(let items): "[" + items.map(outline).joined(separator: ", ") + "]"
  case .mapping(let mapping):
    "{" + mapping.entries.map { "\($0.name): \(outline($0.value))" }.joined(separator: ", ") + "}"
  }
}

/// Returns every node of a tree, including keys, with parents before their children.
func allNodes(_ node: YAMLNode) -> [YAMLNode] {
  switch node.content {
  case .scalar: [node]
  case .sequence(let items): [node] + items.flatMap(allNodes)
  case .mapping(let mapping): [node] + mapping.entries.flatMap { allNodes($0.key) + allNodes($0.value) }
  }
}
