import TestSupport
import Testing

/// Tests of `--changed-since`, which selects the steps of changed documents and of the files that they use, and all dependent steps.
@Suite(.timeLimit(.minutes(15))) struct ChangedSinceTests {
  private func git(_ arguments: [String], in folder: TemporaryFolder) async throws {
    let identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"]
    let result = try await ChildProcess.run("/usr/bin/env", ["git"] + identity + arguments, in: folder.path)
    try #require(result.status == 0, "\(result.error)")
  }

  private static let files = [
    "shop.yaml": """
    garland: 1
    name: Shop
    defaults: { base_url: 'http://127.0.0.1:1' }
    steps:
      apart: { get: /apart }
      upload: { put: /upload, body: { file: data.txt }, extract: { id: $.id } }
      after_upload: { get: '/upload/${upload.id}' }
      form: { post: /form, multipart: { image: { file: image.bin } } }
      valid: { get: /valid, expect: { schema: { file: schemas/main.json } } }
      same: { get: /same, expect: { snapshot: { file: same.json } } }
      digest: { get: /digest, expect: { sha256: { file: image.bin } } }
      rows: { rows: rows.csv, get: '/rows/${item.n}' }
      text: { post: /text, body: "${file('data.txt')}" }
      secure: { get: /secure, tls: { ca: ca.pem } }
      called: { call: called.yaml }
      shared: { get: /shared, after: other.first }
    use: { other: other.yaml }

    """,
    "called.yaml": "garland: 1\nname: Called\nsteps:\n  inner: { post: 'http://127.0.0.1:1/', body: { file: inner.txt } }\n",
    "other.yaml": "garland: 1\nname: Other\nsteps:\n  first: { get: 'http://127.0.0.1:1/' }\n",
    "common.yaml": """
    garland: 1
    name: Common
    defaults: { base_url: 'https://127.0.0.1:1', tls: { ca: ca.pem } }
    steps:
      one: { get: /1 }
      two: { get: /2 }

    """,
    "keyed.yaml": """
    garland: 1
    name: Keyed
    secrets: { KEY: { file: key.txt } }
    auth: { shop: { bearer: "${secrets.KEY}" } }
    steps: { keyed: { get: 'http://127.0.0.1:1/', auth: shop } }

    """,
    "key.txt": "hunter2x\n", "data.txt": "data", "inner.txt": "inner", "image.bin": "image", "rows.csv": "n\n1\n", "same.json": "{}",
    "ca.pem": "none",
    "schemas/main.json": #"{"$ref": "part.json"}"#, "schemas/part.json": #"{"type": "object"}"#, "unrelated.txt": "",
  ]

  @Test(arguments: [
    ("data.txt", "shop.yaml", "upload after_upload text"), ("image.bin", "shop.yaml", "form digest"),
    ("schemas/main.json", "shop.yaml", "valid"), ("schemas/part.json", "shop.yaml", "valid"), ("same.json", "shop.yaml", "same"),
    ("rows.csv", "shop.yaml", "rows"), ("ca.pem", "shop.yaml", "secure"), ("called.yaml", "shop.yaml", "called"),
    ("inner.txt", "shop.yaml", "called"), ("other.yaml", "shop.yaml", "shared first"), ("ca.pem", "common.yaml", "one two"),
    ("common.yaml", "common.yaml", "one two"), ("unrelated.txt", "shop.yaml", ""), ("key.txt", "keyed.yaml", "keyed"),
    ("key.txt", "shop.yaml", ""),
  ])
  func `--changed-since selects the steps that are affected by files that have changed since the given git revision`(
    _ changed: String, _ document: String, _ steps: String
  ) async throws {
    let folder = try TemporaryFolder()
    for (name, text) in Self.files { try folder.write(name, text) }
    try await git(["init", "-q"], in: folder)
    try await git(["add", "-A"], in: folder)
    try await git(["commit", "-q", "-m", "x"], in: folder)
    try folder.write(changed, (Self.files[changed] ?? "") + (changed.hasSuffix("yaml") ? "# changed\n" : "\n"))
    let result = try await Garland.run(["plan", document, "--changed-since", "HEAD", "--format", "json"], in: folder.path)
    #expect(result.status == 0, "\(result.error)")
    let listed = result.output.matches(of: #/"index":\d+,"id":"(\w+)"/#).map { String($0.output.1) }
    #expect(Set(listed) == Set(steps.split(separator: " ").map(String.init)))
    if steps.isEmpty { #expect(result.error.contains("no change since HEAD affects a step"), "\(result.error)") }
  }

  @Test(arguments: [(".env", "local", true), (".env.staging", "local", false), (".env.staging", "staging", true)])
  func `if a .env file of the run has changed, --changed-since selects every step`(
    _ changed: String, _ profile: String, _ isSelected: Bool
  ) async throws {
    let folder = try TemporaryFolder()
    try folder.write("garland.project.yaml", "profiles: { local: {}, staging: {} }\n")
    for name in [".env", ".env.staging"] { try folder.write(name, "A=1\n") }
    try folder.write("a.yaml", "garland: 1\nsteps: { look: { get: 'http://127.0.0.1:1/${env.A}' } }\n")
    try await git(["init", "-q"], in: folder)
    try await git(["add", "-A", "-f"], in: folder)
    try await git(["commit", "-q", "-m", "x"], in: folder)
    try folder.write(changed, "A=2\n")
    let result = try await Garland.run(["list", "a.yaml", "--changed-since", "HEAD", "--profile", profile], in: folder.path)
    #expect(result.status == 0 && result.output.contains("look") == isSelected, "\(result.output)\(result.error)")
  }
}
