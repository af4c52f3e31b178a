import GarlandJSON
import GarlandResults
import GarlandSandbox
import TestSupport
import Testing

@testable import GarlandRunner

@Suite("Steps as curl commands")
struct StepCommandTests {
  /// The parts of a request that are compared: everything except the order of fields and the names of client and connection.
  struct Request: Equatable {
    var method: String
    var target: String
    var fields: [String]
    var body: String
    var parts: [SandboxRecord.Part]

    init(_ record: SandboxRecord) {
      method = record.method
      target = record.target
      fields = record.headers.map { "\($0.name.lowercased()): \($0.value)" }.filter { field in
        !["host:", "content-length:", "transfer-encoding:", "expect:"].contains { field.hasPrefix($0) }
      }.map { $0.hasPrefix("content-type: multipart/form-data") ? "content-type: multipart/form-data" : $0 }.sorted()
      body = record.body.parts.isEmpty ? record.body.sha256 : ""
      parts = record.body.parts
    }
  }

  static let document = """
    garland: 1
    vars: { user: alice }
    secrets: [KEY]
    defaults: { base_url: "${env.SANDBOX}", headers: { Accept: application/json }, timeout: 10s }
    steps:
      plain: { get: "/anything/a%20b?x=1&y=[1]" }
      json: { post: /anything, json: { a: [1, "it's"], b: "$HOME `x`" } }
      form: { post: /anything, form: { a: "x y" } }
      secret: { get: /anything, bearer: "${secrets.KEY}", headers: { X-Key: "k-${secrets.KEY}" } }
      basic: { put: /anything, basic: "bob:${secrets.KEY}", body: "text" }
      parts: { post: /anything, multipart: { doc: { file: data.bin, type: image/png }, note: "n" } }
      file: { put: /anything, body: { file: data.bin } }
      head: { head: /anything }
      delete: { delete: /anything, cookies: { a: "1" } }
    """

  @Test func `the curl command for a step sends the same request as the step`() async throws {
    try await withSandbox { sandbox in
      let folder = try TemporaryFolder()
      try folder.write("data.bin", (0...255).map { UInt8($0) })
      let secret = "k3y \"$x` 'y"
      let run = try await TestRun.carryOut(Self.document, sandbox, folder: folder) {
        $0.secrets = ["KEY": secret]
        $0.pace.isSerial = true
      }
      #expect(run.summary.exitStatus == 0, "\(run.outcomes)")
      let originals = sandbox.records.map(Request.init)
      let plan = try TestRun.plan(Self.document, folder: folder)
      var configuration = TestRun.configuration(sandbox, folder: folder)
      configuration.secrets = ["KEY": secret]
      for step in plan.steps {
        let command = try StepCommand(of: step, in: plan, configuration)
        #expect(!command.text.contains(secret))
        sandbox.clearRecords()
        let status = await Shell.run(command.text, environment: ["KEY": secret], in: folder.path)
        #expect(status == 0, "\(command.text)")
        let copy = Request(try #require(sandbox.records.first, "\(command.text)"))
        #expect(copy == originals[step.index], "\(command.text)")
      }
    }
  }

  @Test func `a curl command for a step that uses a value of another step is refused unless the caller gives the value`() async throws {
    let folder = try TemporaryFolder()
    let plan = try TestRun.plan(
      """
      garland: 1
      defaults: { base_url: "http://127.0.0.1:1" }
      steps:
        login: { post: /login, extract: { token: $.token } }
        other: { get: /other }
        use: { get: "/books/${login.token}/${login.json.id}/${other.status ?? 9}", expect: { that: ["${login.token == 'x'}"] } }
      """, folder: folder)
    let configuration = TestRun.configuration(nil, folder: folder)
    do {
      _ = try StepCommand(of: plan.steps[2], in: plan, configuration)
      Issue.record("a value is missing")
    } catch {
      #expect(
        error.diagnostics.all.map(\.message) == [
          "`login.token` comes from another step, which this command does not run",
          "`login.json` comes from another step, which this command does not run",
        ])
    }
    let command = try StepCommand(
      of: plan.steps[2], in: plan, configuration, given: ["login.token": "t/1", "login.json": ["id": 7]])
    #expect(command.text.contains("http://127.0.0.1:1/books/t%2F1/7/9"))
  }

  @Test(arguments: [
    ("headers: { \"${vars.name}\": x }", "headers: `two words` is not a valid header name"),
    ("headers: { X: \"${vars.lines}\" }", "headers.X has a line break or a control character, which is not allowed in a header"),
  ]) func `if an invalid header makes the curl command of a step impossible, the error begins with the key 'headers'`(
    _ line: String, _ message: String
  )
    throws
  {
    let folder = try TemporaryFolder()
    let plan = try TestRun.plan(
      "garland: 1\nvars: { name: two words, lines: \"a\\nb\" }\nsteps: { a: { get: \"http://127.0.0.1:1/\", \(line) } }",
      folder: folder)
    let failure = try #require(throws: StepCommand.Failure.self) {
      try StepCommand(of: plan.steps[0], in: plan, TestRun.configuration(nil, folder: folder))
    }
    #expect(failure.diagnostics.all.map(\.message) == [message])
  }

  @Test func `the curl command of a step contains a shell variable instead of each secret unless 'revealsSecrets' is set`() async throws {
    let folder = try TemporaryFolder()
    let plan = try TestRun.plan(
      """
      garland: 1
      secrets: [MY_KEY]
      steps:
        a: { get: "http://127.0.0.1:1/${secrets.MY_KEY}", bearer: "${secrets.MY_KEY}" }
        b: { get: "http://127.0.0.1:1/", headers: { X: "${secrets.MY_KEY | sha256}" } }
      """, folder: folder)
    let configuration = TestRun.configuration(nil, folder: folder)
    let command = try StepCommand(of: plan.steps[0], in: plan, configuration)
    #expect(command.text.contains("http://127.0.0.1:1/${MY_KEY_URLENCODED}"))
    #expect(command.text.contains("Bearer ${MY_KEY}"))
    #expect(command.notes == ["set MY_KEY to the secret `MY_KEY`", "set MY_KEY_URLENCODED to the secret `MY_KEY`, percent-encoded"])
    let made = try StepCommand(of: plan.steps[1], in: plan, configuration)
    #expect(made.text.contains("X: ${MY_KEY_SHA256}"))
    #expect(made.notes == ["set MY_KEY_SHA256 to the value of `${secrets.MY_KEY | sha256}`"])
    #expect(throws: StepCommand.Failure.self) { try StepCommand(of: plan.steps[0], in: plan, configuration, revealsSecrets: true) }
    var known = configuration
    known.secrets = ["MY_KEY": "s e c"]
    #expect(try StepCommand(of: plan.steps[0], in: plan, known).text.contains("/${MY_KEY_URLENCODED}"))
    #expect(try StepCommand(of: plan.steps[0], in: plan, known, revealsSecrets: true).text.contains("/s%20e%20c"))
  }

  @Test func `if the caller gives the value of a secret extract, the curl command contains a shell variable instead of this value`() throws
  {
    let folder = try TemporaryFolder()
    let plan = try TestRun.plan(
      """
      garland: 1
      steps:
        login: { post: "http://127.0.0.1:1/", extract: { token: { json: $.t, secret: true }, id: $.id } }
        a: { get: "http://127.0.0.1:1/${login.id}", bearer: "${login.token}" }
        b: { get: "http://127.0.0.1:1/", headers: { X-Token: "${login.token}" } }
      """, folder: folder)
    let configuration = TestRun.configuration(nil, folder: folder)
    for step in plan.steps.dropFirst() {
      let given: [String: JSONValue] = ["login.token": "canary-7301", "login.id": "plain-7301"]
      let command = try StepCommand(of: step, in: plan, configuration, given: given)
      #expect(command.text.contains("${LOGIN_TOKEN}"))
      #expect(!command.text.contains("canary"))
      #expect(command.notes == ["set LOGIN_TOKEN to the value of `login.token`"])
    }
  }

  @Test func `a printed curl command hides every part of a secret, even if one part contains another`()
    throws
  {
    let folder = try TemporaryFolder()
    let plan = try TestRun.plan(
      """
      garland: 1
      secrets: [T]
      vars: { short: "${secrets.T | replace('-efgh-tail', '')}", long: "${secrets.T | replace('-tail', '')}", composed: "before ${secrets.T} behind" }
      steps:
        a:
          get: "http://127.0.0.1:1/"
          headers: { X-A: "${vars.short}", X-B: "${vars.long}", X-C: "k ${secrets.T | replace('-tail', '')}", X-D: "${vars.composed}" }
      """, folder: folder)
    var configuration = TestRun.configuration(nil, folder: folder)
    configuration.secrets = ["T": "abcd-efgh-tail"]
    let command = try StepCommand(of: plan.steps[0], in: plan, configuration)
    #expect(!command.text.contains("abcd") && !command.text.contains("efgh") && !command.text.contains("***"), "\(command.text)")
    #expect(command.text.contains("X-D: before ${T} behind"), "\(command.text)")
  }

  @Test(arguments: [
    #"'${"pre}fix-" ?? 1}${secrets.T}'"#, "'${''pre}fix-'' ?? 1}${secrets.T}'", #""${\"pre}fix-\" ?? 1}${secrets.T}""#,
    #""pre}fi\u0078-${secrets.T}""#,
  ])
  func `a curl command shows the text around a secret, even if it has a quoted '}' or an escape of YAML`(value: String) throws {
    let folder = try TemporaryFolder()
    let plan = try TestRun.plan(
      """
      garland: 1
      secrets: [T]
      vars: { joined: \(value) }
      steps: { a: { get: "http://127.0.0.1:1/", headers: { X-A: "${vars.joined}" } } }
      """, folder: folder)
    var configuration = TestRun.configuration(nil, folder: folder)
    configuration.secrets = ["T": "abcd-efgh-tail"]
    let command = try StepCommand(of: plan.steps[0], in: plan, configuration)
    #expect(command.text.contains("X-A: pre}fix-${T}"), "\(command.text)")
    #expect(command.notes == ["set T to the secret `T`"])
  }

  @Test func `the result of a failed step contains its curl command`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + """
            login: { post: /anything, json: { t: tok-1234 }, extract: { token: { json: $.json.t, secret: true } } }
            use: { get: /status/500, bearer: "${login.token}" }
          """, sandbox)
      #expect(try run.result("login").exchanges.first?.curlCommand == nil)
      let command = try #require(try run.result("use").exchanges.first?.curlCommand)
      #expect(command.contains("Bearer ${LOGIN_TOKEN}"))
      #expect(command.hasPrefix("# LOGIN_TOKEN: the value of `login.token`\ncurl "))
    }
  }

  /// Different values have different variable names, even if they belong to objects with similar names.
  @Test func `in the curl command of a step, different secret values get shell variables with different names`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + """
            login:
              post: /anything
              json: { t: { a: aaaa-1, b: bbbb-2, "c d": [cccc-3, dddd-4] } }
              extract: { t: { json: $.json.t, secret: true } }
            login_t: { post: /anything, json: { a: eeee-5 }, extract: { a: { json: $.json.a, secret: true } } }
            each:
              for_each: [ffff-6, gggg-7]
              post: /anything
              json: { v: "${item}" }
              extract: { v: { json: $.json.v, secret: true } }
            use:
              post: /status/500
              json: ["${login.t.a}", "${login.t.b}", "${login.t['c d']}", "${login_t.a}", "${each.v}", "${login.t.a | upper}"]
          """, sandbox)
      let command = try #require(try run.result("use").exchanges.first?.curlCommand)
      let names = ["LOGIN_T_A", "LOGIN_T_B", "LOGIN_T_C_D_0", "LOGIN_T_C_D_1", "LOGIN_T_A_2", "EACH_V_0", "EACH_V_1", "LOGIN_T_A_UPPER"]
      for name in names {
        #expect(command.components(of: "${\(name)}") == 1, "\(name): \(command)")
        #expect(command.components(of: "# \(name): ") == 1, "\(name): \(command)")
      }
      for digit in 1...7 { #expect(!command.contains("-\(digit)")) }
      #expect(!command.contains("***"))
    }
  }
}

extension String {
  /// Returns the number of times that a text occurs in this text.
  fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
