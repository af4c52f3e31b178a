import GarlandDiagnostics
import GarlandJSON
import GarlandPlanner
import GarlandResults
import GarlandSandbox
import GarlandWorkflow
import TestSupport
import Testing

@testable import GarlandRunner

@Suite("call: other documents as steps")
struct CallTests {
  static let onboard = """
    garland: 1
    inputs:
      tenant: { type: string, description: Who moves in }
      size: 10
    vars: { path: "/anything/${inputs.tenant}" }
    defaults: { base_url: "${env.SANDBOX}" }
    steps:
      create: { post: "${vars.path}", json: { size: "${inputs.size}" }, extract: { id: $.json.size } }
      check: { get: "/anything/check/${inputs.tenant}/${create.id}", extract: { target: $.target } }
      remove: { delete: "${vars.path}", cleanup: create }
    outputs: { id: "${create.id}", where: "${check.target}", both: ["${create.id}", "${inputs.tenant}"] }
    """

  private func files(_ more: [String: String]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    _ = try folder.write("onboard.yaml", Self.onboard)
    for (name, text) in more { _ = try folder.write(name, text) }
    return folder
  }

  private func body(_ run: TestRun, _ id: String) throws -> String {
    let exchange = try #require(run.result(id).exchanges.last)
    return String(decoding: exchange.requestBody?.bytes ?? [], as: UTF8.self)
  }

  @Test func `the outputs of a called document become the extracts of the calling step`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + """
            setup: { call: onboard.yaml, with: { tenant: acme, size: 1.50 } }
            after: { post: /anything, json: { id: "${setup.id}", where: "${setup.where}", both: "${setup.both}" } }
          """, sandbox, folder: try files([:]))
      #expect(run.outcomes == ["setup passed", "after passed"], "\(run.results.map { ($0.reason, $0.failures) })")
      #expect(try body(run, "after") == #"{"id":1.50,"where":"/anything/check/acme/1.50","both":[1.50,"acme"]}"#)
      let setup = try run.result("setup")
      #expect(setup.exchanges.map { $0.label ?? "" } == ["create", "check", "remove"])
      #expect(sandbox.records.map(\.method) == ["POST", "GET", "DELETE", "POST"])
      #expect(run.summary.requestCount == 4)
    }
  }

  @Test func `if a step in a loop calls a document, the document runs once for each item`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + """
            setup: { call: onboard.yaml, with: { tenant: "${item}" }, for_each: [a, b, c], limit: 2 }
            after: { post: /anything, json: "${setup.where}" }
          """, sandbox, folder: try files([:]))
      #expect(run.results.filter { $0.step.id == "setup" }.allSatisfy { $0.outcome == .passed && $0.exchanges.count == 3 })
      #expect(try body(run, "after") == #"["/anything/check/a/10","/anything/check/b/10","/anything/check/c/10"]"#)
    }
  }

  @Test func `a failure in a called document fails the calling step`() async throws {
    let broken = """
      garland: 1
      inputs: { status: 500 }
      steps:
        ok: { get: "${env.SANDBOX}/get" }
        bad: { get: "${env.SANDBOX}/status/${inputs.status}" }
        never: { get: "${env.SANDBOX}/get", after: bad }
      outputs: { ok: "${ok.status}", never: "${never.status}" }
      """
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + """
            a: { call: broken.yaml }
            b: { call: broken.yaml, with: { status: 200 } }
            c: { get: "/anything/${a.ok}" }
            d: { get: "/anything/${b.never}" }
          """, sandbox, folder: try files(["broken.yaml": broken]))
      #expect(run.outcomes == ["a failed", "b passed", "c blocked", "d passed"])
      let failed = try run.result("a")
      #expect(failed.reason == "in broken.yaml: the step `bad` failed")
      #expect(failed.failures.map(\.message) == ["is 500, expected 2xx"])
      #expect(failed.failures.first?.range?.file.name == "broken.yaml")
      #expect(run.summary.exitStatus == 1)
    }
  }

  @Test func `if several steps call a document that uses another document's login, the login request is sent once`() async throws {
    try await withSandbox { sandbox in
      let folder = try files([
        "auth.yaml": """
        garland: 1
        steps:
          login: { post: "${env.SANDBOX}/anything/login", json: { token: abc }, extract: { token: $.json.token } }
          logout: { delete: "${env.SANDBOX}/anything/${login.token}", cleanup: login }
        """,
        "inner.yaml": """
        garland: 1
        use: { who: auth.yaml }
        inputs: { n }
        steps: { get: { get: "${env.SANDBOX}/anything/${inputs.n}/${who.login.token}", extract: { target: $.target } } }
        outputs: { target: "${get.target}" }
        """,
        "outer.yaml": """
        garland: 1
        inputs: { n }
        steps: { again: { call: inner.yaml, with: { n: "${inputs.n}" } } }
        outputs: { target: "${again.target}" }
        """,
      ])
      let run = try await TestRun.carryOut(
        prelude + """
            each: { call: inner.yaml, with: { n: "${item}" }, for_each: [1, 2, 3] }
            deep: { call: outer.yaml, with: { n: 4 } }
            after: { post: /anything, json: ["${each.target}", "${deep.target}"] }
          """, sandbox, folder: folder)
      #expect(run.results.allSatisfy { $0.outcome == .passed }, "\(run.results.map { ($0.step.id, $0.outcome, $0.reason, $0.failures) })")
      #expect(sandbox.records.filter { $0.target == "/anything/login" }.count == 1)
      #expect(try body(run, "after") == #"[["/anything/1/abc","/anything/2/abc","/anything/3/abc"],"/anything/4/abc"]"#)
      #expect(sandbox.records.last { $0.method == "DELETE" } != nil)
    }
  }

  @Test("steps of called documents share the run's limit of concurrent transfers", .timeLimit(.minutes(15)))
  func slotsAreShared() async throws {
    let many = """
      garland: 1
      steps: { each: { get: "${env.SANDBOX}/delay/0.01?${item}", for_each: "${4 | range}" } }
      """
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + "  all: { call: many.yaml, for_each: '${5 | range}' }", sandbox, folder: try files(["many.yaml": many]),
        configure: { $0.pace.concurrency = 3 })
      #expect(run.results.allSatisfy { $0.outcome == .passed })
      #expect(sandbox.records.count == 20)
      #expect(sandbox.connections.peak <= 3)
    }
  }

  @Test("an interrupt reaches the steps of a called document, and its cleanup runs", .timeLimit(.minutes(15)))
  func interrupted() async throws {
    let slow = """
      garland: 1
      steps:
        made: { post: "${env.SANDBOX}/anything/made" }
        wait: { get: "${env.SANDBOX}/get", after: made, poll: { until: "${response.status == 500}", every: 1h, within: 2h } }
        remove: { delete: "${env.SANDBOX}/anything/made", cleanup: made }
      """
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + "  a: { call: slow.yaml }", sandbox, folder: try files(["slow.yaml": slow]),
        react: { run, event in
          if case .stepStarted = event {
            Task {
              while sandbox.records.count < 2 { await Task.yield() }; run.interrupt(signal: "SIGINT")
            }
          }
        })
      #expect(run.outcomes == ["a not run"])
      #expect(sandbox.records.last?.method == "DELETE")
    }
  }

  struct Mistake: Sendable, CustomTestStringConvertible {
    var name: String
    var step: String
    var messages: [String]
    var testDescription: String { name }
  }

  static let mistakes: [Mistake] = [
    Mistake(name: "a missing input", step: "{ call: onboard.yaml }", messages: ["`onboard.yaml` needs the input `tenant` (Who moves in)"]),
    Mistake(
      name: "an unknown input", step: "{ call: onboard.yaml, with: { tenant: a, sise: 1 } }",
      messages: ["onboard.yaml has no input `sise`"]),
    Mistake(
      name: "an input of another type", step: "{ call: onboard.yaml, with: { tenant: 7 } }",
      messages: ["the input `tenant` is text, found the number 7"]),
    Mistake(
      name: "no such output", step: "{ call: onboard.yaml, with: { tenant: a } }\n  b: { get: 'http://h/${a.ids}' }",
      messages: ["the call `a` has no output `ids`"]),
    Mistake(
      name: "no response", step: "{ call: onboard.yaml, with: { tenant: a } }\n  b: { get: 'http://h/${a.status}' }",
      messages: ["the call `a` has no output `status`"]),
    Mistake(
      name: "a body", step: "{ call: onboard.yaml, with: { tenant: a }, json: {} }",
      messages: ["`json` belongs to a request, but this step is a `call`"]),
    Mistake(
      name: "a key of a WebSocket connection", step: "{ call: onboard.yaml, with: { tenant: a }, talk: [send: { text: a }] }",
      messages: ["`talk` belongs to `websocket`, but this step is a `call`"]),
    Mistake(
      name: "a request beside it", step: "{ call: onboard.yaml, with: { tenant: a }, get: /x }",
      messages: ["a step can do only one thing, found `get` and `call`"]),
    Mistake(name: "no such file", step: "{ call: nope.yaml }", messages: ["there is no file `nope.yaml`"]),
    Mistake(
      name: "nothing follows from a file that is not there", step: "{ call: nope.yaml }\n  b: { get: 'http://h/${a.ids}' }",
      messages: ["there is no file `nope.yaml`"]),
    Mistake(name: "itself", step: "{ call: test.yaml }", messages: ["the document uses itself"]),
  ]

  @Test(arguments: mistakes)
  func `each mistake in a step that calls a document is reported with the expected message`(_ mistake: Mistake) throws {
    let text = "garland: 1\nsteps:\n  a: \(mistake.step)\n"
    let folder = try files(["test.yaml": text])
    let options = WorkflowDecoder.Options(files: FileAccess(SystemFiles(), roots: [folder.path]))
    let (workflow, diagnostics) = WorkflowDecoder.decode(
      name: "test.yaml", bytes: Array(text.utf8), directory: folder.path, options: options)
    #expect(workflow == nil)
    #expect(diagnostics.all.filter { $0.severity == .error }.map(\.message) == mistake.messages)
  }

  @Test func `the inputs of a document that no other document calls get their values from the command line`() async throws {
    let folder = try files([:])
    let file = SourceFile(name: "--var", bytes: Array("tenant=acme".utf8))
    let override = WorkflowDecoder.Override(
      name: Located("tenant", at: SourceRange(file, 0..<6)), value: "acme", origin: .commandLine)
    let (workflow, diagnostics) = WorkflowDecoder.decode(
      name: "onboard.yaml", bytes: Array(Self.onboard.utf8), directory: folder.path,
      options: .init(files: FileAccess(SystemFiles(), roots: [folder.path]), overrides: [override]))
    let found = try #require(workflow, "\(diagnostics.all.map(\.message))")
    #expect(found.inputs.first?.given == "acme" && found.findings.unusedOverrides.isEmpty)
    let plan = try #require(Planner(workingDirectory: folder.path).plan([found]).plan)
    try await withSandbox { sandbox in
      let run = try #require(Run.prepare(plan, TestRun.configuration(sandbox, folder: folder)).run)
      #expect(await run.start().summary.counts[.passed] == 3)
    }
    let (alone, _) = WorkflowDecoder.decode(
      name: "onboard.yaml", bytes: Array(Self.onboard.utf8), directory: folder.path,
      options: .init(files: FileAccess(SystemFiles(), roots: [folder.path])))
    let document = try #require(alone)
    let unset = try #require(Planner(workingDirectory: folder.path).plan([document]).plan)
    let refused = Run.prepare(unset, TestRun.configuration(nil, folder: folder))
    #expect(refused.run == nil)
    #expect(refused.diagnostics.all.contains { $0.message == "the input `tenant` (Who moves in) has no value" })
  }
}
