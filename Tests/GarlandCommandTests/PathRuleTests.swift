import Foundation
import GarlandSandbox
import Glibc
import TestSupport
import Testing

/// Tests of the base folder of each path, as in the reference's table. The document is in another folder than the working directory.
@Suite(.timeLimit(.minutes(15))) struct PathRuleTests {
  /// The first column of the reference's table, with the second column as the value.
  static let promised: [String: String] = {
    let page =
      (try? String(contentsOfFile: Repository.path("docs/language/files-and-paths.md"), encoding: .utf8)) ?? ""
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst(2)
    return Dictionary(
      rows.map { row in
        let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        return (cells[0], cells[1])
      }
    ) { first, _ in first }
  }()

  /// A rule for each row of the table: the content of a document in `docs`, and the files that it uses in the expected folder.
  struct Rule: Sendable, CustomTestStringConvertible {
    let row: String
    var top = ""
    let steps: String
    var files: [String: String] = [:]
    var arguments: [String] = []
    /// The files that the run writes.
    var written: [String] = []
    var isOnlyChecked = false
    var testDescription: String { row }
  }

  static let leaf =
    "garland: 1\ndefaults: { base_url: \"${env.GARLAND_SANDBOX}\" }\nsteps: { l: { post: /anything, body: { file: a.txt } } }\n"
  static let key = (try? String(contentsOfFile: Repository.path("examples/oauth/signer.pem"), encoding: .utf8)) ?? ""

  static let rules: [Rule] = [
    Rule(
      row: "another document: `use`, `call`", steps: "a: { call: inner/leaf.yaml }",
      files: ["docs/inner/leaf.yaml": leaf, "docs/inner/a.txt": "a"]),
    Rule(
      row: "what is sent: `body: { file: … }`, the `file` of a part of `multipart` or `submit`",
      steps: "a: { post: /anything, body: { file: a.txt } }\n  b: { post: /anything, multipart: { x: { file: \"${'a' | lower}.txt\" } } }",
      files: ["docs/a.txt": "a"]),
    Rule(row: "`file()`", steps: "a: { post: /anything, body: \"${file('a.txt')}\" }", files: ["docs/a.txt": "a"]),
    Rule(row: "`rows`", steps: "a: { rows: a.csv, get: \"/anything/${item.x}\" }", files: ["docs/a.csv": "x\n1\n"]),
    Rule(
      row: "`schema`, and a `$ref` in a document's own schema",
      steps: "a: { get: /json, expect: { schema: a.json } }\n  b: { get: /json, expect: { schema: { $ref: a.json } } }",
      files: ["docs/a.json": "{\"type\": \"object\"}"]),
    Rule(
      row: "a `$ref` in a schema's file", steps: "a: { get: /json, expect: { schema: inner/a.json } }",
      files: ["docs/inner/a.json": "{\"$ref\": \"b.json\"}", "docs/inner/b.json": "{\"type\": \"object\"}"]),
    Rule(
      row: "`snapshot`", steps: "a: { get: /encoding/latin1, expect: { snapshot: s.txt } }", arguments: ["--update-snapshots"],
      written: ["docs/s.txt"]),
    Rule(
      row: "`sha256: { file: … }`", steps: "a: { post: /echo, body: abc, expect: { sha256: { file: a.txt } } }",
      files: ["docs/a.txt": "abc"], isOnlyChecked: true),
    Rule(
      row: "`tls`: `ca`, `cert`, `key`", steps: "a: { get: /json, tls: { ca: a.pem, cert: a.pem, key: a.pem } }",
      files: ["docs/a.pem": key],
      isOnlyChecked: true),
    Rule(
      row: "`auth`: `client_key`, `client_certificate`, `key`",
      top: "auth: { s: { oauth2: { grant: client_credentials, token_url: /oauth/token, client_id: signer, client_key: a.pem } } }\n",
      steps: "a: { get: /json, auth: s }",
      files: ["docs/a.pem": key]),
    Rule(row: "`cookies`", steps: "a: { get: /cookies/set?a=1, cookies: jar.txt }", written: ["docs/jar.txt"]),
    Rule(row: "`unix_socket`", steps: "a: { get: http://h/, unix_socket: x.sock, expect: { error: unreachable } }"),
    Rule(row: "`download`", steps: "a: { get: /encoding/latin1, download: out.txt }", written: ["out.txt"]),
    Rule(row: "`cache: { dir: … }`", steps: "a: { get: /cache/60, cache: { dir: kept } }", written: ["kept"]),
    Rule(
      row: "the command line: documents, `--vars-file`, `--secrets-file`, `--report`, `--allow-path`",
      steps: "a: { get: \"/anything/${vars.v}\", bearer: \"${secrets.S}\" }", files: ["v.yaml": "v: 1", "s.env": "S=secret-1"],
      arguments: ["--vars-file", "v.yaml", "--secrets-file", "s.env", "--report", "json=r.json"], written: ["r.json"]),
  ]

  @Test(arguments: ["link/x.bin", "real/x.bin", "ABSOLUTE/real/x.bin"])
  func `two downloads to one file are an error even if a symbolic link or an absolute path leads to the file`(path: String) async throws {
    let folder = try TemporaryFolder()
    try folder.write("real/old.txt", "")
    symlink("real", folder.path + "/link")
    let other = path.replacing("ABSOLUTE", with: folder.path)
    try folder.write(
      "a.yaml",
      "garland: 1\nsteps:\n  a: { get: 'http://h/a', download: real/x.bin }\n  b: { get: 'http://h/b', download: \(other) }\n")
    let result = try await Garland.run(["check", "a.yaml"], in: folder.path)
    #expect(result.status == 2 && result.error.contains("error[download-conflict]"), "\(result.error)")
    #expect(result.error.contains("`a` downloads to `real/x.bin` too"), "\(result.error)")
  }

  @Test func `every rule for relative paths in the language reference has a test document`() {
    #expect(Set(Self.promised.keys) == Set(Self.rules.map(\.row)))
    for rule in Self.rules {
      let isBesideDocument = (Array(rule.files.keys) + rule.written).allSatisfy { $0.hasPrefix("docs/") }
      let base = isBesideDocument ? ["the document", "that file"] : ["the working directory"]
      #expect(base.contains(Self.promised[rule.row] ?? ""), "\(rule.row)")
    }
  }

  @Test(arguments: rules) func `a relative path is resolved against the folder that the language reference names for this kind of path`(
    rule: Rule
  ) async throws {
    let sandbox = try await Sandbox.start()
    let folder = try TemporaryFolder()
    try folder.write(".git/HEAD", "")
    let vars = rule.row.hasPrefix("the command line") ? "vars: { v: 0 }\nsecrets: [S]\n" : ""
    try folder.write(
      "docs/w.yaml",
      "garland: 1\n\(rule.top)\(vars)defaults: { base_url: \"${env.GARLAND_SANDBOX}\", timeout: 60s }\nsteps:\n  \(rule.steps)\n")
    for (name, text) in rule.files { try folder.write(name, text) }
    let command = [rule.isOnlyChecked ? "check" : "run", "docs/w.yaml"] + rule.arguments
    let result = try await Garland.run(command, environment: ["GARLAND_SANDBOX": sandbox.url], in: folder.path)
    await sandbox.stop()
    #expect(result.status == 0, "\(result.output)\(result.error)")
    for name in rule.written { #expect(FileManager.default.fileExists(atPath: folder.path + "/" + name), "\(name)") }
    // The other folder contains no files of the run.
    let known = Set((Array(rule.files.keys) + rule.written).map { String($0.split(separator: "/")[0]) })
    #expect(Set(folder.names).subtracting([".git", "docs"]) == known.subtracting(["docs"]))
  }

  @Test func `if a path is relative to the folder of a document, Garland does not look for the file in the working directory`() async throws
  {
    for rule in Self.rules where !rule.isOnlyChecked && rule.files.keys.contains(where: { $0.hasPrefix("docs/") }) {
      let folder = try TemporaryFolder()
      try folder.write("docs/w.yaml", "garland: 1\n\(rule.top)defaults: { base_url: \"http://127.0.0.1:1\" }\nsteps:\n  \(rule.steps)\n")
      for (name, text) in rule.files { try folder.write(String(name.dropFirst(5)), text) }
      let result = try await Garland.run(["run", "docs/w.yaml"] + rule.arguments, in: folder.path)
      #expect(
        result.status != 0 && ["a.", "b.json", "leaf.yaml"].contains { (result.output + result.error).contains($0) },
        "\(rule.row): \(result.output)\(result.error)")
    }
  }
}
