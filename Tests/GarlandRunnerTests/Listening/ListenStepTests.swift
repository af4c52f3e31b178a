import GarlandResults
import GarlandSandbox
import GarlandWorkflow
import TestSupport
import Testing

@testable import GarlandRunner

@Suite(.timeLimit(.minutes(15))) struct ListenStepTests {
  /// Returns the URL without its port, which is different each time.
  private static func text(_ result: StepResult) -> String {
    let lines = result.failures.flatMap { failure in
      [failure.sentence]
        + [("expected", failure.expected), ("actual", failure.actual), ("help", failure.help)].compactMap {
          label, text in text.map { "  \(label): \($0)" }
        }
    }
    let text = "\(result.step.id) \(result.outcome.rawValue)\(result.reason.map { ": \($0)" } ?? "")\n" + lines.joined(separator: "\n")
    let parts = text.split(separator: "127.0.0.1:", omittingEmptySubsequences: false)
    return (parts.prefix(1) + parts.dropFirst().map { $0.drop(while: \.isNumber) }).joined(separator: "127.0.0.1:PORT")
  }

  @Test(arguments: [false, true]) func `a listening step passes when the callback arrives`(serially: Bool) async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + """
            hook:
              listen: { path: /hooks/order, within: 30s }
              expect:
                method: POST
                headers: { X-Event: paid, Content-Type: { starts_with: application/json } }
                json: { $.id: 7 }
                size: { gt: 5 }
                url: { ends_with: "/hooks/order?a=1&a=2&b=%C3%A9" }
                query: { a: ["1", "2"], b: "é" }
                that: "${response.method == 'POST' && response.query.b == 'é'}"
              extract: { id: $.id, b: { query: b }, all: { query: a, all: true }, event: { header: X-Event } }
            call:
              post: /callbacks
              json: { url: "${hook.url}?a=1&a=2&b=%C3%A9", json: { id: 7 }, headers: { X-Event: paid } }
              expect: { status: 202 }
            use:
              post: /post
              json: { id: "${hook.id}", b: "${hook.b}", all: "${hook.all}", method: "${hook.method}", query: "${hook.query}" }
              expect: { json: { $.json: { eq: { id: 7, b: é, all: ["1", "2"], method: POST, query: { a: ["1", "2"], b: é } } } } }
          """, sandbox, configure: { if serially { $0.pace.isSerial = true } else { $0.pace.concurrency = 1 } })
      #expect(run.outcomes == ["hook passed", "call passed", "use passed"], "\(run.results.flatMap(\.failures).map(\.message))")
      let exchange = try #require(try run.result("hook").exchanges.first)
      #expect(exchange.isIncoming && exchange.hops.first?.method == "POST" && exchange.receivedBody?.size == 8)
      #expect(try run.result("hook").extracted.map(\.value) == ["7", "\"é\"", "[\"1\",\"2\"]", "\"paid\""])
    }
  }

  @Test func `a listening step receives a request that arrived before the step began`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + """
            call: { get: "/redirect-to?url=${hook.url}" }
            hook: { listen: /back, after: call, expect: { method: GET, body: "" } }
          """, sandbox)
      #expect(run.outcomes == ["call passed", "hook passed"], "\(run.results.flatMap(\.failures).map(\.message))")
    }
  }

  @Test func `in a loop of a listening step, each item has a separate callback URL`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + """
            items: { post: /post, json: [a, b, c] }
            hook:
              for_each: ${items.json.json}
              listen: { path: /hook, within: 30s }
              expect: { json: { $.item: "${item}" } }
              extract: { item: $.item }
            call:
              for_each: ${items.json.json}
              post: /callbacks
              json: { url: "${hook.url[index]}", json: { item: "${item}" }, after: "${20 - index * 10}" }
              expect: { status: 202 }
            use: { post: /post, json: "${hook.item}", expect: { json: { $.json: [a, b, c] } } }
          """, sandbox, configure: { $0.pace.isSerial = true })
      #expect(run.results.allSatisfy { $0.outcome == .passed }, "\(run.results.flatMap(\.failures).map(\.message))")
      #expect(run.results.count == 8)
      #expect(
        run.results.filter { $0.step.id == "hook" }.compactMap { $0.exchanges.first?.hops.first?.url.last }.sorted() == ["0", "1", "2"])
    }
  }

  @Test func `the failure of a listening step names the expected request and the requests that arrived instead`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + """
            nothing: { listen: { path: /nothing, within: 50ms } }
            told: { get: "/get?u=${nothing.url}" }
            elsewhere: { listen: { path: /hook, within: 2s } }
            stray: { post: "${elsewhere.url}s", json: { a: 1 }, expect: { status: 404 } }
            other: { get: "${elsewhere.url | replace('/hook', '/favicon.ico')}", after: stray, expect: { status: 404 } }
            wrong: { listen: { path: /hook, within: 30s }, expect: { method: POST, query: { state: abc }, json: { $.a: 2 }, headers: { X: y }, cookies: { c: d } } }
            sender: { put: "${wrong.url}?stat=abc", json: { a: 1 }, cookies: { e: f } }
            hopeless: { listen: { path: /hook, within: 5m } }
            failing: { get: /status/500, query: { u: "${hopeless.url}" } }
            missing: { listen: /hook, extract: { a: $.b, code: { query: code }, c: { header: X }, d: { cookie: session } } }
            poster: { post: "${missing.url}?kode=1", json: { a: 1 } }
          """, sandbox)
      let texts = ["nothing", "elsewhere", "wrong", "hopeless", "missing"].map { id in
        run.results.filter { $0.step.id == id }.map(Self.text).joined(separator: "\n")
      }
      expectGolden(texts.joined(separator: "\n\n") + "\n", "listen.txt")
      #expect(run.summary.exitStatus == 1)
    }
  }

  @Test func `an interrupt or the deadline of the run ends a listening step`() async throws {
    let document = "garland: 1\nsteps:\n  hook: { listen: { path: /hook, within: 5m } }\n"
    let interrupted = try await TestRun.carryOut(document, configure: { _ in }) { run, event in
      if case .stepWaits = event { run.interrupt(signal: "SIGINT") }
    }
    #expect(interrupted.outcomes == ["hook not run"], "\(interrupted.outcomes)")
    #expect(interrupted.summary.exitStatus == 130)
    let late = try await TestRun.carryOut(document, configure: { $0.pace.deadline = .milliseconds(20) })
    #expect(late.outcomes == ["hook error"] && late.summary.exitStatus == 4)
  }

  @Test func `an invalid path of a listening step is refused`() async throws {
    let run = try await TestRun.carryOut(
      """
      garland: 1
      vars: { path: "hook?x" }
      steps:
        hook: { listen: "${vars.path}" }
        call: { get: "${hook.url}" }
      """)
    #expect(run.outcomes == ["hook error", "call failed"])
    #expect(try run.result("hook").reason == "the step can't listen: `hook?x` is not a path")
    #expect(try run.result("call").failures.first?.message == "the step `hook` does not listen: `hook?x` is not a path")
  }

  @Test func `a secret in the path of a listening step is masked`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        """
        garland: 1
        secrets: [HOOK]
        defaults: { base_url: "${env.SANDBOX}" }
        steps:
          hook: { listen: "/hooks/${secrets.HOOK}" }
          call: { post: /callbacks, json: { url: "${hook.url}", json: {} }, expect: { status: 202 } }
        """, sandbox, configure: { $0.secrets = ["HOOK": "s3cr3t-path"] })
      #expect(run.outcomes == ["hook passed", "call passed"], "\(run.results.flatMap(\.failures).map(\.message))")
      let url = try #require(try run.result("hook").exchanges.first?.hops.first?.url)
      #expect(url.contains("s3cr3t-path") && !run.redactor.redact(url).contains("s3cr3t"))
    }
  }

  /// A document that is called with the URL can call back too.
  @Test func `a called document can send a request to the listening step of its caller`() async throws {
    try await withSandbox { sandbox in
      let folder = try TemporaryFolder()
      _ = try folder.write(
        "inner.yaml",
        """
        garland: 1
        inputs: { url: { type: string } }
        defaults: { base_url: "${env.SANDBOX}" }
        steps:
          inner: { listen: /inner }
          call: { post: /callbacks, json: { url: "${inputs.url}", json: { from: "${inner.url}" } }, expect: { status: 202 } }
          self: { post: /callbacks, json: { url: "${inner.url}", json: {} }, expect: { status: 202 } }
        outputs: { inner: "${inner.url}" }
        """)
      let run = try await TestRun.carryOut(
        prelude + """
            hook: { listen: /hook, extract: { from: $.from } }
            call: { call: inner.yaml, with: { url: "${hook.url}" } }
            same: { post: /post, json: { a: "${call.inner}", b: "${hook.from}" }, expect: { that: "${response.json.json.a == response.json.json.b}" } }
          """, sandbox, folder: folder)
      #expect(
        run.results.map(\.outcome) == [.passed, .passed, .passed], "\(run.results.flatMap(\.failures).map(\.message)) \(run.outcomes)")
    }
  }

  /// The request is sent by another program, as in practice.
  @Test func `a request from curl reaches a listening step`() async throws {
    let run = try await TestRun.carryOut(
      "garland: 1\nsteps:\n  hook: { listen: { path: /hook, within: 1m }, expect: { method: POST, headers: { User-Agent: { contains: curl } }, body: hello } }\n",
      configure: { _ in }
    ) { _, event in
      guard case .stepWaits(_, _, let reason, _) = event, let url = reason.split(separator: " ").last.map(String.init) else { return }
      Task.detached {
        _ = try await ChildProcess.run("/usr/bin/curl", ["-sS", "-H", "Transfer-Encoding: chunked", "-d", "hello", url])
      }
    }
    #expect(run.outcomes == ["hook passed"], "\(run.results.flatMap(\.failures).map(\.message))")
  }
}
