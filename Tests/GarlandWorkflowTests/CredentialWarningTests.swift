import GarlandDiagnostics
import Testing

@testable import GarlandWorkflow

/// Tests of the warning about tokens that are not marked as secret, since they would appear in reports and curl commands.
@Suite struct CredentialWarningTests {
  private static func document(_ extract: String, _ use: String) -> String {
    """
    garland: 1
    steps:
      login: { post: http://h/login, extract: { token: \(extract) } }
      books:
        get: http://h/books
        \(use)
    """
  }

  private static func warnings(_ text: String) throws -> [Diagnostic] {
    let options = WorkflowDecoder.Options(files: FileAccess(MemoryFiles(), roots: ["/p"]))
    let (workflow, diagnostics) = WorkflowDecoder.decode(name: "a.yaml", bytes: Array(text.utf8), directory: "/p", options: options)
    #expect(workflow != nil, "\(diagnostics.all.map(\.message))")
    return diagnostics.all
  }

  @Test(arguments: [
    "bearer: ${login.token}", "headers: { Authorization: 'Bearer ${login.token}' }", "headers: { x-api-key: '${login.token}' }",
    "headers: { proxy-AUTHORIZATION: 'Basic ${login.token | base64}' }",
  ])
  func `an extract that is sent as a credential causes a warning unless it is marked as secret`(_ use: String) throws {
    for (extract, mended) in [
      ("$.token", "{ json: $.token, secret: true }"),
      ("{ header: X-Token }", "{ header: X-Token, secret: true }"),
    ] {
      let found = try Self.warnings(Self.document(extract, use))
      let warning = try #require(found.first)
      #expect(found.count == 1 && warning.code == .unmaskedCredential && warning.severity == .warning)
      #expect(warning.range?.text == extract)
      #expect(warning.helps.first?.fix?.replacement == mended)
      #expect(try Self.warnings(Self.document(mended, use)).isEmpty)
    }
  }

  @Test func `if a JSONPath contains single quotes, the fix that marks an extract as secret doubles these quotes`() throws {
    let text = """
      garland: 1
      steps:
        a:
          post: http://h
          extract:
            t: $.tokens[0]['a,b']
        b: { get: http://h, bearer: "${a.t}" }
      """
    let fix = try #require(try Self.warnings(text).first?.helps.first?.fix)
    #expect(fix.replacement == "{ json: '$.tokens[0][''a,b'']', secret: true }")
    var bytes = Array(text.utf8)
    bytes.replaceSubrange(fix.range.offsets, with: fix.replacement.utf8)
    #expect(try Self.warnings(String(decoding: bytes, as: UTF8.self)).isEmpty)
  }

  @Test(arguments: [
    ("$.token", "headers: { X-Request: '${login.token}' }"), ("{ json: $.token, secret: true }", "bearer: ${login.token}"),
    ("{ json: $.token, secret: false }", "bearer: ${login.token}"), ("$.token", "query: { token: '${login.token}' }"),
  ])
  func `an extract causes no warning about credentials if its key 'secret' is set, or if no step sends it as a credential`(
    _ extract: String, _ use: String
  ) throws {
    #expect(try Self.warnings(Self.document(extract, use)).isEmpty)
  }

  @Test func `if several steps send the same extract as a credential, a single warning is reported`() throws {
    let more = Self.document("$.token", "bearer: ${login.token}") + "\n  again: { get: http://h, bearer: '${login.token}' }\n"
    #expect(try Self.warnings(more).count == 1)
  }
}
