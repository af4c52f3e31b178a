import GarlandSandbox
import TestSupport
import Testing

/// Tests of messages about a secrets file with a mistake, and about documents that contain the value of a secret.
@Suite(.timeLimit(.minutes(15))) struct SecretsFileTests {
  static let workflow = """
    garland: 1
    secrets: [S, T]
    steps: { a: { get: "http://127.0.0.1:1/", bearer: "${secrets.S}", headers: { X: "${secrets.T}" } } }

    """

  /// Secrets files that contain the password, and a mistake.
  static let mistakes: [(name: String, text: String)] = [
    ("s.yaml", "S: *hunter2x"), ("s.yaml", "S: !hunter2x y"), ("s.yaml", "S: !<hunter2x> y"), ("s.yaml", "S: &hunter2x [y]"),
    ("s.yaml", "S: &hunter2x {a: *hunter2x}"), ("s.yaml", "S: %hunter2x"), ("s.yaml", "S: @hunter2x"), ("s.yaml", "S: `hunter2x"),
    ("s.yaml", "S: \"hunter2x"), ("s.yaml", "S: 'hunter2x'y"), ("s.yaml", "S: hunter2x: y"), ("s.yaml", "hunter2x"),
    ("s.yaml", "S: |hunter2x\n  y"), ("s.yaml", "S: {hunter2x: 1}"), ("s.yaml", "S: [hunter2x"),
    ("s.yaml", "hunter2x: 1\nhunter2x: 2"), ("s.yaml", "S: \"\\hunter2x\""), ("s.yaml", "%hunter2x y\n---\nS: y"),
    ("s.yaml", "S: hunter2x\n\tT: y"), ("s.yaml", "S: hunter2x\n  T: y"), ("s.yaml", "S:hunter2x"), ("s.yaml", "<<: *hunter2x"),
    ("s.yaml", "<<: hunter2x"), ("s.yaml", "hunter2x y: z"), ("s.yaml", "? [hunter2x]\n: y"), ("s.yaml", "- hunter2x"),
    ("s.yaml", "S: y\n---\nT: hunter2x"), ("s.yaml", "---\n---\nS: hunter2x\n---\nhunter2x: z"),
    ("s.yaml", "hunter2x: [y]"), ("s.yaml", "S: !!int hunter2x"), ("s.yaml", "S: hun\u{0}ter2x hunter2x"), ("s.yaml", "S: {{ hunter2x }}"),
    ("s.env", "hunter2x"), ("s.env", "S=\"hunter2x"), ("s.env", "S='hunter2x"), ("s.env", "hunter2x y=z"), ("s.env", "=hunter2x"),
    ("s.json", "{\"S\": hunter2x}"), ("s.json", "{\"S\": \"hunter2x}"), ("s.json", "{\"hunter2x y\": \"z\"}"), ("s.json", "[\"hunter2x\"]"),
    ("s.json", "\"hunter2x\""), ("s.json", "{\"hunter2x\": [1]}"), ("s.json", "{\"S\": {\"hunter2x\": 1}}"),
    ("s.json", "{\"S\": \"\\hunter2x\"}"),
  ]

  @Test(arguments: [
    "secrets: { API: hunter2x }", "secrets: { API: 'hunter2x, y' }", "secrets:\n  API: hunter2x # old", "secrets:\n  API: hunter2x, y",
    "secrets:\n  API: \"hunter2x\"", "secrets:\n  API: [hunter2x, y]", "secrets:\n  API:\n    - hunter2x",
    "secrets:\n  API: |\n    hunter2x",
    "secrets:\n  API: { value: hunter2x }", "secrets:\n  API:\n    default: hunter2x", "secrets:\n  API: \"hunter2x",
    "\"secrets\": { \"API\": \"hunter2x\" }", "profiles:\n  dev:\n    secrets:\n      API: hunter2x",
    "profiles:\n  dev: { secrets: { API: hunter2x } }",
  ]) func `if a document contains the value of a secret, a diagnostic about the document does not quote the value`(secrets: String)
    async throws
  {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", "garland: 1\n\(secrets)\nsteps: { a: { get: 'http://127.0.0.1:1/' } }\n")
    for command in [["check", "w.yaml"], ["run", "w.yaml"], ["check", "--format", "json", "w.yaml"]] {
      let result = try await Garland.run(command, in: folder.path)
      #expect(result.status == 2 && (result.output + result.error).contains("w.yaml"), "\(result.error)")
      #expect(!(result.output + result.error).contains("unter2x"), "\(result.output)\(result.error)")
    }
  }

  @Test func `a diagnostic of the project file does not quote the value of a secret that a profile contains`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("garland.project.yaml", "profiles:\n  dev:\n    secrets:\n      API: hunter2x\n")
    try folder.write("w.yaml", "garland: 1\nsteps: { a: { get: 'http://127.0.0.1:1/' } }\n")
    let result = try await Garland.run(["check", "w.yaml"], in: folder.path)
    #expect(result.status == 2 && !(result.output + result.error).contains("unter2x"), "\(result.output)\(result.error)")
  }

  @Test(arguments: mistakes)
  func `an error in a secrets file is reported with its location and without any text of the file`(name: String, text: String)
    async throws
  {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", Self.workflow)
    try folder.write(name, text + "\n")
    for (arguments, input) in [(["--secrets-file", name], ""), (["--secrets-file", "-"], text)] {
      if arguments[1] == "-", !text.hasPrefix("{"), name != "s.yaml" { continue }
      for command in [["check", "w.yaml"], ["run", "w.yaml", "--report", "junit=report.xml", "--report", "json=report.json"]] {
        let result = try await Garland.run(command + arguments, input: Array(input.utf8), in: folder.path)
        #expect(result.status == 2, "\(text): \(result.error)")
        #expect(result.error.contains(arguments[1] == "-" ? "standard input:" : "\(name):"), "\(result.error)")
        var shown = result.output + result.error
        for report in folder.names where report.hasPrefix("report") { shown += String(decoding: try folder.read(report), as: UTF8.self) }
        #expect(!shown.contains("unter2x"), "\(text): \(shown)")
      }
    }
  }

  @Test func `the error for a secret that is not UTF-8 does not show the value of the secret`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", Self.workflow)
    for name in ["s.yaml", "s.json"] {
      try folder.write(name, Array("{\"S\": \"hunter2x".utf8) + [0xFF, 0xFE] + Array("hunter2x\"}".utf8))
      let result = try await Garland.run(["check", "w.yaml", "--secrets-file", name], in: folder.path)
      #expect(result.status == 2 && !result.error.contains("unter2x"), "\(result.error)")
    }
  }

  /// Documents with mistakes because of which only the text of the document is known.
  static let documents = [
    "garland: 1\nsecrets: [S]\nsteps: { a: { get: 'http://127.0.0.1:1/hunter2x', statsu: hunter2x, bearer: '${secrets.S}' } }",
    "garland: 1\nsecrets:\n- S\nsteps: { a: { get: \"http://127.0.0.1:1/hunter2x } }",
    "garland: 1\nsecrets:\n  # one\n  - S\nsteps: { a: { get: !x hunter2x } }",
    "garland: 1\nsteps: { a: { get: @hunter2x, bearer: '${secrets.S}' } }",
    "garland: 1\nsteps: { a: { get: *hunter2x, bearer: \"${secrets['S']}\" } }",
    "{ garland: 1, \"secrets\": [ T,\n S ], steps: { a: { get: hunter2x, get: hunter2x } } }",
    "garland: 1\nsecrets: [S]\nsteps: { a: { get: 'http://127.0.0.1:1/${nothing.hunter2x}', bearer: '${secrets.S}' } }",
    "garland: 1\nsecrets: [S]\nsteps: { a: { call: hunter2x.yaml } }",
  ]

  @Test(arguments: documents) func `source lines in errors do not show the value of a secret from the environment or from a secrets file`(
    document: String
  ) async throws {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", document + "\n")
    try folder.write("s.env", "S=hunter2x\n")
    for (arguments, environment) in [([], "hunter2x"), (["--secrets-file", "s.env"], nil)] as [([String], String?)] {
      for command in [["check", "w.yaml"], ["run", "w.yaml", "--report", "junit=report.xml", "--report", "json=report.json"]] {
        let result = try await Garland.run(command + arguments, environment: ["S": environment], in: folder.path)
        #expect(result.status == 2, "\(result.error)")
        var shown = result.output + result.error
        for report in folder.names where report.hasPrefix("report") { shown += String(decoding: try folder.read(report), as: UTF8.self) }
        #expect(shown.contains("***") && !shown.contains("unter2x"), "\(shown)")
      }
    }
  }

  @Test func `if an error shows source lines of a called document, the secrets of this document are not shown`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", "garland: 1\nsteps: { a: { call: leaf.yaml } }\n")
    try folder.write("leaf.yaml", "garland: 1\nsecrets: [S]\nsteps: { a: { get: 'http://127.0.0.1:1/hunter2x', statsu: 1 } }\n")
    let result = try await Garland.run(["check", "w.yaml"], environment: ["S": "hunter2x"], in: folder.path)
    #expect(result.status == 2 && result.error.contains("***") && !result.error.contains("unter2x"), "\(result.error)")
  }

  /// The secrets are declared by the project, by its profile or by another document, and come from a file, an `.env` file and the environment.
  @Test(arguments: [
    ("a.yaml", "steps: { a: { get: 'http://127.0.0.1:1/hunter2f/hunter2p/hunter2o', statsu: 1 } }"),
    ("a.yaml", "steps: { a: { get: \"http://127.0.0.1:1/hunter2f/hunter2p/hunter2o } }"),
    ("garland.project.yaml", "nome: hunter2f hunter2p hunter2o\n"),
  ]) func `source lines in errors do not show secrets that the project or another document declares`(name: String, text: String)
    async throws
  {
    let folder = try TemporaryFolder()
    let project = "secrets:\n  F: { file: 's.txt' }\nprofiles: { p: { secrets: [P] } }\n"
    try folder.write("garland.project.yaml", project)
    try folder.write("a.yaml", "garland: 1\nsteps: { a: { get: 'http://127.0.0.1:1/' } }\n")
    try folder.write("b.yaml", "garland: 1\nsecrets: [O]\nsteps: { b: { get: 'http://127.0.0.1:1/', bearer: '${secrets.O}' } }\n")
    try folder.write("s.txt", "hunter2f\n")
    try folder.write(".env", "O=hunter2o\n")
    try folder.write(name, (name == "a.yaml" ? "garland: 1\n" : project) + text + "\n")
    let result = try await Garland.run(
      ["check", "a.yaml", "b.yaml", "--profile", "p"], environment: ["P": "hunter2p"], in: folder.path)
    #expect(result.status == 2 && result.error.contains("***") && !result.error.contains("hunter2"), "\(result.error)")
  }

  @Test(arguments: [
    "S=one-77\nT=two-88\n", "# comment\n\nexport S = one-77\nT='two-88'\n", "{\"S\": \"one-77\", \"T\": \"two-88\"}",
    " \n{ \"S\": \"one-77\",\n\"T\": \"two-88\"}",
    "S: one-77\nT: \"two-88\"\n", "---\n# comment\nS: one-77\nT: two-88\n", "\u{FEFF}S=one-77\nT=two-88", "S: one-77\nT: two-88 # a=b\n",
  ]) func `the format of a secrets file from standard input is detected`(text: String) async throws {
    let sandbox = try await Sandbox.start()
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", Self.workflow.replacing("http://127.0.0.1:1/", with: sandbox.url + "/anything"))
    let result = try await Garland.run(["run", "w.yaml", "--secrets-file", "-"], input: Array(text.utf8), in: folder.path)
    #expect(result.status == 0, "\(result.error)")
    let record = try #require(sandbox.records.first)
    #expect(record.values(of: "Authorization") == ["Bearer one-77"] && record.values(of: "X") == ["two-88"])
    await sandbox.stop()
  }

  @Test func `standard input can be used for only one argument`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", Self.workflow)
    for arguments in [["-", "--secrets-file", "-"], ["w.yaml", "--vars-file", "-", "--secrets-file", "-"], ["-", "--vars-file", "-"]] {
      let result = try await Garland.run(["check"] + arguments, input: Array("S=1".utf8), in: folder.path)
      #expect(result.status == 2 && result.error.contains("standard input can be read only once"), "\(result.error)")
    }
  }
}
