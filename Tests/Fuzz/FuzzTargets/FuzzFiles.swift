import GarlandWorkflow

/// A project in memory for documents to name: nothing that a fuzzer writes reaches the machine's files.
struct FuzzFiles: WorkflowFiles {
  static let contents: [String: String] = [
    "/project/cover.png": "png", "/project/query.sql": "select 1", "/project/book.schema.json": #"{"type": "object"}"#,
    "/project/broken.schema.json": "{", "/project/ca.pem": "x", "/project/rows.csv": "name,role\nalice,admin\nbob,reader\n",
    "/project/users.csv": "name,role\nalice,admin\n", "/project/rows.jsonl": "{\"a\": 1}\n{\"a\": 2}\n", "/project/ragged.csv": "a,b\n1\n",
    "/project/staging.env": "TOKEN=abc\n", "/outside/secret.txt": "s",
    "/project/called.yaml": """
    garland: 1
    inputs: { n: { type: number }, tenant: x }
    steps: { a: { get: 'http://h/${inputs.n}', extract: { id: $.id } } }
    outputs: { id: '${a.id}' }

    """,
    "/project/shared/auth.yaml": """
    garland: 1
    auth: { api: { oauth2: { grant: client_credentials, token_url: 'http://h/token', client_id: x } } }
    steps: { login: { post: 'http://h/login', extract: { token: $.token } } }

    """,
    "/project/circle.yaml": "garland: 1\nuse: { self: ./circle.yaml }\nsteps: { a: { get: 'http://h/' } }\n",
  ]

  func kind(of path: String) -> WorkflowFileKind {
    if FuzzFiles.contents[path] != nil { return .file }
    return ["/", "/project", "/project/shared", "/project/folder", "/outside"].contains(path) ? .folder : .missing
  }

  func resolve(_ path: String) -> String? {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }

  func read(_ path: String, limit: Int) throws(WorkflowFileError) -> [UInt8] {
    guard let text = FuzzFiles.contents[path] else { throw WorkflowFileError("no such file") }
    return Array(text.utf8)
  }

  static let access = FileAccess(FuzzFiles(), roots: ["/project"])
}
