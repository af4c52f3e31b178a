import GarlandText

/// Compiles a schema, and all schemas to which it refers, into a program.
struct SchemaCompiler {
  let options: JSONSchema.Options
  var registry = SchemaRegistry()
  private var nodes: [SchemaNode?] = []
  private var numbers: [SchemaPlace: Int] = [:]
  /// The schemas that are not compiled yet, each with the number that its compiled form (``SchemaNode``) will have.
  private var pending: [(number: Int, place: SchemaPlace)] = []
  private var dynamicAnchorNames: Set<String> = []
  var tracksEvaluated = false

  init(options: JSONSchema.Options) {
    self.options = options
  }

  mutating func compile(_ schema: JSONValue) throws(JSONSchemaError) -> SchemaProgram {
    let base = URIReference(options.baseURI).withoutFragment
    let place = try register(schema, uri: base, in: SchemaDialect(draft: options.defaultDraft), isRoot: true)
    let root = try number(of: place)
    try compilePending()
    // A dynamic reference can lead to any anchor with its name. Compiling the schemas at these anchors can add resources, so this is
    // repeated until it adds nothing.
    var tables: [[String: Int]] = []
    var isComplete = false
    while !isComplete {
      tables = []
      let known = nodes.count
      for resource in registry.resources {
        var table: [String: Int] = [:]
        for (name, place) in resource.dynamicAnchors where dynamicAnchorNames.contains(name) {
          table[name] = try number(of: place)
        }
        tables.append(table)
      }
      try compilePending()
      isComplete = nodes.count == known && tables.count == registry.resources.count
    }
    try refuseEndlessReferences()
    return SchemaProgram(nodes: nodes.compactMap { $0 }, root: root, dynamicAnchors: tables, tracksEvaluated: tracksEvaluated)
  }

  private mutating func compilePending() throws(JSONSchemaError) {
    while let next = pending.popLast() {
      nodes[next.number] = try node(at: next.place)
    }
  }

  /// Refuses a schema that refers to itself for the same value, directly or through other schemas, such as `{"$ref": "#"}`. The evaluation
  /// of such a schema would never end, and the specification does not allow it (JSON Schema core, section 9.4.1).
  private func refuseEndlessReferences() throws(JSONSchemaError) {
    let targets: [[Int]] = nodes.map { $0?.keywords.flatMap(\.appliedInPlace) ?? [] }
    var sources = [[Int]](repeating: [], count: nodes.count)
    for source in targets.indices {
      for target in targets[source] { sources[target].append(source) }
    }
    // The evaluation of a schema ends if it ends for all schemas that the schema applies to the same value.
    var unfinished = targets.map(\.count)
    var ending = unfinished.indices.filter { unfinished[$0] == 0 }
    while let target = ending.popLast() {
      for source in sources[target] {
        unfinished[source] -= 1
        if unfinished[source] == 0 { ending.append(source) }
      }
    }
    guard var node = unfinished.firstIndex(where: { $0 > 0 }) else { return }
    // Each schema whose evaluation does not end leads to a cycle of such schemas.
    var seen: Set<Int> = []
    while seen.insert(node).inserted, let next = targets[node].first(where: { unfinished[$0] > 0 }) { node = next }
    guard let place = numbers.first(where: { $0.value == node })?.key else { return }
    throw registry.failure("the schema refers to itself without end", at: place)
  }

  /// Returns the number of the compiled schema (``SchemaNode``) for a location. A new schema gets a number now and is compiled later.
  mutating func number(of place: SchemaPlace) throws(JSONSchemaError) -> Int {
    if let number = numbers[place] { return number }
    try registry.addSchema(at: place)
    let number = nodes.count
    numbers[place] = number
    nodes.append(nil)
    pending.append((number, place))
    return number
  }

  private mutating func node(at place: SchemaPlace) throws(JSONSchemaError) -> SchemaNode {
    let resource = registry.owner(of: place) ?? 0
    var node = SchemaNode(location: registry.location(of: place, in: resource), resource: resource)
    switch registry.value(at: place) {
    case .bool(let value): node.always = value
    case .object(let object):
      var reader = SchemaKeywordReader(object: object, place: place, resource: registry.resources[resource])
      node.keywords = try reader.read(with: &self)
    case let other:
      let found = other.map(SchemaWords.kind) ?? "nothing"
      throw registry.failure("a schema must be an object, true or false, not \(found)", at: place)
    }
    return node
  }

  // MARK: References

  /// Adds a schema document. The `$schema` of the document determines its dialect. Without `$schema`, the document has the dialect of the
  /// schema that refers to it.
  private mutating func register(
    _ document: JSONValue, uri: String, in outer: SchemaDialect, isRoot: Bool = false
  ) throws(JSONSchemaError) -> SchemaPlace {
    var uri = uri
    let place = SchemaPlace(document: registry.documents.count, pointer: .root)
    let dialect = try dialect(of: document, uri: uri, in: outer)
    // If the document has no URI, the `$id` of its root becomes its URI. Otherwise, the document is known by both.
    if case .string(let identifier) = document["$id"], dialect.draft == .draft2020 || document["$ref"] == nil {
      let own = URIReference(identifier).resolved(against: URIReference(uri)).withoutFragment
      if !own.isEmpty, own != uri, registry.resource(of: own, for: dialect) == nil, uri.isEmpty { uri = own }
    }
    let inherited = isRoot || document["$schema"] != nil ? nil : outer
    let added = try registry.add(document, uri: uri, dialect: dialect, inherited: inherited)
    assert(added == place, "documents are numbered in the order in which they are added")
    return added
  }

  /// The maximum length of a chain of metaschemas. Each metaschema in the chain is the `$schema` of the previous one.
  private static let mostMetaschemas = 16

  /// Returns the dialect of a document.
  ///
  /// - Parameter chain: The URIs of the metaschemas that were read before this document: each is the `$schema` of the previous one. If the
  ///   `$schema` of this document is one of these URIs, the metaschemas form a cycle, which is an error.
  private func dialect(
    of document: JSONValue, uri: String, in outer: SchemaDialect, chain: [String] = []
  ) throws(JSONSchemaError) -> SchemaDialect {
    guard let value = document["$schema"] else { return outer }
    let location = JSONPointer(tokens: ["$schema"])
    guard case .string(let text) = value else {
      throw JSONSchemaError(document: uri, location: location, message: "$schema must be the URI of a draft, in quotes")
    }
    if let draft = JSONSchema.Draft(schemaURI: text) { return SchemaDialect(draft: draft) }
    let known = JSONSchema.Draft.allCases.map(\.rawValue).joined(separator: " and ")
    guard !text.contains("json-schema.org/"), let resolver = options.resolver else {
      throw JSONSchemaError(document: uri, location: location, message: "the draft '\(text)' is unknown: the known drafts are \(known)")
    }
    let name = URIReference(text).withoutFragment
    guard !chain.contains(name) else {
      let message =
        chain.last == name
        ? "the metaschema '\(text)' names itself as its metaschema" : "the metaschemas refer to each other in a circle, back to '\(text)'"
      throw JSONSchemaError(document: uri, location: location, message: "\(message): one of the drafts has to be named, \(known)")
    }
    guard chain.count < Self.mostMetaschemas else {
      throw JSONSchemaError(
        document: uri, location: location, message: "more than \(Self.mostMetaschemas) metaschemas of metaschemas")
    }
    do {
      // For a custom metaschema, its vocabularies decide.
      let metaschema = try resolver(name)
      var dialect = try dialect(of: metaschema, uri: text, in: outer, chain: chain + [name])
      if case .object(let vocabularies) = metaschema["$vocabulary"] {
        dialect.hasValidation = vocabularies["https://json-schema.org/draft/2020-12/vocab/validation"] != nil
        // A known vocabulary is applied, required or not (JSON Schema core, section 8.1.2).
        dialect.assertsFormats = vocabularies["https://json-schema.org/draft/2020-12/vocab/format-assertion"] != nil
      }
      return dialect
    } catch let error as JSONSchemaResolverError {
      throw JSONSchemaError(document: uri, location: location, message: "the metaschema '\(text)' can't be loaded: \(error.message)")
    } catch let error as JSONSchemaError {
      throw error
    } catch {
      throw JSONSchemaError(document: uri, location: location, message: "\(error)")
    }
  }

  /// Returns the location to which a reference points. If the reference uses a dynamic anchor, also returns the name of this anchor.
  mutating func resolve(
    _ text: String, from place: SchemaPlace, base: String
  ) throws(JSONSchemaError) -> (place: SchemaPlace, dynamicAnchor: String?) {
    let target = URIReference(text).resolved(against: URIReference(base))
    let uri = target.withoutFragment
    let resource = try resource(of: uri, reference: text, from: place)
    let root = registry.resources[resource].place
    let fragment = target.fragment ?? ""
    guard !fragment.isEmpty else { return (root, nil) }
    if fragment.hasPrefix("/") || fragment.hasPrefix("%2F") {
      do {
        let pointer = try JSONPointer(uriFragment: fragment)
        let found = SchemaPlace(document: root.document, pointer: JSONPointer(tokens: root.pointer.tokens + pointer.tokens))
        _ = try found.pointer.value(in: registry.documents[found.document].root)
        return (found, nil)
      } catch {
        throw registry.failure("the reference '\(text)' has no target: \(error)", at: place)
      }
    }
    let name = PercentEncoding.strictText(decoding: fragment) ?? fragment
    guard let found = registry.anchor(name, in: resource) else {
      throw registry.failure("the reference '\(text)' has no target: there is no anchor '\(name)'", at: place)
    }
    let isDynamic = registry.resources[resource].dynamicAnchors[name] == found
    if isDynamic { dynamicAnchorNames.insert(name) }
    return (found, isDynamic ? name : nil)
  }

  private mutating func resource(of uri: String, reference: String, from place: SchemaPlace) throws(JSONSchemaError) -> Int {
    let schema = SchemaPlace(document: place.document, pointer: JSONPointer(tokens: place.pointer.tokens.dropLast()))
    let outer = registry.owner(of: schema).map { registry.resources[$0].dialect } ?? SchemaDialect(draft: options.defaultDraft)
    if let known = registry.resource(of: uri, for: outer) { return known }
    let document: JSONValue
    if let text = MetaSchemas.documents[uri] {
      do {
        document = try JSONValue(parsing: text)
      } catch {
        throw registry.failure("the metaschema '\(uri)' is damaged: \(error)", at: place)
      }
    } else {
      guard let resolver = options.resolver else {
        throw registry.failure(
          "the reference '\(reference)' leads to another document, '\(uri)', and references to other documents are not allowed here",
          at: place)
      }
      do {
        document = try resolver(uri)
      } catch {
        throw registry.failure("the reference '\(reference)' cannot be resolved: \(error.message)", at: place)
      }
    }
    let added = try register(document, uri: uri, in: outer)
    guard let owner = registry.owner(of: added) else { throw registry.failure("the reference '\(reference)' has no target", at: place) }
    return registry.resource(of: uri, for: outer) ?? owner
  }
}
