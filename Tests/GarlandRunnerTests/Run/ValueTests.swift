import GarlandDiagnostics
import GarlandResults
import GarlandSandbox
import TestSupport
import Testing

@testable import GarlandRunner

@Suite("Values between steps")
struct ValueTests {
  @Test func `a variable is evaluated once per run`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        """
        garland: 1
        vars: { id: "${uuid()}", twice: "${vars.id}-${vars.id}" }
        defaults: { base_url: "${env.SANDBOX}" }
        steps:
          a: { post: /anything, json: { id: "${vars.id}", run: "${run.id}" }, extract: { id: $.json.id, run: $.json.run } }
          b: { get: "/anything/${vars.twice}", expect: { that: ["${a.id == vars.id}", "${a.run == run.id}"], json: { $.path: "/anything/${a.id}-${a.id}" } } }
        """, sandbox)
      #expect(run.outcomes == ["a passed", "b passed"])
    }
  }

  @Test func `expressions can use every member of a response`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + """
            a: { get: "/response-headers?X-One=1&Set-Cookie=c%3D2" }
            text: { get: /encoding/utf8 }
            b:
              post: /anything
              json:
                status: ${a.status}
                header: ${a.headers.x-one}
                cookie: ${a.cookies.c}
                url: ${a.url}
                size: ${a.size}
                version: ${a.version}
                fast: ${a.time < 10}
                length: ${text.text | length}
                none: ${a.headers.No-Such ?? 'none'}
              expect:
                json:
                  $.json.status: 200
                  $.json.header: "1"
                  $.json.cookie: "2"
                  $.json.version: "1.1"
                  $.json.fast: true
                  $.json.length: { gt: 10 }
                  $.json.none: none
          """, sandbox)
      #expect(run.outcomes == ["a passed", "text passed", "b passed"], "\(run.results.flatMap(\.failures).map(\.message))")
    }
  }

  /// The value of the variable has half as many values as the limit allows.
  @Test func `a JSON body of more than 1,000,000 values is refused before it is sent`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + """
            a: { post: /anything, json: { a: "${vars.list}", b: ["${vars.list}"] } }
          vars: { list: "${500000 | range}" }
          """, sandbox)
      #expect(run.outcomes == ["a failed"])
      #expect(run.results.flatMap(\.failures).map(\.message) == ["the value contains more than 1000000 values and member names"])
      #expect(run.summary.requestCount == 0)
    }
  }

  @Test func `if a value that a step uses is missing, the failure has the position of the expression`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + "  a: { get: /json }\n  b: { get: \"/anything/${a.json.missing}\" }", sandbox)
      let failure = try #require(try run.result("b").failures.first)
      #expect(failure.kind == .value)
      #expect(failure.range?.text == "a.json.missing" || failure.range?.text == "missing")
      #expect(try run.result("b").exchanges.isEmpty)
    }
  }

  @Test func `the values of a step are released from memory after their last use`() async throws {
    try await withSandbox { sandbox in
      let prepared = try TestRun.prepare(
        prelude + """
            a: { get: /json }
            b: { get: "/anything/${a.status}" }
            c: { get: "/anything/${b.status}", always: true }
          """, sandbox)
      let run = try #require(prepared.run)
      _ = await run.start()
      #expect(await run.storedCount == 0)
      #expect(await run.activeCount == 0)
    }
  }

  @Test func `a cleanup can use the extracts of a failed step`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + """
            made: { post: /anything, json: { id: 5 }, expect: { status: 201 }, extract: { id: $.json.id } }
            gone: { delete: "/anything/${made.id}", cleanup: made }
          """, sandbox)
      #expect(run.outcomes == ["made failed", "gone passed"])
      #expect(sandbox.records.last?.target == "/anything/5")
    }
  }

  @Test func `the expressions of --print are evaluated after the run`() async throws {
    try await withSandbox { sandbox in
      let folder = try TemporaryFolder()
      let text = prelude + "  a: { post: /anything, json: { t: tok-1234, n: [1] }, extract: { t: { json: $.json.t, secret: true } } }"
      let workflow = try Documents.decode(text, folder: folder)
      var diagnostics = DiagnosticList()
      let templates = ["${a.t}", "${a.json.json.n}", "x ${a.status}", "${a.json.nothing}"].compactMap {
        workflow.template($0, name: "--print", into: &diagnostics)
      }
      let run = try await TestRun.carryOut(text, sandbox, folder: folder) { configuration in
        configuration.prints = templates.map { RunPrint($0, workflow: 0) }
      }
      #expect(run.report.prints == ["tok-1234", "[1]", "x 200"])
      #expect(run.summary.runErrors.map(\.message) == ["`a.json` has no member `nothing`"] && run.summary.exitStatus == 1)
    }
  }
}

extension Run {
  /// The number of steps without a loop that are in progress.
  fileprivate var activeCount: Int { work.steps.count { $0 != nil } }
  /// The number of steps whose values, such as extracts, are stored for other steps.
  fileprivate var storedCount: Int { identities.indices.count { ledger.stored($0) != nil } }
}
