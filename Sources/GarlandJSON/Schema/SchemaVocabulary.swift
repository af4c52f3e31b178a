/// The keywords of JSON Schema, and a search for members that are not keywords.
///
/// A schema may contain any other members, which validators ignore (2020-12, section 6.5). So a misspelt
/// keyword has no effect, and no error reports the mistake.
package enum SchemaVocabulary {
  /// The keywords of both supported versions of JSON Schema: draft-07 and 2020-12.
  package static let keywords: [String] = [
    "$schema", "$id", "$ref", "$anchor", "$dynamicRef", "$dynamicAnchor", "$vocabulary", "$comment", "$defs", "definitions",
    "type", "enum", "const", "multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "maxLength", "minLength",
    "pattern",
    "items", "prefixItems", "additionalItems", "contains", "maxContains", "minContains", "maxItems", "minItems", "uniqueItems",
    "properties", "patternProperties", "additionalProperties", "propertyNames", "required", "maxProperties", "minProperties",
    "dependentRequired", "dependentSchemas", "dependencies", "unevaluatedItems", "unevaluatedProperties",
    "allOf", "anyOf", "oneOf", "not", "if", "then", "else",
    "format", "contentEncoding", "contentMediaType", "contentSchema",
    "title", "description", "default", "deprecated", "readOnly", "writeOnly", "examples",
  ]

  /// The members of a schema that OpenAPI or earlier drafts of JSON Schema define.
  private static let foreign: Set<String> = [
    "example", "nullable", "discriminator", "xml", "externalDocs", "id", "$recursiveRef", "$recursiveAnchor", "extends", "disallow",
    "divisibleBy",
  ]

  /// An unknown member of a schema: the name of the member is not a keyword.
  package struct Stranger: Sendable {
    /// The location of the schema with the unknown member, as a JSON Pointer within the whole schema.
    package let schema: JSONPointer
    /// The name of the member that is not a keyword.
    package let name: String
    /// Whether the schema with the unknown member also has a known member: a keyword of JSON Schema, or a member that another specification
    /// defines.
    package let hasKeywords: Bool
  }

  /// Returns the members with unknown names, in a schema and in all schemas that it contains. Keywords, members that other specifications
  /// define, and names that begin with `x-` count as known.
  package static func strangers(in schema: JSONValue) -> [Stranger] {
    let known = Set(keywords)
    var found: [Stranger] = []
    var open = [(place: JSONPointer.root, value: schema)]
    while let (place, value) = open.popLast() {
      guard let object = value.objectValue else { continue }
      let hasKeywords = object.contains { known.contains($0.key) || foreign.contains($0.key) }
      for (name, member) in object {
        guard known.contains(name) else {
          if !foreign.contains(name), !name.hasPrefix("x-") { found.append(Stranger(schema: place, name: name, hasKeywords: hasKeywords)) }
          continue
        }
        let here = place.appending(name)
        let shape = SchemaKeywordShape.of(name, draft: .draft2020)
        switch shape == .other ? SchemaKeywordShape.of(name, draft: .draft7) : shape {
        case .schema, .schemas:
          open.append((here, member))
          for (index, item) in (member.arrayValue ?? []).enumerated() { open.append((here.appending(index), item)) }
        case .namedSchemas: for (key, inner) in member.objectValue ?? [:] { open.append((here.appending(key), inner)) }
        case .other: break
        }
      }
    }
    return found
  }
}
