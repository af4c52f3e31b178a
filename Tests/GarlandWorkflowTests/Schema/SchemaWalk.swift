import GarlandJSON

/// Visits each part of a document together with the schema, and records the places of each key of each definition.
struct SchemaWalk {
  /// The paths of all places of a key such as `step.get`.
  private(set) var places: [String: [JSONPlace]] = [:]
  private let definitions: JSONObject
  private let schema: JSONValue

  init(_ schema: JSONValue) {
    self.schema = schema
    definitions = schema["definitions"]?.objectValue ?? [:]
  }

  /// Every key in the schema.
  var keys: Set<String> {
    var result = Set((schema["properties"]?.objectValue?.keys ?? []).map { "document.\($0)" })
    for definition in definitions {
      for key in definition.value["properties"]?.objectValue?.keys ?? [] { result.insert("\(definition.key).\(key)") }
    }
    return result
  }

  mutating func visit(_ document: JSONValue) {
    var path: JSONPlace = []
    visit(document, schema, "document", &path)
  }

  private mutating func visit(_ value: JSONValue, _ schema: JSONValue, _ name: String, _ path: inout JSONPlace) {
    if let reference = schema["$ref"]?.stringValue, let target = reference.split(separator: "/").last.map(String.init),
      let definition = definitions[target]
    {
      return visit(value, definition, target, &path)
    }
    for keyword in ["anyOf", "allOf", "oneOf"] {
      for inner in schema[keyword]?.arrayValue ?? [] { visit(value, inner, name, &path) }
    }
    for keyword in ["then", "else"] {
      if let inner = schema[keyword] { visit(value, inner, name, &path) }
    }
    switch value {
    case .object(let members):
      for member in members {
        path.append(.name(member.key))
        defer { path.removeLast() }
        if let property = schema["properties"]?[member.key] {
          // Rules also contain keys, but only those of the definition itself are counted.
          if schema["type"] == "object" { places["\(name).\(member.key)", default: []].append(path) }
          visit(member.value, property, name, &path)
        } else if let inner = schema["additionalProperties"] {
          visit(member.value, inner, name, &path)
        }
      }
    case .array(let items):
      guard let inner = schema["items"] else { return }
      for (index, item) in items.enumerated() {
        path.append(.index(index))
        visit(item, inner, name, &path)
        path.removeLast()
      }
    default: break
    }
  }
}

/// The path to a place in a document.
typealias JSONPlace = [JSONStep]

enum JSONStep: Hashable {
  case name(String), index(Int)
}

extension JSONValue {
  /// All places except the root.
  var places: [JSONPlace] {
    var result: [JSONPlace] = []
    func visit(_ value: JSONValue, _ path: JSONPlace) {
      if !path.isEmpty { result.append(path) }
      switch value {
      case .object(let members): for member in members { visit(member.value, path + [.name(member.key)]) }
      case .array(let items): for (index, item) in items.enumerated() { visit(item, path + [.index(index)]) }
      default: break
      }
    }
    visit(self, [])
    return result
  }

  subscript(place: JSONPlace) -> JSONValue? {
    place.reduce(Optional(self)) { value, step in
      switch step {
      case .name(let name): value?.objectValue?[name]
      case .index(let index): value?.arrayValue.flatMap { $0.indices.contains(index) ? $0[index] : nil }
      }
    }
  }

  /// Returns the value with another value at a place, or without the value at this place.
  func replacing(_ place: ArraySlice<JSONStep>, with value: JSONValue?) -> JSONValue {
    guard let step = place.first else { return value ?? .null }
    let rest = place.dropFirst()
    switch (step, self) {
    case (.name(let name), .object(var members)):
      members[name] = rest.isEmpty ? value : members[name]?.replacing(rest, with: value)
      return .object(members)
    case (.index(let index), .array(var items)) where items.indices.contains(index):
      if rest.isEmpty, value == nil {
        items.remove(at: index)
      } else {
        items[index] = items[index].replacing(rest, with: value)
      }
      return .array(items)
    default: return self
    }
  }

  func replacing(_ place: JSONPlace, with value: JSONValue?) -> JSONValue { replacing(place[...], with: value) }
}
