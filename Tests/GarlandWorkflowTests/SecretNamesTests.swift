import GarlandDiagnostics
import Testing

@testable import GarlandWorkflow

/// Tests of the search for values of secrets in the text of a document.
@Suite struct SecretNamesTests {
  private func values(in text: String) -> Set<String> { SecretNames.values(in: SourceFile(name: "w.yaml", bytes: Array(text.utf8))) }

  @Test(arguments: [
    "garland: 1\nsecrets: { API: hunter2x }\nname: other-value", "secrets: {\n  A: { value: y }, B: hunter2x\n}\nname: other-value",
    "secrets: {\n  A: y, # a brace } and a quote \" in a comment\n  B: hunter2x }\nname: other-value",
    "profiles:\n  dev:\n    secrets:\n      TOKEN: hunter2x\n    vars:\n      a: other-value",
    "profiles:\r\n  dev:\r\n    \"secrets\":\r\n      TOKEN: hunter2x\r\n    vars: { a: other-value }",
    "profiles:\n  dev: { secrets: { TOKEN: hunter2x }, vars: { a: other-value } }",
    "profiles: {\n  dev: { vars: { a: other-value }, secrets: { TOKEN: hunter2x } } }\nname: other-value",
    "steps: { a: { get: \"http://a } }\nprofiles:\n  dev:\n    secrets:\n      TOKEN: \"hunter2x\n    vars: { a: other-value }",
    "{\"garland\":1,\"secrets\":{\"A\":{\"value\":\"y\"},\"B\":\"hunter2x\"},\"name\":\"other-value\"}",
    "{\n  \"secrets\": {\n    \"A\": \"y } \\\" }\",\n    \"B\": \"hunter2x\"\n  },\n  \"name\": \"other-value\"\n}",
    "{\"profiles\":{\"dev\":{\"secrets\":{\"A\":\"hunter2x\"},\"vars\":{\"a\":\"other-value\"}}}}",
    "{\"secrets\":\"hunter2x\",\"name\":\"other-value\"}",
    // Without a quote or a brace, the parents of `secrets` are not known.
    "{\"steps\":{\"a\":{\"get\":\"http}},\"secrets\":{\"A\":\"hunter2x\"},\"name\":\"other-value\"}",
    "{\"steps\":{\"a\":{\"get\":1},\n\"secrets\":{\"A\":\"hunter2x\"},\"name\":\"other-value\"}",
  ]) func `the search for secrets in a document finds values under 'secrets', but none under the key that follows 'secrets'`(
    document: String
  ) {
    let found = values(in: document)
    #expect(found.contains("hunter2x") && !found.contains { $0.contains("other-value") }, "\(found)")
  }

  @Test(arguments: [
    "steps:\n  a:\n    json:\n      secrets: { a: other-value }", "steps:\n  a:\n    json: { secrets: { a: other-value } }",
    "steps:\n- json:\n- secrets: other-value\n", "secrets: [NAME]\nname: other-value",
    "profiles:\n  dev:\n    secrets: [NAME]\n    vars: { secrets: other-value }",
    "{\"steps\":{\"a\":{\"query\":{\"secrets\":\"true\"},\"headers\":{\"X-A\":\"some-value\"},\"foo\":\"other-value\"}}}",
    "{\n  \"steps\": {\n    \"a\": {\n      \"json\": { \"secrets\": { \"a\": \"other-value\" } }\n    }\n  }\n}",
    "{\"secrets\":[\"NAME\"],\"name\":\"other-value\"}",
    // A brace is missing, but no value is a mapping.
    "{\"steps\":{\"a\":{\"query\":{\"secrets\":\"true\"},\"foo\":\"other-value\"}}",
  ]) func `the search for secrets in a document ignores a key 'secrets' that is inside a request or only lists names`(document: String) {
    let isEmpty = values(in: document).allSatisfy(\.isEmpty)
    #expect(isEmpty)
  }

  @Test func `a value of 5,000 characters under the key 'secrets' is not treated as a secret`() {
    let long = String(repeating: "x", count: 5000)
    #expect(values(in: "secrets:\n  A: \(long)\n  B: hunter2x").allSatisfy { $0.utf8.count < 100 })
    #expect(values(in: "{\"secrets\":{\"A\":\"\(long)\",\"B\":\"hunter2x\"}}").contains("hunter2x"))
  }
}
