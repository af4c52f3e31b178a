import GarlandDiagnostics
import GarlandYAML
import Testing

@testable import GarlandWorkflow

/// Collects which keys of which tables documents use, by what the tables say may stand where.
struct KeyWalk {
  /// `step.get`, `retry.limit`: a table and a key of it.
  private(set) var seen: Set<String> = []
  private let tables = Dictionary(uniqueKeysWithValues: SchemaTables.all.map { ($0.name, $0) })

  mutating func visit(_ text: String, _ name: String) throws {
    var diagnostics = DiagnosticList()
    let documents = YAMLParser.parse(name: name, bytes: Array(text.utf8), limits: YAMLLimits(), into: &diagnostics)
    visit(try #require(documents.first?.root, "\(name)"), .table("document"))
  }

  private mutating func visit(_ node: YAMLNode, _ shape: KeyInfo.Shape) {
    switch shape {
    case .table(let name): visit(node, table: name)
    case .check: visit(node, table: "predicates")
    case .amountCheck(let name, _):
      visit(node, table: name)
      visit(node, table: "predicates")
    case .list(let item): for value in node.sequence ?? [] { visit(value, item) }
    case .mapping(let value), .filledMapping(let value), .namedMapping(_, let value):
      for entry in node.mapping?.entries ?? [] { visit(entry.value, value) }
    case .either(let shapes): for shape in shapes { visit(node, shape) }
    default: break
    }
  }

  private mutating func visit(_ node: YAMLNode, table name: String) {
    guard let table = tables[name], let mapping = node.mapping else { return }
    for entry in mapping.entries {
      guard let key = table.keys.first(where: { $0.name == entry.name }) else { continue }
      seen.insert("\(name).\(key.name)")
      visit(entry.value, key.info.shape)
    }
  }
}
