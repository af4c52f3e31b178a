import GarlandDiagnostics
import GarlandJSON

@testable import GarlandWorkflow

/// A file system in memory, which a test fills.
struct MemoryFiles: WorkflowFiles {
  var contents: [String: String] = [:]
  var links: [String: String] = [:]
  var folders: Set<String> = ["/", "/project"]
  var unreadable: Set<String> = []

  func kind(of path: String) -> WorkflowFileKind {
    if unreadable.contains(path) { return .unreadable }
    if contents[path] != nil { return .file }
    return folders.contains(path) ? .folder : .missing
  }

  func resolve(_ path: String) -> String? {
    var parts: [Substring] = []
    for part in path.split(separator: "/") {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    let plain = "/" + parts.joined(separator: "/")
    return links[plain] ?? plain
  }

  func read(_ path: String, limit: Int) throws(WorkflowFileError) -> [UInt8] {
    guard let text = contents[path] else { throw WorkflowFileError("no such file") }
    return Array(text.utf8)
  }
}

/// Decodes documents for tests.
enum Decode {
  static let files = MemoryFiles(
    contents: [
      "/project/cover.png": "png", "/project/query.sql": "select 1", "/project/book.schema.json": #"{"type": "object"}"#,
      "/project/broken.schema.json": "{", "/project/ca.pem": "x", "/project/rows.csv": "name,role\nalice,admin\n",
      "/project/rows.txt": "x",
      "/project/called.yaml": "garland: 1\ninputs: { n }\nsteps: { a: { get: 'http://h/${inputs.n}' } }\n",
      "/project/outputs.yaml": "garland: 1\nsteps: { s: { get: http://h/ } }\noutputs: { code: '${s.status}', ids: [1] }\n",
      "/project/used.yaml": "garland: 1\nauth: { api: { bearer: t } }\nsteps: { login: { get: 'http://h/', extract: { token: $.t } } }\n",
      "/project/ragged.csv": "a,b\n1\n", "/outside/secret.txt": "s", "/project/locked.txt": "x",
    ], links: ["/project/link.txt": "/outside/secret.txt"], folders: ["/", "/project", "/outside", "/project/folder"],
    unreadable: ["/project/locked.txt"])

  static func document(
    _ text: String, profile: String? = nil, overrides: [WorkflowDecoder.Override] = []
  ) -> (workflow: Workflow?, diagnostics: DiagnosticList) {
    let options = WorkflowDecoder.Options(files: FileAccess(files, roots: ["/project"]), profile: profile, overrides: overrides)
    let (workflow, decoded) = WorkflowDecoder.decode(name: "test.yaml", bytes: Array(text.utf8), directory: "/project", options: options)
    guard let workflow else { return (nil, decoded) }
    var diagnostics = decoded
    // The planner reports these for documents that no other document uses.
    for unused in workflow.findings.unusedExtracts { diagnostics.report(workflow.warning(of: unused)) }
    // The planner reports these files if no step downloads them.
    guard !workflow.findings.missingFiles.isEmpty else { return (workflow, diagnostics) }
    for missing in workflow.findings.missingFiles { diagnostics.report(missing) }
    return (nil, diagnostics)
  }

  /// Decodes a document with a single step, whose lines are indented by two columns.
  static func step(_ lines: String, defaults: String? = nil) -> (workflow: Workflow?, diagnostics: DiagnosticList) {
    document(
      "garland: 1\ndefaults: { base_url: http://h }\nsteps:\n  it:\n"
        + lines.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n"))
  }
}

extension Step {
  /// The model of a step of the kind `reach`.
  var reach: ReachTemplate? { if case .reach(let reach, _) = action { reach } else { nil } }
  /// The model of a step of the kind `listen`.
  var listen: ListenTemplate? { if case .listen(let listen, _) = action { listen } else { nil } }
  /// The request of a step. For a step without a request, it is a request that no test expects.
  var sent: RequestTemplate {
    request ?? RequestTemplate(method: Located("", at: idRange), url: URLTemplate(pieces: [], source: "", range: idRange))
  }
}
