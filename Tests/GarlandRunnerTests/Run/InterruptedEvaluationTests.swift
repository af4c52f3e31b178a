import GarlandDiagnostics
import GarlandResults
import GarlandSandbox
import GarlandWorkflow
import TestSupport
import Testing

@testable import GarlandRunner

/// Tests of expressions that would take hours. The thread that evaluates them also handles Ctrl-C and the run's deadline.
@Suite(.timeLimit(.minutes(15))) struct InterruptedEvaluationTests {
  /// Three loops in one another. The lists are short, because an evaluation is not stopped while it creates a list.
  private static let loop = "5000 | range | map(5000 | range | map(5000 | range | map(item + 1) | length) | length)"
  private static let endless = "\(loop) | length"
  private static let steps: [String] = [
    "get: /get, when: '${(\(endless)) == 1}'",
    "get: /get, headers: { X: '${\(endless)}' }",
    "get: '/get?n=${\(endless)}'",
    "get: /get, for_each: '${\(loop)}'",
    "get: /get, for_each: [1], limit: '${\(endless)}'",
    "get: /get, delay: '${\(endless)}'",
    "get: /get, retry: { limit: '${\(endless)}' }",
    "reach: '${env.SANDBOX}', within: '${\(endless)}'",
    "listen: { path: /hook, within: '${\(endless)}' }",
    "call: called.yaml, with: { n: '${\(endless)}' }",
    "call: called.yaml, delay: '${\(endless)}'",
    "call: slow.yaml",
  ]

  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let base = "defaults: { base_url: '${env.SANDBOX}' }\n"
    try folder.write("called.yaml", "garland: 1\ninputs: { n: 1 }\n\(base)steps: { a: { get: '/get?n=${inputs.n}' } }\n")
    try folder.write("slow.yaml", "garland: 1\n\(base)steps: { a: { get: '/get?n=${\(Self.endless)}' } }\n")
    return folder
  }

  /// Runs a step after another one. An interrupt arrives when the first step ends, before the second one begins and before the run has
  /// handled the interrupt.
  private func interrupted(_ steps: String) async throws -> TestRun {
    try await withSandbox { sandbox in
      try await TestRun.carryOut(
        prelude + "    first: { get: /get }\n" + steps, sandbox, folder: try folder(),
        react: { run, event in
          if case .stepEnded(let result) = event, result.step.id == "first" { run.interrupt(signal: "SIGTERM") }
        })
    }
  }

  @Test(arguments: steps) func `an interrupt stops an expression that is evaluated before a request`(_ step: String) async throws {
    let run = try await interrupted("    slow: { after: first, \(step) }\n")
    #expect(run.outcomes == ["first passed", "slow not run"])
    #expect(try run.result("slow").reason?.hasPrefix("interrupted by SIGTERM") == true)
    #expect(run.summary.exitStatus == 143)
  }

  @Test(arguments: steps) func `the run's deadline stops an expression that is evaluated before a request`(_ step: String) async throws {
    let run = try await withSandbox { sandbox in
      try await TestRun.carryOut(prelude + "    slow: { \(step) }\n", sandbox, folder: try folder()) {
        $0.pace.deadline = .milliseconds(200)
      }
    }
    #expect(run.outcomes == ["slow not run"])
    #expect(try run.result("slow").reason?.hasPrefix("the run reached its deadline of 200 ms") == true)
    #expect(run.summary.exitStatus == 4)
  }

  @Test func `the expressions of a cleanup are still evaluated after an interrupt`() async throws {
    let sum = "${100000 | range | map(item + 1) | length}"
    let run = try await interrupted(
      "    slow: { get: /get, after: first, when: '${(\(Self.endless)) == 1}' }\n    remove: { cleanup: first, get: '/get?n=\(sum)' }\n")
    #expect(run.outcomes == ["first passed", "slow not run", "remove passed"])
  }

  @Test func `after an interrupt, the expressions of a document that a cleanup calls are still evaluated`() async throws {
    let run = try await interrupted(
      "    remove: { cleanup: first, call: called.yaml, with: { n: '${100000 | range | map(item + 1) | length}' } }\n")
    #expect(run.outcomes == ["first passed", "remove passed"])
  }

  @Test func `a second interrupt stops the evaluation of an expression in a cleanup`() async throws {
    let run = try await withSandbox { sandbox in
      try await TestRun.carryOut(
        prelude + "    first: { get: /get }\n    remove: { cleanup: first, get: '/get?n=${\(Self.endless)}' }\n", sandbox,
        react: { run, event in
          guard case .stepEnded(let result) = event, result.step.id == "first" else { return }
          run.interrupt(signal: "SIGINT")
          run.abort()
        })
    }
    #expect(run.outcomes == ["first passed", "remove not run"])
    #expect(try run.result("remove").reason == "interrupted by SIGINT; data of the step `first` may remain")
    #expect(run.summary.exitStatus == 130)
  }

  @Test func `an interrupt stops the evaluation of an expression that --print shows after the run`() async throws {
    let run = try await withSandbox { sandbox in
      let folder = try folder()
      let text = prelude + "    first: { get: /get }\n"
      let workflow = try Documents.decode(text, folder: folder)
      var diagnostics = DiagnosticList()
      let template = try #require(workflow.template("${\(Self.endless)}", name: "--print", into: &diagnostics))
      return try await TestRun.carryOut(
        text, sandbox, folder: folder, configure: { $0.prints = [RunPrint(template, workflow: 0)] },
        react: { run, event in if case .stepEnded = event { run.interrupt(signal: "SIGINT") } })
    }
    #expect(run.report.prints.isEmpty)
    #expect(run.summary.exitStatus == 130)
  }

  @Test func `the evaluation of a variable stops at the run's deadline`() async throws {
    let run = try await withSandbox { sandbox in
      let text =
        "garland: 1\nvars: { n: \"${\(Self.endless)}\" }\nsteps:\n  a: { get: '${env.SANDBOX}/get?n=${vars.n}' }\n  b: { get: '${env.SANDBOX}/get' }\n"
      return try await TestRun.carryOut(text, sandbox) { $0.pace.deadline = .seconds(1) }
    }
    #expect(run.outcomes == ["a error", "b passed"])
  }

  // MARK: Where the engine's thread learns of something else than a response

  private static let delayed: [String] = [
    "call: called.yaml, delay: 50ms, with: { n: '${made.id}-${\(endless)}' }",
    "call: called.yaml, for_each: [1], delay: 50ms, with: { n: '${made.id}-${\(endless)}' }",
    "get: '/get?n=${made.id}', delay: 50ms, headers: { X: '${\(endless)}' }",
  ]

  @Test(arguments: delayed)
  func `if the run's deadline stops the evaluation of a delayed step, the cleanup of an earlier step still runs`(
    _ step: String
  ) async throws {
    let (run, requests) = try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude
          + "    made: { post: /anything/made, extract: { id: $.method } }\n    slow: { \(step) }\n"
          + "    tidy: { delete: '/anything/${made.id}', cleanup: made }\n", sandbox, folder: try folder()
      ) { $0.pace.deadline = .seconds(2) }
      return (run, sandbox.records.map { "\($0.method) \($0.target)" })
    }
    #expect(run.outcomes == ["made passed", "slow not run", "tidy passed"])
    #expect(requests == ["POST /anything/made", "DELETE /anything/POST"])
    #expect(run.summary.exitStatus == 4)
  }

  @Test func `if the deadline stops the evaluation of a called document's outputs, cleanups still get earlier steps' values`()
    async throws
  {
    let folder = try folder()
    try folder.write(
      "outputs.yaml",
      "garland: 1\ndefaults: { base_url: '${env.SANDBOX}' }\ninputs: { n: 1 }\nsteps: { a: { get: '/anything/called?n=${inputs.n}' } }\n"
        + "outputs: { n: '${\(Self.endless)}' }\n")
    let (run, requests) = try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude
          + "    made: { post: /anything/made, extract: { id: $.method } }\n    slow: { call: outputs.yaml, with: { n: '${made.id}' } }\n"
          + "    use: { get: '/get?n=${slow.n}' }\n    tidy: { delete: '/anything/${made.id}', cleanup: made }\n", sandbox, folder: folder
      ) { $0.pace.deadline = .seconds(2) }
      return (run, sandbox.records.map { "\($0.method) \($0.target)" })
    }
    #expect(run.outcomes == ["made passed", "slow not run", "use not run", "tidy passed"])
    #expect(try run.result("slow").reason == "the run reached its deadline of 2 s while its outputs were evaluated")
    #expect(requests == ["POST /anything/made", "GET /anything/called?n=POST", "DELETE /anything/POST"])
  }

  @Test func `if an interrupt stops the evaluation of the variables of a called document, no step of the document is started`() async throws
  {
    let folder = try folder()
    try folder.write(
      "variables.yaml",
      "garland: 1\ndefaults: { base_url: '${env.SANDBOX}' }\ninputs: { m: 1 }\nvars: { n: '${inputs.m}-${\(Self.endless)}' }\n"
        + "steps:\n  made: { post: /anything/called }\n  use: { get: '/get?n=${vars.n}', after: made }\n"
        + "  tidy: { delete: '/anything/${vars.n}', cleanup: made }\n")
    let (run, requests) = try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + "    first: { get: /get }\n    slow: { call: variables.yaml, with: { m: '${first.status}' } }\n", sandbox, folder: folder,
        react: { run, event in
          if case .stepEnded(let result) = event, result.step.id == "first" { run.interrupt(signal: "SIGINT") }
        })
      return (run, sandbox.records.map { "\($0.method) \($0.target)" })
    }
    #expect(run.outcomes == ["first passed", "slow not run"])
    #expect(requests == ["GET /get"])
    #expect(run.summary.exitStatus == 130)
  }

  @Test func `a cleanup that uses the URL of a listening step still runs after an interrupt`() async throws {
    let path = "/p${200000 | range | map(item + 1) | length}"
    let (run, requests) = try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + "    made: { post: /anything/made }\n    hook: { listen: { path: '\(path)' }, after: made }\n"
          + "    send: { get: '/get?u=${hook.url}', after: made }\n    tidy: { delete: '/anything?u=${hook.url}', cleanup: made }\n",
        sandbox, folder: try folder(),
        react: { run, event in
          if case .stepEnded(let result) = event, result.step.id == "made" { run.interrupt(signal: "SIGINT") }
        })
      return (run, sandbox.records.map { "\($0.method) \($0.target.prefix { $0 != "?" })" })
    }
    #expect(run.outcomes == ["made passed", "hook not run", "send not run", "tidy passed"])
    #expect(requests == ["POST /anything/made", "DELETE /anything"])
    #expect(run.summary.exitStatus == 130)
  }

  // MARK: Results of an evaluation that was ended

  @Test func `if the comparison in a step's condition 'when' takes longer than the deadline, the step ends with an error`() async throws {
    let digits = String(repeating: "1", count: 1_000_000)
    let body = "{\"x\":\(digits)1,\"y\":\(digits)1.0}"
    let server = try RawServer { connection in
      while !connection.readHead().isEmpty {
        connection.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
      }
    }
    let run = try await TestRun.carryOut(
      "garland: 1\nsteps:\n  a: { get: '\(server.url)/a' }\n  b: { get: '\(server.url)/b', when: '${a.json.x == a.json.y}', deadline: 1ms }\n"
    )
    #expect(run.outcomes == ["a passed", "b error"])
    #expect(try run.result("b").failures.map(\.message) == ["the value was not evaluated within the `deadline` of 1 ms"])
  }

  @Test(arguments: [
    "get: 'http://127.0.0.1:1/', deadline: 1s, expect: { error: { message: { contains: '${first.status + (\(endless)) | string}' } } }",
    "get: /status/503, deadline: 1s, retry: { limit: 2, delay: 1ms }, expect: { status: { lt: '${first.status + (\(endless))}' } }",
  ]) func `if the evaluation of an expected status or error message exceeds the step's deadline, the step ends with an error`(
    _ step: String
  )
    async throws
  {
    let run = try await withSandbox { sandbox in
      try await TestRun.carryOut(prelude + "    first: { get: /get }\n    slow: { \(step) }\n", sandbox)
    }
    #expect(run.outcomes == ["first passed", "slow error"])
    #expect(try run.result("slow").failures.map(\.message) == ["the value was not evaluated within the `deadline` of 1 s"])
  }
}
