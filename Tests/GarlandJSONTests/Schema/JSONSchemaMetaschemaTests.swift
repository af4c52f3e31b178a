import GarlandJSON
import Testing

@Suite struct JSONSchemaMetaschemaTests {
  private func message(_ schemas: [String: JSONValue], root: String = "file:///a") -> String? {
    var options = JSONSchema.Options()
    options.resolver = { (uri: String) throws(JSONSchemaResolverError) in
      guard let found = schemas[uri] else { throw JSONSchemaResolverError(message: "it is not there") }
      return found
    }
    do {
      _ = try JSONSchema(["$schema": .string(root)], options: options)
      return nil
    } catch {
      return error.message
    }
  }

  @Test func `a JSON Schema that is its own metaschema is refused`() {
    let message = message(["file:///a": ["$schema": "file:///a"]])
    #expect(message?.hasPrefix("the metaschema 'file:///a' names itself as its metaschema") == true)
  }

  @Test func `two JSON Schemas that are the metaschema of each other are refused`() {
    let message = message(["file:///a": ["$schema": "file:///b"], "file:///b": ["$schema": "file:///a#"]])
    #expect(message?.hasPrefix("the metaschemas refer to each other in a circle, back to 'file:///a") == true)
  }

  @Test func `a JSON Schema with a chain of 100,000 metaschemas is refused`() {
    let chain = (0..<100_000).map { ("file:///\($0)", ["$schema": .string("file:///\($0 + 1)")] as JSONValue) }
    let message = message(Dictionary(uniqueKeysWithValues: chain), root: "file:///0")
    #expect(message == "more than 16 metaschemas of metaschemas")
  }
}
