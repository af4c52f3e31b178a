import GarlandDiagnostics
import GarlandJSON
import GarlandYAML
import Testing

@testable import GarlandWorkflow

/// Collects the keys that documents use, by table, and their places, following the tables' shapes.
struct KeyWalk {
  /// The way to a member or an item.
  enum Way: Hashable {
    case name(String), index(Int)
  }

  /// `step.get`, `retry.limit`: a table and a key of it, and its first place in each of the
  /// documents.
  private(set) var places: [String: [(document: String, way: [Way])]] = [:]
  private let tables = Dictionary(uniqueKeysWithValues: SchemaTables.all.map { ($0.name, $0) })
  private var document = ""

  var seen: Set<String> { Set(places.keys) }

  static func tree(_ text: String, _ name: String) throws -> YAMLNode { try #require(parsed(text, name), "\(name)") }

  /// Nil where there is nothing: some cases are about that.
  static func parsed(_ text: String, _ name: String) -> YAMLNode? {
    var diagnostics = DiagnosticList()
    return YAMLParser.parse(name: name, bytes: Array(text.utf8), limits: YAMLLimits(), into: &diagnostics).first?.root
  }

  mutating func visit(_ text: String, _ name: String) throws {
    document = name
    visit(try Self.tree(text, name), .table("document"), [])
  }

  private mutating func visit(_ node: YAMLNode, _ shape: KeyInfo.Shape, _ way: [Way]) {
    switch shape {
    case .table(let name): visit(node, table: name, way)
    case .check: visit(node, table: "predicates", way)
    case .amountCheck(let name, _):
      visit(node, table: name, way)
      visit(node, table: "predicates", way)
    case .list(let item), .filledList(let item):
      for (index, value) in (node.sequence ?? []).enumerated() { visit(value, item, way + [.index(index)]) }
    case .mapping(let value), .filledMapping(let value), .namedMapping(_, let value):
      for entry in node.mapping?.entries ?? [] { visit(entry.value, value, way + [.name(entry.name)]) }
    case .either(let shapes): for shape in shapes { visit(node, shape, way) }
    default: break
    }
  }

  private mutating func visit(_ node: YAMLNode, table name: String, _ way: [Way]) {
    guard let table = tables[name], let mapping = node.mapping else { return }
    for entry in mapping.entries {
      guard let key = table.keys.first(where: { $0.name == entry.name }) else { continue }
      let place = way + [.name(entry.name)]
      places["\(name).\(key.name)", default: []].append((document, place))
      visit(entry.value, key.info.shape, place)
    }
  }
}

extension JSONValue {
  /// Without what is at the end of a way.
  func removing(_ way: ArraySlice<KeyWalk.Way>) -> JSONValue {
    guard let step = way.first else { return self }
    let rest = way.dropFirst()
    switch (step, self) {
    case (.name(let name), .object(var members)):
      members[name] = rest.isEmpty ? nil : members[name]?.removing(rest)
      return .object(members)
    case (.index(let index), .array(var items)) where items.indices.contains(index):
      if rest.isEmpty { items.remove(at: index) } else { items[index] = items[index].removing(rest) }
      return .array(items)
    default: return self
    }
  }
}
