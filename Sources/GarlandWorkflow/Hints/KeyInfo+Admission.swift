import GarlandJSON
import GarlandYAML

extension KeyInfo.Shape {
  /// Returns whether a YAML value that is not decoded yet has a form that this shape allows. The shape describes the values of a key. A
  /// diagnostic suggests a key as a fix only if the key's shape allows the existing value.
  func admits(_ node: YAMLNode) -> Bool {
    switch self {
    case .anything, .parameters, .jsonSchema: return true
    case .check, .amountCheck: return !node.isNull
    case .null: return node.isNull
    case .either(let shapes): return shapes.contains { $0.admits(node) }
    case .mapping(.table(let name)): return node.mapping?.entries.allSatisfy { Self.hasKeys(of: name, $0.value) } ?? false
    case .mapping(.either(let shapes)) where shapes.contains { $0.tableName == "profile" }:
      return node.mapping?.entries.allSatisfy { $0.value.isNull || Self.hasKeys(of: "profile", $0.value) } ?? false
    case .mapping(let shape), .filledMapping(let shape), .namedMapping(_, let shape):
      return node.mapping?.entries.allSatisfy { shape.admits($0.value) } ?? false
    case .table(let name):
      guard let mapping = node.mapping else { return false }
      let required = SchemaTables.named(name)?.rules["required"]?.arrayValue?.compactMap(\.stringValue) ?? []
      return required.allSatisfy { key in
        mapping.entries.contains { $0.name == key || KeyAliases.key(for: $0.name, among: [key]) != nil }
      }
    case .list(let shape), .filledList(let shape): return node.sequence?.allSatisfy { shape.admits($0) } ?? false
    default: return node.scalar.map { !$0.isNull && admits($0.text, TemplateCompiler.constant($0)) } ?? false
    }
  }

  private var tableName: String? { if case .table(let name) = self { name } else { nil } }

  /// Whether all keys of a mapping are valid according to a table of keys.
  ///
  /// - Parameters:
  ///   - table: the name of a ``SchemaTable``, such as `profile`.
  ///   - node: the mapping.
  private static func hasKeys(of table: String, _ node: YAMLNode) -> Bool {
    let known = SchemaTables.named(table)?.keys.map(\.name) ?? []
    return node.mapping?.entries.allSatisfy { known.contains($0.name) } ?? false
  }

  private func admits(_ text: String, _ value: JSONValue) -> Bool {
    let hasExpression = ExpressionScanner.hasExpression(text)
    switch self {
    case .name: return !hasExpression
    case .flag: return value.kind == .boolean
    case .yes: return value == .bool(true)
    case .oneOf(let words): return words.contains(text)
    case .word(let pattern): return !hasExpression && (try? RegularExpression(pattern).matches(text)) ?? false
    case .expression: return text.hasPrefix("${")
    case .plainNumber, .plainCount: return value.kind == .number
    default: break
    }
    if hasExpression { return true }
    switch self {
    case .boolean: return value.kind == .boolean
    case .integer, .number, .atLeast, .numberAtLeast, .closeCode: return value.kind == .number
    case .duration: return (try? Duration.read(value)) != nil
    case .size: return (try? ByteSize.read(value)) != nil
    case .status: return (try? StatusPattern.read(value)) != nil
    case .choice(let words): return words.contains(text)
    case .pattern(let pattern): return (try? RegularExpression(pattern).matches(text)) ?? false
    case .url: return !text.contains(" ")
    default: return true
    }
  }
}
