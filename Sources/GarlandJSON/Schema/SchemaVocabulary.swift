/// The keywords of JSON Schema, and where a schema has members that are none.
///
/// A schema may hold anything beside its keywords, and none of it is looked at (2020-12, section 6.5). So one that is misspelt asserts nothing, in silence.
package enum SchemaVocabulary {
  /// Those of both drafts.
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

  /// What others write beside them: OpenAPI, and earlier drafts.
  private static let foreign: Set<String> = [
    "example", "nullable", "discriminator", "xml", "externalDocs", "id", "$recursiveRef", "$recursiveAnchor", "extends", "disallow",
    "divisibleBy",
  ]

  /// A member that is no keyword.
  package struct Stranger: Sendable {
    /// Where the schema stands.
    package let schema: JSONPointer
    /// What it is called.
    package let name: String
    /// Whether the schema has any keyword besides.
    package let hasKeywords: Bool
  }

  /// All of a schema and those within it.
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
