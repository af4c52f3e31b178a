import FoundationEssentials
import TestSupport
import Testing

/// Tests that every example of the documentation and the README works unchanged.
@Suite(.timeLimit(.minutes(15))) struct DocumentationTests {
  /// A fenced code block of a page.
  struct Block: Sendable, CustomTestStringConvertible {
    let page: String
    let line: Int
    let text: String
    var testDescription: String { "\(page):\(line)" }
    var isDocument: Bool { text.hasPrefix("garland:") || text.contains("\ngarland:") }
    /// The name of the project file or quarantine list that the block contains; nil for any other block.
    var fileName: String? { ["garland.project.yaml", "quarantine.yaml"].first { text.hasPrefix("# \($0)") } }
    var isForSandbox: Bool { text.contains("env.GARLAND_SANDBOX") }

    /// The block as a complete document. A part of a document begins with one of its keys, or consists of steps.
    var document: String {
      if isDocument { return text }
      let first = text.split(separator: "\n").first { !$0.hasPrefix("#") } ?? ""
      let key = first.split(separator: ":").first.map(String.init) ?? ""
      let steps = text.hasPrefix("steps:") || text.contains("\nsteps:") ? "" : "steps: { home: { get: https://example.com/ } }\n"
      if ["vars", "secrets", "profiles", "defaults", "inputs", "outputs", "use", "resources", "reachability", "steps"].contains(key) {
        let defaults = text.contains("base_url:") ? "" : "defaults: { base_url: https://example.com }\n"
        return "garland: 1\n\(defaults)\(text)\(steps)"
      }
      let indented = text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "  \($0)" }
      return "garland: 1\ndefaults: { base_url: https://example.com }\nsteps:\n" + indented.joined(separator: "\n")
    }
  }

  static let reference = "docs/language"

  static let pages: [String] = {
    let names = FileManager.default.subpaths(atPath: Repository.path("docs"))
    return ["README.md"] + (names ?? []).filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" }
  }()

  /// The YAML blocks of all pages, except those that contain only a comment.
  static let blocks: [Block] = pages.flatMap { page -> [Block] in
    guard let data = try? Data(contentsOf: URL(filePath: Repository.path(page))) else { return [] }
    var blocks: [Block] = []
    var open: (line: Int, text: String)?
    for (number, line) in String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if let (start, text) = open {
        if line == "```" {
          if text.split(separator: "\n").contains(where: { !$0.hasPrefix("#") }) {
            blocks.append(Block(page: page, line: start, text: text))
          }
          open = nil
        } else {
          open = (start, "\(text)\(line)\n")
        }
      } else if line == "```yaml" {
        open = (number + 2, "")
      }
    }
    return blocks
  }

  /// The files that the examples use.
  static let files: [String: String] = [
    "users.csv": "name,role\nalice,admin\nbob,reader\n",
    "order.xml": "<order/>\n",
    "cover.png": "no real picture\n",
    "book.schema.json": #"{"type": "object", "required": ["title"]}"#,
    "query.sql": "select 1\n",
    "backup.tar": "no real archive\n",
    "test-ca.pem": "",
    "client.p12": "",
    "shared/auth.yaml": """
    garland: 1
    defaults: { base_url: "${env.GARLAND_SANDBOX}" }
    auth:
      api: { oauth2: { grant: password, issuer: "${env.GARLAND_SANDBOX}", username: alice, password: wonderland, scope: openid } }
    steps:
      login:
        post: /anything
        json: { token: abc }
        extract: { token: $.json.token }

    """,
    "onboard.yaml": """
    garland: 1
    inputs: { tenant: { type: string }, size: 10 }
    defaults: { base_url: "${env.GARLAND_SANDBOX}" }
    steps:
      create:
        post: /anything
        json: { id: "${inputs.tenant}-1", size: "${inputs.size}" }
        extract: { id: $.json.id }
    outputs: { user_id: "${create.id}" }

    """,
  ]

  /// The examples for the sandbox run; all others must at least be valid documents, or valid parts of a document.
  @Test(arguments: blocks) func `every YAML example in the documentation is valid, and every example for the sandbox passes`(block: Block)
    async throws
  {
    let folder = try TemporaryFolder()
    for (name, text) in Self.files { try folder.write(name, text) }
    if let name = block.fileName {
      try folder.write(name, block.text)
      let check = try await Garland.run(["check", name], in: folder.path)
      #expect(check.status == 0, "\(block.page):\(block.line)\n\(check.output)\(check.error)")
      return
    }
    try folder.write("page.yaml", block.document)
    let check = try await Garland.run(["check", "page.yaml"], in: folder.path)
    #expect(check.status == 0, "\(block.page):\(block.line)\n\(block.document)\n\(check.output)\(check.error)")
    guard block.isDocument, block.isForSandbox else { return }
    let run = try await Garland.run(["run", "page.yaml", "--sandbox", "--update-snapshots"], in: folder.path)
    #expect(run.status == 0, "\(block.page):\(block.line)\n\(block.document)\n\(run.output)\(run.error)")
  }

  /// The tables of the schema, with the members that these tests use.
  private struct Schema: Decodable {
    struct Table: Decodable { let properties: [String: Nothing]? }
    struct Nothing: Decodable { init(from decoder: any Decoder) {} }
    let properties: [String: Nothing]
    let definitions: [String: Table]
  }

  @Test func `each key in the JSON Schemas of workflows and projects has a row in a table of the documentation`() throws {
    let schemas = try ["workflow", "project"].map { name in
      try JSONDecoder().decode(Schema.self, from: Data(contentsOf: URL(filePath: Repository.path("schemas/\(name).schema.json"))))
    }
    let text = try Self.pages.map { String(decoding: try Data(contentsOf: URL(filePath: Repository.path($0))), as: UTF8.self) }.joined()
    let keys = schemas.reduce(into: Set<String>()) { keys, schema in
      keys.formUnion(schema.properties.keys)
      for table in schema.definitions.values { keys.formUnion((table.properties ?? [:]).keys) }
    }
    #expect(keys.count > 100)
    #expect(keys.filter { !text.contains("\n| `\($0)` |") }.sorted() == [])
  }

  @Test func `each page of the language reference has an example`() {
    #expect(Self.pages.count >= 25)
    for page in Self.pages where page.hasPrefix(Self.reference) && !page.hasSuffix("exit-statuses.md") {
      #expect(Self.blocks.contains { $0.page == page }, "\(page)")
    }
  }
}
