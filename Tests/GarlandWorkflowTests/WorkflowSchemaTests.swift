import FoundationEssentials
import GarlandDiagnostics
import GarlandJSON
import GarlandYAML
import TestSupport
import Testing

@testable import GarlandWorkflow

/// The editor's schema and the decoder say the same of every document.
@Suite struct WorkflowSchemaTests {
  static let schema = Result { try JSONSchema(WorkflowSchema.document) }

  /// Documents that between them use every key in every way.
  static var corpus: [JSONValue] {
    get throws {
      let whole = try #require(value(of: DecodingTests.everything))
      var result = [whole]
      guard case .object(let steps)? = whole["steps"] else { return result }
      for step in steps {
        result.append([
          "garland": 1, "steps": ["query": ["get": "http://h/x", "extract": ["id": "$.id"]], "it": step.value], "vars": ["user": "a"],
        ])
      }
      return result
    }
  }

  static func value(of text: String) -> JSONValue? {
    var diagnostics = DiagnosticList()
    let documents = YAMLParser.parse(SourceFile(name: "test.yaml", bytes: Array(text.utf8)), limits: YAMLLimits(), into: &diagnostics)
    return documents.first?.root.map(SchemaWriter.value)
  }

  @Test func theFileIsWhatTheDecoderReadsBy() throws {
    let path = Repository.path("schemas/workflow.schema.json")
    if ProcessInfo.processInfo.environment["GARLAND_UPDATE_GOLDEN"] != nil {
      try Data(WorkflowSchema.text.utf8).write(to: URL(filePath: path))
    }
    let file = try SystemFiles().read(path, limit: 4 << 20)
    #expect(
      String(decoding: file, as: UTF8.self) == WorkflowSchema.text, "write it anew with `garland schema > schemas/workflow.schema.json`")
  }

  @Test func isASchemaOfItsDraft() throws {
    let meta = try JSONSchema(["$ref": "http://json-schema.org/draft-07/schema#"], options: .init(defaultDraft: .draft7))
    #expect(try meta.validate(WorkflowSchema.document).map(\.description) == [])
  }

  /// Walks both: every table of the decoder is a definition with exactly its keys, each with a description and an example that it admits itself.
  @Test func everyKeyIsDescribed() throws {
    let definitions = try #require(WorkflowSchema.document["definitions"]?.objectValue)
    for table in SchemaTables.all {
      let definition = try #require(
        table.name == "document" ? WorkflowSchema.document : definitions[SchemaWriter.definition(table.name)], "\(table.name)")
      let properties = try #require(definition["properties"]?.objectValue)
      #expect(properties.keys.sorted() == table.keys.map(\.name).sorted(), "\(table.name)")
      #expect(definition["additionalProperties"] == false)
      for (name, info) in table.keys {
        let property = try #require(properties[name])
        #expect(property["description"]?.stringValue == info.summary && info.summary.hasSuffix("."), "\(table.name).\(name)")
        let example = try #require(property["examples"]?[0], "\(table.name).\(name) has no example")
        let schema: JSONValue = [
          "$schema": "http://json-schema.org/draft-07/schema#", "definitions": .object(definitions), "allOf": [property],
        ]
        #expect(try JSONSchema(schema).validate(example).map(\.description) == [], "\(table.name).\(name): \(info.example)")
      }
    }
    // No shape names a table that is not there, and no table is there in vain.
    let names = Set(SchemaTables.all.map(\.name))
    var named: Set<String> = ["document"]
    for table in SchemaTables.all { for (_, info) in table.keys { Self.collect(info.shape, &named) } }
    #expect(named.subtracting(["predicates"]) == names.subtracting(["predicates"]))
  }

  private static func collect(_ shape: KeyInfo.Shape, _ names: inout Set<String>) {
    switch shape {
    case .table(let name): names.insert(name)
    case .amountCheck(let name, let inner):
      names.insert(name)
      collect(inner, &names)
    case .list(let inner), .mapping(let inner), .filledMapping(let inner), .namedMapping(_, let inner): collect(inner, &names)
    case .either(let shapes): for shape in shapes { collect(shape, &names) }
    default: break
    }
  }

  @Test func everyExampleIsValid() throws {
    let schema = try Self.schema.get()
    for document in try Self.corpus { #expect(try schema.validate(document).map(\.description) == []) }
    for name in ["quickstart.yaml", "bookshop.yaml", "encodings.yaml"] {
      let text = String(decoding: try SystemFiles().read(Repository.path("examples/\(name)"), limit: 1 << 20), as: UTF8.self)
      #expect(try schema.validate(try #require(Self.value(of: text))).map(\.description) == [], "\(name)")
    }
  }

  // MARK: Mutations

  /// What is wrong with the structure, as the decoder calls it.
  static let structural: Set<DiagnosticCode> = [
    .unknownKey, .wrongType, .missingKey, .unknownPredicate, .badVersion, .noAction, .twoActions, .notAWorkflow,
    .twoCredentials, .misplacedKey,
  ]
  /// What a schema may know or not.
  static let either: Set<DiagnosticCode> = [
    .neverHolds, .conflict, .twoBodies, .badName, .reservedName, .badSchema, .badHeader, .notAName, .badURL, .badMethod, .badBase64,
    .missingFile,
    .fileOutside, .literalExpression, .undefinedStep, .missingInput, .undefinedInput, .documentCycle, .badRows,
  ]

  static let values: [JSONValue] = [
    .null, true, false, 0, 1, -1, 5, 200, 1.5, "", "x", "5", "true", "none", "30s", "10KB", "200", "2xx", "json", "text/html",
    "${vars.user}",
    "a ${vars.user}", "$.id", "//a", "a:b", [], ["x"], [1], [.null], .object([:]), ["a": 1], ["file": "cover.png"], ["eq": 1], ["x": .null],
    ["query": "ended"],
  ]

  static let keys: [String] = SchemaTables.all.flatMap { $0.keys.map(\.name) } + ["retry", "jsn", "x", "poll"]

  static func mutated(_ value: JSONValue, _ random: inout SeededGenerator, depth: Int = 0) -> JSONValue {
    // Not always at the same place: go down with a certain chance.
    switch value {
    case .object(var object) where !object.isEmpty && Int.random(in: 0..<8, using: &random) != 0:
      let key = object.keys.randomElement(using: &random) ?? ""
      switch Int.random(in: 0..<10, using: &random) {
      case 0: object[key] = nil
      case 1: object[keys.randomElement(using: &random) ?? "x"] = values.randomElement(using: &random) ?? .null
      case 2:
        let old = object[key]
        object[key] = nil
        object[keys.randomElement(using: &random) ?? "x"] = old
      default: if let inner = object[key] { object[key] = mutated(inner, &random, depth: depth + 1) }
      }
      return .object(object)
    case .array(var items) where !items.isEmpty && Int.random(in: 0..<4, using: &random) != 0:
      let index = items.indices.randomElement(using: &random) ?? 0
      items[index] = mutated(items[index], &random, depth: depth + 1)
      return .array(items)
    default: return values.randomElement(using: &random) ?? .null
    }
  }

  /// What a variable is decides where an expression can stand; that is no matter of structure.
  static func withTextVariables(_ document: JSONValue) -> JSONValue {
    guard case .object(var members) = document, case .object(var variables)? = members["vars"], let user = variables["user"] else {
      return document
    }
    if user.stringValue == nil { variables["user"] = "a" }
    members["vars"] = .object(variables)
    return .object(members)
  }

  @Test func tenThousandMutatedDocuments() throws {
    let corpus =
      try Self.corpus.dropFirst().map { $0 } + [
        [
          "garland": 1, "vars": ["user": 1], "secrets": ["K"], "order": "file", "name": "n", "description": "d",
          "profiles": ["p": ["vars": ["user": 2]]], "defaults": try #require(Self.corpus[0]["defaults"]), "steps": ["it": ["get": "/x"]],
        ]
      ]
    let (counts, disagreements) = try Self.disagreements(corpus, rounds: 10_000)
    #expect(disagreements.isEmpty, "\(Self.words(disagreements))")
    #expect(counts.valid > 1000 && counts.invalid > 3000, "\(counts)")
  }

  static func words(_ disagreements: [String: String]) -> String {
    disagreements.sorted { $0.key < $1.key }.prefix(40).map { "\($0.key)\n  \($0.value)" }.joined(separator: "\n")
  }

  static func disagreements(
    _ corpus: [JSONValue], rounds: Int
  ) throws -> (counts: (valid: Int, invalid: Int, either: Int), disagreements: [String: String]) {
    let schema = try Self.schema.get()
    var random = SeededGenerator(state: 7)
    var counts = (valid: 0, invalid: 0, either: 0)
    var disagreements: [String: String] = [:]
    for _ in 0..<rounds {
      var document = corpus.randomElement(using: &random) ?? .null
      for _ in 0..<Int.random(in: 1...2, using: &random) { document = Self.mutated(document, &random) }
      document = Self.withTextVariables(document)
      let text = document.jsonText()
      let diagnostics = Decode.document(text).diagnostics.all.filter { $0.severity == .error }
      // That a variable is a text is known to the decoder alone.
      let ofValues = ["expected a list, found text", "expected names with values, found the text `${vars.user}`"]
      var codes = Set(diagnostics.map { ofValues.contains($0.message) ? .neverHolds : $0.code })
      // What a step does may stand in the one that it starts from.
      if text.contains("\"extends\"") { codes.remove(.noAction) }
      let failures = try schema.validate(document, limit: 20)
      if !codes.isDisjoint(with: Self.structural) {
        counts.invalid += 1
        if failures.isEmpty, let first = diagnostics.first(where: { Self.structural.contains($0.code) && !ofValues.contains($0.message) }) {
          disagreements["only the decoder: [\(first.code)] \(first.message)"] = text
        }
      } else if !codes.isDisjoint(with: Self.either) {
        counts.either += 1
      } else {
        counts.valid += 1
        if let first = failures.first { disagreements["only the schema: \(first.schemaLocation) \(first)"] = text }
      }
    }
    return (counts, disagreements)
  }
}
