import GarlandDiagnostics
import GarlandJSON
import GarlandYAML

/// Generates the JSON Schema of documents from ``SchemaTables``.
struct SchemaWriter {
  /// The pattern for a text that contains an expression: a `${` that is not escaped as `$${`.
  static let expression = "(^|[^$])\\$\\{"

  func document() -> JSONValue {
    schema(
      SchemaTables.all, file: "workflow", title: "Garland workflow",
      "A workflow of HTTP requests that run by their dependencies. Format 1.")
  }

  func project() -> JSONValue {
    schema(
      SchemaTables.ofProjects + SchemaTables.all.dropFirst(), file: "project", title: "Garland project",
      "Settings that all workflows below a folder start from: the file garland.project.yaml.")
  }

  func quarantine() -> JSONValue {
    let tables = SchemaTables.ofProjects.filter { $0.name == SchemaTables.quarantined }
    var definitions = JSONObject()
    for (name, value) in Self.shared where name == "expression" { definitions[name] = value }
    for table in tables { definitions[Self.definition(table.name)] = self.table(table) }
    return [
      "$schema": "http://json-schema.org/draft-07/schema#", "$id": "https://garland.dev/schemas/quarantine.schema.json",
      "title": "Garland quarantine", "description": "Steps whose failures do not count until a date: the file quarantine.yaml.",
      "type": "array", "items": schema(of: .table(SchemaTables.quarantined)), "definitions": .object(definitions),
    ]
  }

  /// Returns the JSON Schema for a kind of file.
  ///
  /// - Parameters:
  ///   - tables: the tables of the mappings in the file. The first table describes the whole file.
  ///   - file: the name of the schema file, without `.schema.json`.
  ///   - title: the title of the schema.
  private func schema(_ tables: [SchemaTable], file: String, title: String, _ description: String) -> JSONValue {
    var definitions = JSONObject()
    for (name, value) in Self.shared { definitions[name] = value }
    for table in tables.dropFirst() { definitions[Self.definition(table.name)] = self.table(table) }
    var schema: JSONObject = [
      "$schema": "http://json-schema.org/draft-07/schema#", "$id": .string("https://garland.dev/schemas/\(file).schema.json"),
      "title": .string(title), "description": .string(description),
    ]
    if let root = tables.first, case .object(let members) = table(root) {
      for member in members { schema[member.key] = member.value }
    }
    schema["definitions"] = .object(definitions)
    return .object(schema)
  }

  /// Returns the key of a table under `definitions` in the schema: the table's name with underscores instead of spaces.
  static func definition(_ name: String) -> String { name.split(separator: " ").joined(separator: "_") }

  private func table(_ table: SchemaTable) -> JSONValue {
    var properties = JSONObject()
    for (name, info) in table.keys {
      var property = JSONObject()
      property["description"] = .string(info.summary)
      if let example = Self.example(info.example) { property["examples"] = .array([example]) }
      let shape = schema(of: info.shape)
      let value: JSONValue = table.refusesNull.contains(name) || Self.admitsNull(info.shape) ? shape : ["anyOf": [shape, ["type": "null"]]]
      // In draft-07, other keywords in the object of a `$ref` are ignored.
      if case .object(let members) = value, members["$ref"] == nil {
        for member in members { property[member.key] = member.value }
      } else if value != true {
        property["allOf"] = .array([value])
      }
      properties[name] = .object(property)
    }
    var result: JSONObject = ["type": "object", "additionalProperties": false, "properties": .object(properties)]
    for member in table.rules { result[member.key] = member.value }
    return .object(result)
  }

  private static func admitsNull(_ shape: KeyInfo.Shape) -> Bool {
    switch shape {
    case .anything, .null, .check, .amountCheck: true
    case .either(let shapes): shapes.contains(where: admitsNull)
    default: false
    }
  }

  /// Parses an example that is written in YAML, and returns it as a JSON value.
  private static func example(_ text: String) -> JSONValue? {
    var diagnostics = DiagnosticList()
    let documents = YAMLParser.parse(SourceFile(name: "example", bytes: Array(text.utf8)), limits: YAMLLimits(), into: &diagnostics)
    return documents.first?.root.map(value)
  }

  /// Converts a YAML tree without expressions to a JSON value.
  static func value(_ node: YAMLNode) -> JSONValue {
    switch node.content {
    case .scalar(let scalar): TemplateCompiler.constant(scalar)
    case .sequence(let items): .array(items.map(value))
    case .mapping(let mapping): .object(JSONObject(mapping.entries.map { ($0.name, value($0.value)) }))
    }
  }

  // MARK: Shapes

  private static let shared: [(String, JSONValue)] = [
    ("expression", ["type": "string", "pattern": .string(expression)]),
    ("check", ["if": ["type": "object"], "then": ["$ref": "#/definitions/predicates"]]),
    ("parameters", ["anyOf": [["type": "object"], ["type": "string", "pattern": "^\\$\\{[\\s\\S]*\\}$"], ["type": "null"]]]),
  ]

  private func text(_ pattern: String) -> JSONValue { ["type": "string", "pattern": .string("\(Self.expression)|\(pattern)")] }

  /// Returns the words that a key allows as JSON values, for `enum` in the schema. For a word that is also a number, such as `2`, returns
  /// both a string and a number.
  private static func values(_ words: [String]) -> [JSONValue] {
    words.flatMap { word in [JSONValue.string(word)] + (JSONNumber(word).map { [.number($0)] } ?? []) }
  }

  /// Returns the JSON Schema for the values that a key can have. The shape describes these values, such as a text or one of several words.
  func schema(of shape: KeyInfo.Shape) -> JSONValue {
    switch shape {
    case .anything: return true
    case .text, .url: return ["type": ["string", "number", "boolean"]]
    case .path: return ["type": "string", "minLength": 1]
    case .boolean: return ["anyOf": [["type": "boolean"], text("^(true|false)$")]]
    case .flag: return ["type": "boolean"]
    case .yes: return ["const": true]
    case .integer: return ["anyOf": [["type": "integer"], text("^-?(0|[1-9][0-9]*)$")]]
    case .number: return ["type": ["number", "string"]]
    case .plainNumber: return ["type": "number"]
    case .duration: return text("^[0-9]+(\\.[0-9]+)?(us|ms|s|m|h|d)$")
    case .size: return text("^[0-9]+(\\.[0-9]+)?([kKMGT]?B|[KMGT]iB)$")
    case .status:
      return [
        "anyOf": [["type": "integer", "minimum": 100, "maximum": 599], text("^([1-5][xX][xX]|[1-5][0-9][0-9](\\.\\.[1-5][0-9][0-9])?)$")]
      ]
    case .pattern(let pattern): return text(pattern)
    case .word(let pattern): return ["type": "string", "pattern": .string(pattern)]
    case .name: return ["type": ["string", "number", "boolean"], "not": ["$ref": "#/definitions/expression"]]
    case .oneOf(let words): return ["enum": .array(Self.values(words))]
    case .choice(let words): return ["anyOf": [["enum": .array(Self.values(words))], ["$ref": "#/definitions/expression"]]]
    case .list(let item): return ["type": "array", "items": schema(of: item)]
    case .filledList(let item): return ["type": "array", "minItems": 1, "items": schema(of: item)]
    case .mapping(let value): return ["type": "object", "additionalProperties": schema(of: value)]
    case .namedMapping(let names, let value):
      return ["type": "object", "propertyNames": ["pattern": .string(names)], "additionalProperties": schema(of: value)]
    case .table(let name): return ["$ref": .string("#/definitions/\(Self.definition(name))")]
    case .either(let shapes): return ["anyOf": .array(shapes.map(schema))]
    case .check: return ["$ref": "#/definitions/check"]
    case .amountCheck(let table, let amount):
      return [
        "if": ["type": "object"], "then": ["$ref": .string("#/definitions/\(Self.definition(table))")],
        "else": ["anyOf": [schema(of: amount), ["type": "array"]]],
      ]
    case .parameters: return true
    case .expression: return ["type": "string", "pattern": "^\\$\\{[\\s\\S]*\\}$"]
    case .atLeast(let least):
      return ["anyOf": [["type": "integer", "minimum": JSONValue(least)], text(least > 0 ? "^[1-9][0-9]*$" : "^(0|[1-9][0-9]*)$")]]
    case .numberAtLeast(let least):
      return [
        "anyOf": [["type": "number", "minimum": JSONValue(least)], text("^\(least > 0 ? "[1-9][0-9]*" : "(0|[1-9][0-9]*)")(\\.[0-9]+)?$")]
      ]
    case .closeCode:
      return [
        "anyOf": [["enum": [1000, 1001]], ["type": "integer", "minimum": 3000, "maximum": 4999], text("^(100[01]|[34][0-9]{3})$")]
      ]
    case .plainCount(let least): return ["type": "integer", "minimum": JSONValue(least)]
    case .filledMapping(let value): return ["type": "object", "minProperties": 1, "additionalProperties": schema(of: value)]
    case .null: return ["type": "null"]
    case .jsonSchema:
      let about: JSONValue = [["required": ["schema"]], ["required": ["file"], "properties": ["file": ["type": "string"]]]]
      return ["type": "object", "not": ["anyOf": about]]
    }
  }
}
