import GarlandSandbox
import Glibc
import TestSupport
import Testing

@testable import garland

/// Tests of the mistakes that a new user makes first: what the command says, and that it does nothing else.
@Suite(.timeLimit(.minutes(15))) struct FirstMistakeTests {
  private static func check(_ text: String, _ options: String..., files: [String: String] = [:]) async throws -> ChildProcess.Result {
    let folder = try TemporaryFolder()
    for (name, text) in files { try folder.write(name, text) }
    try folder.write("w.yaml", text)
    return try await Garland.run(["check", "w.yaml"] + options, in: folder.path)
  }

  // MARK: A base URL without a scheme

  @Test(arguments: [
    ("127.0.0.1:8099", "http://127.0.0.1:8099"), ("localhost:8099/v1", "http://localhost:8099/v1"),
    ("shop.example.com", "https://shop.example.com"), ("'shop.example.com/v1'", "'https://shop.example.com/v1'"),
    ("http:/shop.example.com", "http://shop.example.com"),
  ]) func `garland check refuses a base_url without a scheme, and --fix adds the scheme`(written: String, fixed: String) async throws {
    let folder = try TemporaryFolder()
    func document(_ base: String) -> String { "garland: 1\ndefaults: { base_url: \(base) }\nsteps: { a: { get: /get } }\n" }
    try folder.write("w.yaml", document(written))
    let refused = try await Garland.run(["check", "w.yaml"], in: folder.path)
    #expect(refused.status == 2 && refused.error.contains("`base_url` has no scheme"), "\(refused.error)")
    #expect(refused.error.contains("w.yaml:2:23"), "\(refused.error)")
    let result = try await Garland.run(["check", "--fix", "w.yaml"], in: folder.path)
    #expect(result.status == 0, "\(result.output)\(result.error)")
    #expect(try String(decoding: folder.read("w.yaml"), as: UTF8.self) == document(fixed))
  }

  @Test(arguments: ["/v1", "api:8080", "${vars.host}", "127.0.0.1:${env.PORT}"])
  func `a base_url whose scheme is unclear is refused, and no fix is offered`(base: String) async throws {
    let result = try await Self.check(
      "garland: 1\nvars: { host: localhost:8099 }\ndefaults: { base_url: \"\(base)\" }\nsteps: { a: { get: \"/get/${vars.host}\" } }\n",
      "--fix")
    #expect(result.status == 2 && result.error.contains("`base_url` has no scheme"), "\(result.error)")
    #expect(result.error.contains("write the whole URL, such as `http"), "\(result.error)")
  }

  @Test func `an invalid base_url of a profile or of the project is reported at its source position`() async throws {
    let profile = try await Self.check(
      "garland: 1\nprofiles: { dev: { base_url: localhost:1 } }\ndefaults: { base_url: https://h }\nsteps: { a: { get: /get } }\n")
    #expect(profile.status == 2 && profile.error.contains("w.yaml:2:30"), "\(profile.error)")
    let project = try await Self.check(
      "garland: 1\nsteps: { a: { get: /get } }\n",
      files: ["garland.project.yaml": "garland: 1\ndefaults: { base_url: localhost:1 }\n"])
    #expect(project.status == 2 && project.error.contains("garland.project.yaml:2:23"), "\(project.error)")
    #expect(project.error.components(separatedBy: "has no scheme").count == 2, "\(project.error)")
  }

  @Test(arguments: ["https://h", "${env.BASE}", "http${vars.s}://h", "${vars.s}localhost"])
  func `a base_url is accepted if it has a scheme, or a variable that can contain the scheme`(base: String) async throws {
    let result = try await Self.check(
      "garland: 1\nvars: { s: \"\" }\ndefaults: { base_url: \"\(base)\" }\nsteps: { a: { get: \"/get?s=${vars.s}\" } }\n")
    #expect(result.status == 0, "\(result.error)")
  }

  @Test func `if a variable gives base_url a value without a scheme, the error contains the position of base_url`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", "garland: 1\ndefaults: { base_url: \"${env.BASE}\" }\nsteps: { a: { get: /get } }\n")
    let result = try await Garland.run(["run", "w.yaml"], environment: ["BASE": "127.0.0.1:1"], in: folder.path)
    #expect(result.status == 1 && result.output.contains("base_url has no scheme"), "\(result.output)\(result.error)")
    #expect(result.output.contains("w.yaml:2:23"), "\(result.output)")
  }

  // MARK: Fixes

  @Test func `if an extract has the name of a response member, such as 'status', --fix does not rename the extract`() async throws {
    let folder = try TemporaryFolder()
    let text = """
      garland: 1
      defaults: { base_url: http://h }
      steps:
        job: { post: /jobs, extract: { status: $.status } }
        look: { post: /anything, json: { s: "${job.status}" } }

      """
    try folder.write("w.yaml", text)
    let result = try await Garland.run(["check", "--fix", "w.yaml"], in: folder.path)
    #expect(
      result.status == 2 && result.error.contains("for example to `status_value`, here and in each expression that uses it"),
      "\(result.error)")
    #expect(try String(decoding: folder.read("w.yaml"), as: UTF8.self) == text)
  }

  @Test func `if a path contains a variable in another tool's syntax, such as ':id', a warning suggests the Garland syntax`() async throws {
    let text =
      "garland: 1\nvars: { id: 5 }\nsteps: { a: { get: http://h/books/:id/x }, b: { get: \"http://h/:other/v1:id/${vars.id}\" } }\n"
    let result = try await Self.check(text)
    #expect(result.status == 0 && result.error.contains("`:id` is sent unchanged"), "\(result.error)")
    #expect(result.error.contains("to insert the value, write `${vars.id}`") && result.error.contains("1 warning"), "\(result.error)")
  }

  // MARK: Names

  @Test(arguments: [
    ("b: { get: \"/b?t=${token}\" }", "the extract of `login` is `login.token`"),
    ("b: { get: /e, events: { until: \"${events.data == 'x'}\" } }", "the current event is `event`"),
    ("b: { websocket: /ws, talk: [send: { text: \"${token}\" }] }", "the extract of `login` is `login.token`"),
    ("b: { get: /e, events: true, extract: { n: \"${events | length}\" } }", "a part of the response is `response.events`"),
    ("b: { get: /l, lines: true }\n  c: { post: /x, json: \"${lines}\" }", "the lines of `b` are `b.lines`"),
    ("b: { get: /x, expect: { that: \"${json.ok == true}\" } }", "a part of the response is `response.json`"),
    ("b: { get: /l, lines: { until: \"${event.json.done}\" } }", "the current line is `line`"),
  ]) func `--fix corrects an incomplete or plural reference, such as 'token' for 'login.token' or 'events' for 'event'`(
    step: String, help: String
  ) async throws {
    let start = "garland: 1\ndefaults: { base_url: http://h }\nsteps:\n  login: { post: /login, extract: { token: $.token } }\n"
    let result = try await Self.check("\(start)  \(step)\n")
    #expect(result.status == 2 && result.error.contains(help), "\(result.error)")
    #expect(try await Self.check("\(start)  \(step)\n", "--fix").status == 0)
  }

  @Test func `an argument of the form FILE#STEP selects one step of a file`() async throws {
    let folder = try TemporaryFolder()
    for file in ["a", "b"] {
      try folder.write(
        "t/\(file).yaml", "garland: 1\ndefaults: { base_url: http://h }\nsteps: { one: { get: /\(file)/1 }, two: { get: /2 } }\n")
    }
    let one = try await Garland.run(["curl", "t/b.yaml#one"], in: folder.path)
    #expect(one.status == 0 && one.output.contains("http://h/b/1"), "\(one.output)\(one.error)")
    let both = try await Garland.run(["plan", "t/a.yaml#one", "t/b.yaml#one", "t/b.yaml#two"], in: folder.path)
    #expect(both.status == 0 && both.output.components(separatedBy: "GET /").count == 4, "\(both.output)\(both.error)")
    let wrong = try await Garland.run(["curl", "t/b.yaml#three"], in: folder.path)
    #expect(wrong.status == 2 && wrong.error.contains("three"), "\(wrong.error)")
  }

  // MARK: Secrets

  @Test func `an empty environment variable counts as a missing secret`() async throws {
    let sandbox = try await Sandbox.start()
    let folder = try Garland.folder(
      steps: "a: { post: /anything, json: { p: \"${secrets.P ?? 'default'}\" }, expect: { json: { $.json.p: default } } }")
    let passed = try await Garland.run(["run", "w.yaml"], environment: ["GARLAND_SANDBOX": sandbox.url, "P": ""], in: folder.path)
    #expect(passed.status == 0, "\(passed.output)\(passed.error)")
    let needing = try Garland.folder(steps: "a: { get: /get, bearer: \"${secrets.P}\" }\nb: { get: /get }")
    let refused = try await Garland.run(["run", "w.yaml"], environment: ["GARLAND_SANDBOX": sandbox.url, "P": ""], in: needing.path)
    #expect(refused.status == 2 && (refused.output + refused.error).contains("the secret `P` is set to an empty text"), "\(refused.error)")
    #expect(sandbox.records.count == 1)
    await sandbox.stop()
  }

  @Test func `garland send --save writes a reference to a secret instead of a password in a path, a query and a body`() async throws {
    let sandbox = try await Sandbox.start()
    for (words, expected) in [
      (["curl -u alice:wonder!land \(sandbox.url)/basic-auth/alice/wonder%21land"], "/basic-auth/alice/${secrets.PASSWORD}"),
      (["curl -u alice:wonderland '\(sandbox.url)/get?page=wonderland-2'"], "get?page=${secrets.PASSWORD}-2"),
      (["\(sandbox.url)/anything", "--basic", "alice:wonderland", "--json", "note=is wonderland"], "note: \"is ${secrets.PASSWORD}\""),
    ] {
      let folder = try TemporaryFolder()
      try folder.write("w.yaml", "garland: 1\nsteps: { a: { get: http://h/ } }\n")
      let result = try await Garland.run(["send"] + words + ["--in", "w.yaml", "--save", "b"], in: folder.path)
      let text = String(decoding: try folder.read("w.yaml"), as: UTF8.self)
      #expect(result.status == 0 && !text.contains("wonder"), "\(text)\(result.error)")
      #expect(text.contains(expected), "\(text)")
    }
    await sandbox.stop()
  }

  @Test(arguments: ["localhost:8080/health", "127.0.0.1:8080", "[::1]:80/x", "api.example.com:443/x"])
  func `garland send refuses a host with a port but no scheme, and suggests to add a scheme or a leading slash`(url: String) async throws {
    let folder = try TemporaryFolder()
    try folder.write("garland.project.yaml", "garland: 1\ndefaults: { base_url: http://127.0.0.1:1 }\n")
    let result = try await Garland.run(["send", url], in: folder.path)
    #expect(result.status == 2 && result.error.contains("`\(url)` has no scheme: write `http"), "\(result.error)")
    #expect(result.error.contains("or `/\(url)` for a path after `base_url`"), "\(result.error)")
  }

  @Test func `garland init --ci in a project adds only the file of the CI system`() async throws {
    let folder = try TemporaryFolder()
    #expect(try await Garland.run(["init"], in: folder.path).status == 0)
    try folder.write("garland.project.yaml", "garland: 1\n# mine\n")
    let result = try await Garland.run(["init", "--ci", "gitlab"], in: folder.path)
    #expect(result.status == 0 && result.output == "Wrote .gitlab-ci.yml.\n", "\(result.output)\(result.error)")
    #expect(try String(decoding: folder.read("garland.project.yaml"), as: UTF8.self).contains("# mine"))
    #expect(try String(decoding: folder.read(".gitlab-ci.yml"), as: UTF8.self).contains("https://staging.example.com"))
    let again = try await Garland.run(["init", "--ci", "gitlab"], in: folder.path)
    #expect(again.status == 2 && again.error.contains(".gitlab-ci.yml` exists already"), "\(again.error)")
  }

  @Test func `if a run could not begin because a secret is missing, --watch tries to run all steps after the next change`() async throws {
    let sandbox = try await Sandbox.start()
    let folder = try Garland.folder(
      steps: "a: { post: /anything/a, body: { file: a.txt } }\nb: { get: /anything/b, bearer: \"${secrets.WATCHED}\" }")
    try folder.write("a.txt", "1")
    try folder.write("s.env", "OTHER=1\n")
    let child = try Garland.start(["run", "w.yaml", "--watch"], environment: ["GARLAND_SANDBOX": sandbox.url], in: folder.path)
    #expect(await child.sees("Ctrl-C ends."))
    try folder.write("a.txt", "2")
    #expect(await child.sees("a.txt has changed: running everything"))
    child.signal(SIGINT)
    let result = await child.result
    #expect(sandbox.records.isEmpty && result.status == 130, "\(result.error)")
    await sandbox.stop()
  }

  @Test(arguments: [[], ["-q"]]) func `with --fail-flaky, one line of the summary lists the flaky steps that fail the run`(
    options: [String]
  )
    async throws
  {
    let sandbox = try await Sandbox.start()
    let folder = try Garland.folder(steps: "once: { get: /flaky/first-mistake-\(options.count)?fails=1 }")
    let result = try await Garland.run(
      ["run", "w.yaml", "--rerun-failed", "1", "--fail-flaky"] + options, environment: ["GARLAND_SANDBOX": sandbox.url], in: folder.path)
    #expect(result.status == 1)
    #expect(
      result.output.split(separator: "\n").filter { $0.contains("--fail-flaky") } == ["The run fails because of --fail-flaky: once"],
      "\(result.output)\(result.error)")
    await sandbox.stop()
  }

  // MARK: Responses

  @Test func `the error for a redirect loop shows the redirect only once and suggests a higher limit`() async throws {
    let sandbox = try await Sandbox.start()
    let folder = try Garland.folder(steps: "j: { get: /redirect/loop }")
    let result = try await Garland.run(["run", "w.yaml"], environment: ["GARLAND_SANDBOX": sandbox.url], in: folder.path)
    #expect(result.status == 4 && !result.output.contains("broken off"), "\(result.output)")
    #expect(result.output.components(separatedBy: "redirected 302").count == 2, "\(result.output)")
    #expect(result.output.contains("20 times") && result.output.contains("`redirect: { max: 40 }`"), "\(result.output)")
    await sandbox.stop()
  }

  @Test func `if a download can't be written to its file, the error does not say that the connection was lost`() async throws {
    let sandbox = try await Sandbox.start()
    let folder = try Garland.folder(steps: "d: { get: /bytes/100, download: { to: none/x, create_dirs: false } }")
    let result = try await Garland.run(["run", "w.yaml"], environment: ["GARLAND_SANDBOX": sandbox.url], in: folder.path)
    #expect(result.status == 4 && !result.output.contains("broken off"), "\(result.output)")
    await sandbox.stop()
  }

  @Test func `the reports of a failed WebSocket step show its messages, its URL and its curl command`() async throws {
    let sandbox = try await Sandbox.start()
    let socket = sandbox.url.replacing("http:", with: "ws:")
    let folder = try Garland.folder(
      steps: """
        talk:
          websocket: "\(socket)/ws"
          subprotocols: chat.v2
          talk: [send: { text: hi }, receive: {}, send: { text: more }, receive: { text: nothing }]
        """)
    let result = try await Garland.run(
      ["run", "w.yaml", "--report", "html=r.html", "--report", "json=r.json"], environment: ["GARLAND_SANDBOX": sandbox.url],
      in: folder.path)
    #expect(result.output.contains("websocket \(socket)/ws"), "\(result.output)")
    #expect(result.output.contains("> hi") && result.output.contains("> more") && result.output.contains("< "), "\(result.output)")
    let curl = try await Garland.run(["curl", "w.yaml"], environment: ["GARLAND_SANDBOX": sandbox.url], in: folder.path)
    for text in [result.output, curl.output] {
      #expect(text.contains("Sec-WebSocket-Protocol: chat.v2") && text.contains("--http1.1"), "\(text)")
      #expect(!text.contains("--location") && !text.contains("--compressed"), "\(text)")
    }
    #expect(result.output.contains("# curl opens the WebSocket connection") && curl.error.contains("curl opens the WebSocket connection"))
    let again = try await Garland.run(["report", "r.json", "--report", "html=again.html"], in: folder.path)
    #expect(try again.status == 0 && folder.read("again.html") == folder.read("r.html"), "\(again.output)")
    await sandbox.stop()
  }

  // MARK: Options and imports

  @Test func `if garland send refuses an option, the error suggests only options that garland send has`() throws {
    let known = Set(UnknownOption.options(of: SendCommand.self, in: GarlandCommand.self))
    for name in Set(ForeignOptions.table.flatMap(\.names) + ["-o", "--timeout"]) where !known.contains(name) {
      let unknown = UnknownOption("Unknown option '\(name)'.", words: ["send", "http://h"], root: GarlandCommand.self)
      let message = try #require(unknown?.message)
      guard !message.contains("` has `") else { continue }
      let named = message.split(separator: "`").filter { $0.hasPrefix("--") }.map { String($0.prefix { $0 != " " }) }
      #expect(named.allSatisfy(known.contains), "\(message)")
    }
  }

  @Test(arguments: [
    ("garland: 1\nsteps:\n  a: { get: http://h }\n", "this is a workflow of Garland already"),
    ("openapi: 3.0.0\ninfo: { title: x }\n", "OpenAPI describes an API"),
    ("wget http://h/\nwget http://h/2\n", "the file has no curl command"),
    (#"{"name": "dev", "values": [{"key": "a", "value": "b"}]}"#, "this is an environment of Postman"),
  ]) func `if a source contains nothing to import, garland import refuses it with exactly one error`(text: String, words: String)
    async throws
  {
    let result = try await Garland.run(["import", "-"], input: Array(text.utf8))
    #expect(result.status == 2 && result.error.contains(words) && result.error.contains("1 error"), "\(result.error)")
    #expect(!result.error.contains("warning"), "\(result.error)")
  }

  @Test func `an imported Postman variable without a value becomes a secret if its name is typical of a credential, such as 'api_key'`()
    async throws
  {
    let collection = """
      {"info": {"name": "x"}, "variable": [{"key": "api_key", "value": ""}], "item": [
        {"name": "login", "request": {"method": "POST", "url": "http://h/login?k={{api_key}}", "body": {"mode": "raw",
          "raw": "{\\"password\\": \\"{{password}}\\", \\"user\\": \\"{{user}}\\"}", "options": {"raw": {"language": "json"}}}}}]}
      """
    let result = try await Garland.run(["import", "-"], input: Array(collection.utf8))
    #expect(
      result.status == 0 && result.output.contains("secrets.PASSWORD") && result.output.contains("secrets.API_KEY"), "\(result.output)")
    #expect(result.output.contains("user: \"\"") && !result.output.contains("password: \"\""), "\(result.output)")
    #expect(result.error.contains("set the secret `PASSWORD`"), "\(result.error)")
  }

  @Test func `for a shell script, garland import gives one warning for a loop and one for an assignment`() async throws {
    let script = """
      TOKEN=$(curl -s http://h/login | jq -r .token)
      for i in 1 2 3; do
        curl http://h/get
      done
      curl http://h/x -H "X-Trace: $(uuidgen)"

      """
    let result = try await Garland.run(["import", "-"], input: Array(script.utf8))
    #expect(result.status == 0 && result.output.contains("http://h"), "\(result.output)\(result.error)")
    #expect(result.error.components(separatedBy: "not a curl command").count == 3, "\(result.error)")
    #expect(result.error.contains("add `extract` to its step") && result.error.contains("this text was left out"), "\(result.error)")
  }
}
