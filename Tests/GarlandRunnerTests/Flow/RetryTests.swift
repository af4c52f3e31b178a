import GarlandJSON
import GarlandResults
import GarlandSandbox
import TestSupport
import Testing

@Suite("retry, poll, delay and paginate")
struct RetryTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var steps: String
    /// The outcome, the number of requests and the labels of the exchanges of the first step.
    var outcome: Outcome
    var labels: [String]
    var message: String?
    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case(
      name: "a status that says not now is tried again until it is well",
      steps: "a: { get: '/flaky/a?fails=2', retry: { limit: 3, delay: 1ms } }", outcome: .passed, labels: ["", "attempt 2", "attempt 3"]),
    Case(
      name: "only as often as is said, and then the last response is judged",
      steps: "a: { get: '/flaky/a?fails=5', retry: { limit: 2, delay: 1ms } }", outcome: .failed, labels: ["", "attempt 2", "attempt 3"],
      message: "is 503, expected 2xx"),
    Case(name: "a number is the limit", steps: "a: { get: '/flaky/a?fails=1', retry: 1 }", outcome: .passed, labels: ["", "attempt 2"]),
    Case(
      name: "a lost connection is tried again",
      steps: "a: { get: '/flaky/a?fails=2&fault=close', retry: { limit: 2, delay: 1ms } }", outcome: .passed,
      labels: ["", "attempt 2", "attempt 3"]),
    Case(name: "without retry nothing is", steps: "a: { get: '/flaky/a?fails=1&fault=close' }", outcome: .error, labels: [""]),
    Case(
      name: "a POST is not tried again unless it says so",
      steps: "a: { post: '/flaky/a?fails=1&fault=close', retry: { limit: 2, delay: 1ms } }", outcome: .error, labels: [""],
      message: "POST is not idempotent"),
    Case(
      name: "a POST that says so is",
      steps: "a: { post: '/flaky/a?fails=1', json: { n: 1 }, retry: { limit: 2, delay: 1ms, methods: [post] } }", outcome: .passed,
      labels: ["", "attempt 2"]),
    Case(
      name: "other statuses by name",
      steps: "a: { get: '/flaky/a?fails=1&status=404', retry: { delay: 1ms, statuses: [404, 5xx] } }", outcome: .passed,
      labels: ["", "attempt 2"]),
    Case(
      name: "a status that is not listed stands", steps: "a: { get: '/flaky/a?fails=1&status=404', retry: { delay: 1ms } }",
      outcome: .failed, labels: [""]),
    Case(
      name: "a status that is expected stands",
      steps: "a: { get: '/flaky/a?fails=1', retry: { delay: 1ms }, expect: { status: 503 } }", outcome: .passed, labels: [""]),
    Case(
      name: "a failed expectation is never tried again",
      steps: "a: { get: '/flaky/a?fails=0', retry: { delay: 1ms }, expect: { json: { $.attempt: 7 } } }", outcome: .failed, labels: [""]),
    Case(
      name: "longer than max_delay nobody waits", steps: "a: { get: '/flaky/a?fails=1&retry_after=3600', retry: { max_delay: 200ms } }",
      outcome: .failed, labels: [""],
      message: "is 503, expected 2xx (not retried: the server asks to wait 1 h, but `max_delay` is 200 ms)"),
    Case(
      name: "a POST is not tried again after a status either", steps: "a: { post: '/flaky/a?fails=1', retry: { limit: 2, delay: 1ms } }",
      outcome: .failed, labels: [""], message: "is 503, expected 2xx (not retried: POST is not idempotent)"),
    Case(
      name: "the last status is the last word", steps: "a: { get: '/flaky/a?fails=9', retry: { limit: 1, delay: 1ms } }", outcome: .failed,
      labels: ["", "attempt 2"], message: "is 503, expected 2xx"),
    Case(
      name: "a poll goes on until it holds",
      steps: """
        job: { post: '/jobs?polls=2', extract: { id: $.id }, expect: { status: 202 } }
          a: { get: '/jobs/${job.id}', poll: { until: "${response.json.state == 'done'}", every: 1ms }, expect: { json: { $.result.answer: 42 } } }
        """, outcome: .passed, labels: ["poll 1", "poll 2"]),
    Case(
      name: "a poll ends where waiting is useless",
      steps: """
        job: { post: '/jobs?polls=1&result=failed', extract: { id: $.id }, expect: { status: 202 } }
          a:
            get: '/jobs/${job.id}'
            poll: { until: "${response.json.state == 'done'}", every: 1ms, fail: "${response.json.state == 'failed'}" }
        """, outcome: .failed, labels: [""], message: "`response.json.state == 'failed'` is true, so the step stopped waiting"),
    Case(
      name: "a poll goes on until expectations hold, and the status is theirs",
      steps: """
        a: { get: '/flaky/a?fails=2&status=503', poll: { until: { status: 200, json: { $.attempt: { gte: 3 } } }, every: 1ms } }
        """, outcome: .passed, labels: ["poll 1", "poll 2", "poll 3"]),
    Case(
      name: "a poll until a status that is no success passes with it",
      steps: "a: { get: '/flaky/a?fails=9&status=404', poll: { until: { status: 404 }, every: 1ms } }", outcome: .passed, labels: [""]),
    Case(
      name: "a poll whose expectations never hold tells that time is up",
      steps: "a: { get: /health, poll: { until: { json: { $.status: closed } }, every: 1m, within: 30s } }", outcome: .failed, labels: [""],
      message: "the expectations were not met within 30 s (1 poll)"),
    Case(
      name: "pages follow a cursor in a JSON body",
      steps: """
        a:
            post: /pages?total=5&size=2
            json: { filter: { kept: 1 } }
            paginate: { next: { json: { cursor: "${response.json.cursor}", filter: { page: 2 } } } }
            extract: { items: { json: "$.items[*]", all: true } }
            expect: { json: { $.items: { empty: false } } }
          check: { post: /anything, json: "${a.items}", expect: { json: { $.json: [1, 2, 3, 4, 5] } } }
        """, outcome: .passed, labels: ["page 1", "page 2", "page 3"]),
    Case(
      name: "a poll takes every status for an answer, and what is undefined for not yet",
      steps:
        "a: { get: '/flaky/a?fails=2', retry: 5, poll: { until: '${response.json.attempt == 3 && response.status == 200}', every: 1ms } }",
      outcome: .passed, labels: ["poll 1", "poll 2", "poll 3"]),
    Case(
      name: "a poll has its time",
      steps: "a: { get: '/get', poll: { until: '${response.json.never ?? false}', every: 10s, within: 1s } }", outcome: .failed,
      labels: [""], message: "`response.json.never ?? false` was not true within 1 s (1 poll)"),
    Case(
      name: "pages by a member",
      steps: "a: { get: '/pages?total=25', paginate: { next: '${response.json.next}' }, extract: { all: $.items } }",
      outcome: .passed, labels: ["page 1", "page 2", "page 3"]),
    Case(
      name: "pages by the Link field", steps: "a: { get: '/pages?total=25', paginate: { link: true }, extract: { all: $.items } }",
      outcome: .passed, labels: ["page 1", "page 2", "page 3"]),
    Case(
      name: "no more pages than are asked for", steps: "a: { get: '/pages?total=25', paginate: { link: true, limit: 2 } }",
      outcome: .passed,
      labels: ["page 1", "page 2"]),
    Case(
      name: "pages while something holds",
      steps: "a: { get: '/pages?total=25', paginate: { link: true, while: '${response.json.page < 2}' } }",
      outcome: .passed, labels: ["page 1", "page 2"]),
    Case(
      name: "every page is judged",
      steps: "a: { get: '/pages?total=25', paginate: { link: true }, expect: { json: { $.page: { lt: 2 } } } }", outcome: .failed,
      labels: ["page 1", "page 2"], message: "is 2, expected less than 2"),
    Case(
      name: "a page elsewhere is not asked for",
      steps: "a: { get: '/get', paginate: { next: \"http://127.0.0.1:1${response.json.nothing ?? ''}/x\" } }", outcome: .failed,
      labels: [""],
      message: "the next page is at another origin, http://127.0.0.1:1, where the credentials of this step are not sent"),
    Case(name: "a delay is only a wait", steps: "a: { get: /get, delay: 1ms }", outcome: .passed, labels: [""]),
  ]

  @Test(
    "retry, poll, delay and paginate send the expected requests and give the expected outcome", .timeLimit(.minutes(15)), arguments: cases)
  func sentAgain(_ test: Case) async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(prelude + "  " + test.steps, sandbox)
      let result = try run.result("a")
      #expect(result.outcome == test.outcome, "\(result.failures.map(\.message)) \(result.reason ?? "")")
      #expect(result.exchanges.map { $0.label ?? "" } == test.labels)
      if let message = test.message {
        let said = result.failures.map(\.message) + [result.reason ?? ""]
        #expect(said.contains { $0.contains(message) }, Comment(rawValue: "\(said)"))
      }
    }
  }

  @Test func `the reason of a skipped step shows the values in its condition`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + """
            a: { get: '/anything/${item}', for_each: [1, 2], when: "${item == 1 && 'x' != run.id}" }
            b: { get: /get, when: false }
          """, sandbox)
      let reasons = run.results.compactMap(\.reason)
      #expect(reasons.contains { $0.hasPrefix("`when` is false: `item == 1 && 'x' != run.id`, item is 2, run.id is ") }, "\(reasons)")
      #expect(reasons.contains("`when` is false"))
    }
  }

  @Test func `response.attempts is the number of attempts, including the first one`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + """
            a: { get: '/flaky/a?fails=2', retry: { limit: 3, delay: 1ms }, expect: { that: '${response.attempts == 3}' } }
            b: { get: '/anything/${a.attempts}', expect: { json: { $.target: { ends_with: /anything/3 } } } }
          """, sandbox)
      #expect(run.outcomes == ["a passed", "b passed"], "\(run.results.flatMap(\.failures))")
      #expect(run.summary.requestCount == 4)
    }
  }

  @Test(arguments: [
    ("fails=0", "limit: 1", true), ("fails=9&status=404", "limit: 1", false), ("fails=9", "limit: 1", false),
    ("fails=0", "limit: 1, on: [transport, status]", false),
  ])
  func `the help for a failed body expectation suggests a retry only if the response has the expected status`(
    query: String, retry: String, isAdvised: Bool
  ) async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + "  a: { get: '/flaky/a?\(query)', retry: { delay: 1ms, \(retry) }, expect: { json: { $.attempt: 7 } } }\n", sandbox)
      let failures = try run.result("a").failures
      #expect(failures.contains { $0.subject == "json $.attempt" }, "\(failures)")
      for failure in failures {
        let hasAdvice = failure.help?.contains("add `on: [transport, status, expect]`") ?? false
        #expect(hasAdvice == (isAdvised && failure.subject == "json $.attempt"), "\(failure)")
      }
    }
  }

  @Test func `if a step with the key 'paginate' extracts a list, the extracted value contains the items of all pages`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + """
            a: { get: '/pages?total=25', paginate: { link: true }, extract: { all: $.items, page: $.page } }
            b: { post: /anything, json: { count: "${a.all | length}", last: "${a.all[24]}", page: "${a.page}" } }
          """, sandbox)
      #expect(run.outcomes == ["a passed", "b passed"])
      let body = try #require(run.result("b").exchanges.first?.requestBody)
      #expect(String(decoding: body.bytes, as: UTF8.self) == #"{"count":25,"last":25,"page":3}"#)
    }
  }

  @Test func `a retry sends the same uuid() as the first attempt`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + """
            a: { get: '/flaky/a?fails=2', headers: { Idempotency-Key: '${uuid()}' }, retry: { limit: 3, delay: 1ms } }
          """, sandbox)
      let keys = try run.result("a").exchanges.map { exchange in
        exchange.hops[0].requestFields.first { $0.name == "Idempotency-Key" }?.value
      }
      #expect(keys.count == 3 && Set(keys).count == 1 && keys[0] != nil)
    }
  }

  @Test func `the key 'retry' of a step is merged with the key 'retry' of the document's defaults`() async throws {
    try await withSandbox { sandbox in
      let text = """
        garland: 1
        defaults: { base_url: "${env.SANDBOX}", retry: { limit: 1, delay: 1ms, statuses: [418] } }
        steps:
          a: { get: '/flaky/a?fails=1&status=418' }
          b: { get: '/flaky/b?fails=3&status=418', retry: 3 }
          c: { get: '/flaky/c?fails=1&status=418', retry: null }
          d: { get: '/flaky/d?fails=1&status=418', retry: 0 }
        """
      let run = try await TestRun.carryOut(text, sandbox)
      #expect(run.outcomes == ["a passed", "b passed", "c failed", "d failed"])
    }
  }

  @Test("a step that pauses between attempts holds no slot", .timeLimit(.minutes(15)))
  func pausesHoldNoSlot() async throws {
    try await withSandbox { sandbox in
      // With only one slot, the job for which the step polls would never be created.
      let run = try await TestRun.carryOut(
        prelude + """
            waits: { get: '/counter/x', poll: { until: '${response.json.count > 3}', every: 1ms }, tags: [first] }
            one: { get: /counter/x }
            two: { get: /counter/x, delay: 1ms }
          """, sandbox, configure: { $0.pace.concurrency = 1 })
      #expect(run.outcomes == ["waits passed", "one passed", "two passed"])
    }
  }

  @Test("a poll that waits for its next request is cancelled by an interrupt", .timeLimit(.minutes(15)))
  func interruptedWait() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + """
            a: { get: /get, poll: { until: '${response.status == 500}', every: 1h, within: 2h } }
            b: { get: /get, after: a }
          """, sandbox,
        react: { run, event in if case .stepWaits = event { run.interrupt(signal: "SIGINT") } })
      #expect(run.outcomes == ["a not run", "b not run"])
      #expect(try run.result("a").exchanges.count == 1)
    }
  }
}
