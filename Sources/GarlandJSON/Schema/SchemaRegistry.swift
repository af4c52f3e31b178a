/// A location in one of the JSON documents that are compiled together. These are the document that contains the schema, and the documents
/// to which the schema refers.
struct SchemaPlace: Hashable {
  let document: Int
  let pointer: JSONPointer

  func appending(_ token: String) -> SchemaPlace {
    SchemaPlace(document: document, pointer: pointer.appending(token))
  }
}

/// The dialect of a schema resource. The dialect determines the meaning of the keywords in the resource.
struct SchemaDialect: Sendable, Hashable {
  var draft: JSONSchema.Draft
  /// Whether validation keywords have an effect. False if a metaschema omits the vocabulary of these keywords.
  var hasValidation = true
  /// Whether the keyword `format` is an assertion, so that a value in a wrong format is invalid. A metaschema can require this with a
  /// vocabulary.
  var assertsFormats = false
}

/// A schema with its own identifier, or the root of a document.
struct SchemaResource {
  let uri: String
  let place: SchemaPlace
  let dialect: SchemaDialect
  /// The dialect that the document takes from the schema that refers to it, because the document has no `$schema`; nil if the document has
  /// a `$schema`.
  let inherited: SchemaDialect?
  var dynamicAnchors: [String: SchemaPlace] = [:]
}

/// The locations of all schemas to which a reference can point.
struct SchemaRegistry {
  private(set) var documents: [(uri: String, root: JSONValue)] = []
  private(set) var resources: [SchemaResource] = []
  /// For each URI, the indexes of the resources with this URI. A resource is a schema with its own identifier, or the root of a document.
  ///
  /// A document without `$schema` is read in the dialect (draft of JSON Schema) of the schema that refers to the document. If schemas of
  /// several dialects refer to the document, the document has one resource for each dialect.
  private var resourcesByURI: [String: [Int]] = [:]
  /// The locations of the anchors. The key consists of the index of the resource and the name of the anchor: `INDEX#NAME`.
  private var anchors: [String: SchemaPlace] = [:]
  /// The schema resource to which each known schema belongs, as an index in ``resources``.
  private var owners: [SchemaPlace: Int] = [:]

  /// The maximum depth of nested schemas. Compiling deeper schemas would need too much stack.
  private static let deepestSchema = 500

  /// Returns the index of the schema resource that has the given URI; nil if there is no such resource.
  ///
  /// A document without `$schema` has several resources with the same URI if schemas of several dialects refer to the document: one
  /// resource for each dialect.
  ///
  /// - Parameters:
  ///   - uri: the URI from a reference.
  ///   - dialect: the dialect of the schema that contains the reference. It selects one of several resources with the same URI.
  func resource(of uri: String, for dialect: SchemaDialect) -> Int? {
    resourcesByURI[uri]?.first { resources[$0].inherited == nil || resources[$0].inherited == dialect }
  }

  func anchor(_ name: String, in resource: Int) -> SchemaPlace? { anchors["\(resource)#\(name)"] }

  func owner(of place: SchemaPlace) -> Int? { owners[place] }

  func value(at place: SchemaPlace) -> JSONValue? {
    try? place.pointer.value(in: documents[place.document].root)
  }

  func failure(_ message: String, at place: SchemaPlace) -> JSONSchemaError {
    JSONSchemaError(document: documents[place.document].uri, location: place.pointer, message: message)
  }

  /// Returns the URI of a place in a schema document. The URI is that of the resource that contains the place; the fragment is the JSON
  /// Pointer from this resource to the place.
  func location(of place: SchemaPlace, in resource: Int) -> String {
    let resource = resources[resource]
    // A location outside of the resource cannot be written relative to the resource's URI.
    let isInside = resource.place.document == place.document && place.pointer.tokens.starts(with: resource.place.pointer.tokens)
    let tokens = isInside ? Array(place.pointer.tokens.dropFirst(resource.place.pointer.tokens.count)) : place.pointer.tokens
    return "\(isInside ? resource.uri : documents[place.document].uri)#\(JSONPointer(tokens: tokens).uriFragment)"
  }

  /// Adds a document and finds all identifiers and anchors in it. Returns the location of its root.
  ///
  /// - Parameter inherited: For a document without `$schema`, the dialect of the schema that refers to the document. Nil if the document
  ///   has a `$schema`, or if no schema refers to it.
  mutating func add(
    _ root: JSONValue, uri: String, dialect: SchemaDialect, inherited: SchemaDialect?
  ) throws(JSONSchemaError) -> SchemaPlace {
    documents.append((uri, root))
    let place = SchemaPlace(document: documents.count - 1, pointer: .root)
    let resource = addResource(uri: uri, place: place, dialect: dialect, inherited: inherited)
    try index(root, at: place, in: resource, depth: 0)
    return place
  }

  /// Adds a schema at a location that the registry does not know yet, because no keyword expects a schema there. For example, the JSON
  /// Pointer of a `$ref` may lead to such a location.
  mutating func addSchema(at place: SchemaPlace) throws(JSONSchemaError) {
    guard owners[place] == nil, let value = value(at: place) else { return }
    // The place belongs to the resource of the nearest schema around it.
    var tokens = place.pointer.tokens
    while !tokens.isEmpty, owners[SchemaPlace(document: place.document, pointer: JSONPointer(tokens: tokens))] == nil {
      tokens.removeLast()
    }
    let around = SchemaPlace(document: place.document, pointer: JSONPointer(tokens: tokens))
    try index(value, at: place, in: owners[around] ?? 0, depth: 0)
  }

  private mutating func addResource(uri: String, place: SchemaPlace, dialect: SchemaDialect, inherited: SchemaDialect?) -> Int {
    resources.append(SchemaResource(uri: uri, place: place, dialect: dialect, inherited: inherited))
    resourcesByURI[uri, default: []].append(resources.count - 1)
    return resources.count - 1
  }

  private mutating func index(_ schema: JSONValue, at place: SchemaPlace, in parent: Int, depth: Int) throws(JSONSchemaError) {
    guard depth < SchemaRegistry.deepestSchema else { throw failure("the schema is nested too deeply", at: place) }
    guard owners[place] == nil else { return }
    guard case .object(let object) = schema else {
      owners[place] = parent
      return
    }
    let resource = try identify(object, at: place, in: parent)
    owners[place] = resource
    let draft = resources[resource].dialect.draft
    // In draft-07, a `$ref` disables all other keywords of its schema, but `definitions` often contains its target.
    let isReference = draft == .draft7 && object["$ref"] != nil
    for member in object.members where !isReference || member.key == "definitions" {
      switch SchemaKeywordShape.of(member.key, draft: draft) {
      case .schema:
        if case .array(let elements) = member.value, member.key == "items", draft == .draft7 {
          try indexAll(elements, at: place.appending("items"), in: resource, depth: depth)
        } else {
          try index(member.value, at: place.appending(member.key), in: resource, depth: depth + 1)
        }
      case .schemas:
        if case .array(let elements) = member.value {
          try indexAll(elements, at: place.appending(member.key), in: resource, depth: depth)
        }
      case .namedSchemas:
        guard case .object(let named) = member.value else { continue }
        for entry in named.members where !entry.value.isArray {
          try index(entry.value, at: place.appending(member.key).appending(entry.key), in: resource, depth: depth + 1)
        }
      case .other: continue
      }
    }
  }

  private mutating func indexAll(_ schemas: [JSONValue], at place: SchemaPlace, in resource: Int, depth: Int) throws(JSONSchemaError) {
    for (position, schema) in schemas.enumerated() {
      try index(schema, at: place.appending(String(position)), in: resource, depth: depth + 1)
    }
  }

  /// Reads `$id` and the anchors of a schema. Returns the index of the resource that contains the schema. A schema whose `$id` is a new URI
  /// begins a new resource; any other schema belongs to the resource `parent`.
  private mutating func identify(_ object: JSONObject, at place: SchemaPlace, in parent: Int) throws(JSONSchemaError) -> Int {
    var resource = parent
    let base = URIReference(resources[parent].uri)
    var dialect = resources[parent].dialect
    if dialect.draft == .draft7, object["$ref"] != nil, !place.pointer.tokens.isEmpty { return resource }
    if case .string(let identifier) = object["$id"] {
      if let text = object["$schema"]?.stringValue, let draft = JSONSchema.Draft(schemaURI: text) { dialect.draft = draft }
      let reference = URIReference(identifier)
      let fragment = reference.fragment ?? ""
      let hasURI = !reference.withoutFragment.isEmpty
      if dialect.draft == .draft2020, !fragment.isEmpty { throw failure("$id has a fragment: write $anchor", at: place.appending("$id")) }
      if hasURI {
        let uri = reference.resolved(against: base).withoutFragment
        if place.pointer.tokens.isEmpty, uri == resources[parent].uri {
          resource = parent
        } else if isTaken(uri, at: place, in: parent) {
          throw failure("the identifier '\(uri)' is used twice", at: place.appending("$id"))
        } else {
          resource = addResource(uri: uri, place: place, dialect: dialect, inherited: resources[parent].inherited)
        }
      }
      // Draft-07 names anchors by an $id that is a fragment.
      if dialect.draft == .draft7, !fragment.isEmpty, !fragment.hasPrefix("/") { anchors["\(resource)#\(fragment)"] = place }
    }
    guard dialect.draft == .draft2020 else { return resource }
    for keyword in ["$anchor", "$dynamicAnchor"] {
      guard case .string(let name) = object[keyword] else { continue }
      if let known = anchor(name, in: resource), known != place {
        throw failure("the anchor '\(name)' is used twice", at: place.appending(keyword))
      }
      anchors["\(resource)#\(name)"] = place
      if keyword == "$dynamicAnchor" { resources[resource].dynamicAnchors[name] = place }
    }
    return resource
  }

  /// Whether a different schema in the registry already has the given URI. The same schema may occur several times, once for each dialect
  /// in which its document is read. These copies do not count as different schemas.
  private func isTaken(_ uri: String, at place: SchemaPlace, in parent: Int) -> Bool {
    let inherited = resources[parent].inherited
    return resourcesByURI[uri, default: []].contains { number in
      let other = resources[number]
      return other.place != place && (inherited == nil || other.inherited == nil || other.inherited == inherited)
    }
  }
}

extension JSONSchema.Draft {
  /// Creates a draft from the value of `$schema`, which may end with an empty fragment (`#`). Returns nil if no draft has this URI.
  init?(schemaURI: String) {
    self.init(rawValue: schemaURI.hasSuffix("#") ? String(schemaURI.dropLast()) : schemaURI)
  }
}

extension JSONValue {
  var isArray: Bool {
    if case .array = self { true } else { false }
  }
}

/// The form in which the value of a keyword contains schemas: one schema, a list of schemas, schemas by name, or none.
enum SchemaKeywordShape {
  case schema
  case schemas
  case namedSchemas
  case other

  static func of(_ keyword: String, draft: JSONSchema.Draft) -> SchemaKeywordShape {
    switch keyword {
    case "additionalProperties", "items", "contains", "propertyNames", "not", "if", "then", "else": .schema
    case "unevaluatedItems", "unevaluatedProperties", "contentSchema": draft == .draft2020 ? .schema : .other
    case "additionalItems": draft == .draft7 ? .schema : .other
    case "allOf", "anyOf", "oneOf": .schemas
    case "prefixItems": draft == .draft2020 ? .schemas : .other
    case "properties", "patternProperties", "definitions", "dependencies": .namedSchemas
    case "$defs", "dependentSchemas": draft == .draft2020 ? .namedSchemas : .other
    default: .other
    }
  }
}
