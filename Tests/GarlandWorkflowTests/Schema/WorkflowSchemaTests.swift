import FoundationEssentials
import GarlandDiagnostics
import GarlandJSON
import GarlandYAML
import TestSupport
import Testing

@testable import GarlandWorkflow

/// Tests that the editor's schema and the decoder describe the same keys.
@Suite struct WorkflowSchemaTests {
  static let schema = Result { try JSONSchema(WorkflowSchema.document) }

  static func value(of text: String) -> JSONValue? {
    var diagnostics = DiagnosticList()
    let documents = YAMLParser.parse(SourceFile(name: "test.yaml", bytes: Array(text.utf8)), limits: YAMLLimits(), into: &diagnostics)
    return documents.first?.root.map(SchemaWriter.value)
  }

  @Test func `the published workflow schema equals the schema that is generated from the decoder's tables`() throws {
    let path = Repository.path("schemas/workflow.schema.json")
    if ProcessInfo.processInfo.environment["GARLAND_UPDATE_GOLDEN"] != nil {
      try Data(WorkflowSchema.text.utf8).write(to: URL(filePath: path))
    }
    let file = try SystemFiles().read(path, limit: 4 << 20)
    #expect(
      String(decoding: file, as: UTF8.self) == WorkflowSchema.text, "write it anew with `garland schema > schemas/workflow.schema.json`")
  }

  @Test func `the published project schema equals the schema that is generated from the decoder's tables`() throws {
    let path = Repository.path("schemas/project.schema.json")
    if ProcessInfo.processInfo.environment["GARLAND_UPDATE_GOLDEN"] != nil {
      try Data(WorkflowSchema.projectText.utf8).write(to: URL(filePath: path))
    }
    let file = try SystemFiles().read(path, limit: 4 << 20)
    #expect(String(decoding: file, as: UTF8.self) == WorkflowSchema.projectText, "write it anew with `garland schema --project`")
  }

  @Test func `the published quarantine schema equals the schema that is generated from the decoder's tables`() throws {
    let path = Repository.path("schemas/quarantine.schema.json")
    let file = try Data(contentsOf: URL(filePath: path))
    #expect(String(decoding: file, as: UTF8.self) == WorkflowSchema.quarantineText, "write it anew with `garland schema --quarantine`")
  }

  @Test func `each key of a project file has a description and an example that the project schema accepts`() throws {
    let definitions = try #require(WorkflowSchema.project["definitions"]?.objectValue)
    for table in SchemaTables.ofProjects {
      let definition = try #require(table.name == "project" ? WorkflowSchema.project : definitions[table.name], "\(table.name)")
      let properties = try #require(definition["properties"]?.objectValue)
      #expect(properties.keys.sorted() == table.keys.map(\.name).sorted())
      for (name, info) in table.keys {
        #expect(info.summary.hasSuffix("."), "\(name)")
        let example = try #require(properties[name]?["examples"]?[0], "\(name)")
        let schema: JSONValue = [
          "$schema": "http://json-schema.org/draft-07/schema#", "definitions": .object(definitions),
          "allOf": [try #require(properties[name])],
        ]
        #expect(try JSONSchema(schema).validate(example).map(\.description) == [], "\(name): \(info.example)")
      }
    }
  }

  @Test func `the project schema accepts a valid project file and refuses wrong keys and values`() throws {
    let schema = try JSONSchema(WorkflowSchema.project)
    let right = "profiles: { p: { base_url: 'https://h', confirm: true, secrets: { A: { file: a } } } }\nrun: { deadline: 5m }"
    #expect(try schema.validate(try #require(Self.value(of: right))).isEmpty)
    for wrong in ["defualts: {}", "profiles: { p: { baseurl: x } }", "run: { concurrency: 0 }", "steps: {}"] {
      #expect(try !schema.validate(try #require(Self.value(of: wrong))).isEmpty, "\(wrong)")
    }
  }

  @Test func `the schemas of workflow and project files are valid against the metaschema of draft 7`() throws {
    let meta = try JSONSchema(["$ref": "http://json-schema.org/draft-07/schema#"], options: .init(defaultDraft: .draft7))
    #expect(try meta.validate(WorkflowSchema.document).map(\.description) == [])
    #expect(try meta.validate(WorkflowSchema.project).map(\.description) == [])
  }

  /// Each table of the decoder must be a definition of the schema with the same keys, and each key must have a description and a valid
  /// example.
  @Test func `each key of a workflow document has a description and a valid example in the workflow schema`() throws {
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
    // Each table that a shape names must exist, and each table must be used.
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
    case .list(let inner), .filledList(let inner), .mapping(let inner), .filledMapping(let inner), .namedMapping(_, let inner):
      collect(inner, &names)
    case .either(let shapes): for shape in shapes { collect(shape, &names) }
    default: break
    }
  }

  @Test func `every example workflow is valid against the JSON Schema of workflows`() throws {
    let schema = try Self.schema.get()
    for document in try SchemaSeeds.all.get() { #expect(try schema.validate(document).map(\.description) == []) }
    for name in ["quickstart.yaml", "bookshop.yaml", "encodings.yaml"] {
      let text = String(decoding: try SystemFiles().read(Repository.path("examples/\(name)"), limit: 1 << 20), as: UTF8.self)
      #expect(try schema.validate(try #require(Self.value(of: text))).map(\.description) == [], "\(name)")
    }
  }
}
