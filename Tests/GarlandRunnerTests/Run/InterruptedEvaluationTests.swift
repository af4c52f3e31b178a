import GarlandDiagnostics
import GarlandResults
import GarlandSandbox
import GarlandWorkflow
import TestSupport
import Testing

@testable import GarlandRunner

/// Expressions that would take hours, evaluated by the thread that also learns of Ctrl-C and of the run's deadline.
@Suite(.timeLimit(.minutes(5))) struct InterruptedEvaluationTests {
  private static let loop = "1000000 | range | map(1000000 | range | map(item + 1) | length)"
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

  /// Carries out a step after another one, at whose end an interrupt comes: before the step begins, and before the run learns of it.
  private func interrupted(_ steps: String) async throws -> TestRun {
    try await withSandbox { sandbox in
      try await TestRun.carryOut(
        prelude + "    first: { get: /get }\n" + steps, sandbox, folder: try folder(),
        react: { run, event in
          if case .stepEnded(let result) = event, result.step.id == "first" { run.interrupt(signal: "SIGTERM") }
        })
    }
  }

  @Test(arguments: steps) func `an interrupt ends an expression that is evaluated before a request`(_ step: String) async throws {
    let run = try await interrupted("    slow: { after: first, \(step) }\n")
    #expect(run.outcomes == ["first passed", "slow not run"])
    #expect(try run.result("slow").reason?.hasPrefix("interrupted by SIGTERM") == true)
    #expect(run.summary.exitStatus == 143)
  }

  @Test(arguments: steps) func `the run's deadline ends an expression that is evaluated before a request`(_ step: String) async throws {
    let run = try await withSandbox { sandbox in
      try await TestRun.carryOut(prelude + "    slow: { \(step) }\n", sandbox, folder: try folder()) { $0.deadline = .seconds(1) }
    }
    #expect(run.outcomes == ["slow not run"])
    #expect(try run.result("slow").reason?.hasPrefix("the run's time of 1 s was up") == true)
    #expect(run.summary.exitStatus == 4)
  }

  @Test func `a cleanup evaluates its expressions after an interrupt`() async throws {
    let sum = "${100000 | range | map(item + 1) | length}"
    let run = try await interrupted(
      "    slow: { get: /get, after: first, when: '${(\(Self.endless)) == 1}' }\n    remove: { cleanup: first, get: '/get?n=\(sum)' }\n")
    #expect(run.outcomes == ["first passed", "slow not run", "remove passed"])
  }

  @Test func `a document that a cleanup calls evaluates its expressions after an interrupt`() async throws {
    let run = try await interrupted(
      "    remove: { cleanup: first, call: called.yaml, with: { n: '${100000 | range | map(item + 1) | length}' } }\n")
    #expect(run.outcomes == ["first passed", "remove passed"])
  }

  @Test func `a second interrupt ends the expression of a cleanup`() async throws {
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
    #expect(try run.result("remove").reason == "interrupted by SIGINT; what `first` made may be left behind")
    #expect(run.summary.exitStatus == 130)
  }

  @Test func `an interrupt ends a print`() async throws {
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
    #expect(run.report.prints.map { (try? $0.get()) == nil } == [true])
    #expect(run.summary.exitStatus == 130)
  }

  @Test func `a variable that takes too long ends at the run's deadline`() async throws {
    let run = try await withSandbox { sandbox in
      let text =
        "garland: 1\nvars: { n: \"${\(Self.endless)}\" }\nsteps:\n  a: { get: '${env.SANDBOX}/get?n=${vars.n}' }\n  b: { get: '${env.SANDBOX}/get' }\n"
      return try await TestRun.carryOut(text, sandbox) { $0.deadline = .seconds(1) }
    }
    #expect(run.outcomes == ["a error", "b passed"])
  }
}
