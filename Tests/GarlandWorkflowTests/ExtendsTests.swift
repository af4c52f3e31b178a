import GarlandDiagnostics
import GarlandJSON
import Testing

@testable import GarlandWorkflow

@Suite struct ExtendsTests {
  private func workflow(_ text: String) throws -> Workflow {
    let (workflow, diagnostics) = Decode.document(text)
    return try #require(workflow, "\(diagnostics.all.map(\.message))")
  }

  @Test func `a step inherits from an extended step by the same rules as from the document's defaults`() throws {
    let workflow = try workflow(
      """
      garland: 1
      defaults:
        base_url: http://h
        headers: { X-Default: d }
        steps:
          api: { headers: { Accept: application/json, X-A: a }, timeout: 5s, retry: { limit: 3, delay: 1s }, expect: { status: 200 }, tags: [api] }
      steps:
        list: { extends: api, get: /list, extract: { first: "$[0]" }, query: { a: 1, b: 2 } }
        search: { extends: list, query: { b: 3 }, headers: { accept: null, X-B: b }, expect: { type: application/json }, retry: 1 }
        create: { extends: list, post: /list, json: { a: 1 }, expect: { status: 201 } }
        replace: { extends: create, form: { a: 1 } }
        use: { get: "/${search.first}/${list.first}" }
      """)
    func names(_ id: String) throws -> [String] {
      try #require(workflow.step(id)).sent.headers.map { "\($0.name.value)\($0.values.isEmpty ? "-" : "")" }
    }
    #expect(try names("list") == ["X-Default", "Accept", "X-A"])
    #expect(try names("search") == ["X-Default", "X-A", "accept-", "X-B"])
    let search = try #require(workflow.step("search"))
    #expect(search.sent.method.value == "GET" && search.sent.url.constant == "/list")
    #expect(search.sent.query?.value.constant?.jsonText() == #"{"a":1,"b":3}"#)
    #expect(search.expectations.count == 2 && search.tags == ["api"] && search.extractions.count == 1)
    #expect(search.flow.repetition.retry?.limit?.constant == 1)
    let create = try #require(workflow.step("create"))
    #expect(create.sent.method.value == "POST")
    guard case .status(let patterns) = create.expectations[0].check else { throw Unexpected() }
    #expect(patterns.first?.constant?.matches(201) == true && create.expectations.count == 1)
    guard case .form = try #require(workflow.step("replace")).sent.body?.kind else { throw Unexpected() }
  }

  private struct Unexpected: Error {}

  @Test(arguments: [
    "reach: http://h:5432", "listen: { path: /hook }", "listen: /hook", "call: other.yaml", "post: /x", "method: PUT, url: /x",
  ])
  func `a step with its own action, such as 'reach', does not inherit the action of the step that it extends`(_ action: String) {
    let bases = [
      "get: /a, headers: { A: b }, json: 1, expect: { status: 200 }, extract: { x: $.x }, timeout: 1s, retry: 2, bearer: t, tags: [x]",
      "reach: 'http://h:80', within: 1s",
      "listen: { path: /other }, max_body: 1KiB, expect: { method: POST }, extract: { x: { query: code } }",
      "method: PURGE, url: /a, download: file, poll: { until: { status: 200 } }, after: []",
      "call: third.yaml, with: { x: 1 }, delay: 1s",
    ]
    for base in bases {
      let (_, diagnostics) = Decode.document(
        "garland: 1\ndefaults: { base_url: http://h, steps: { base: { \(base) } } }\nsteps: { a: { extends: base, \(action) } }")
      let found = diagnostics.all.filter { $0.severity == .error && $0.code != .missingFile }.map(\.message)
      #expect(found == [], "\(base)")
    }
  }

  @Test func `a step that extends another and sets only 'url' or only 'method' inherits the other key`() throws {
    let workflow = try workflow(
      """
      garland: 1
      defaults: { base_url: http://h, steps: { base: { method: PURGE, url: /a } } }
      steps: { a: { extends: base, url: /b }, b: { extends: base, method: LIST } }
      """)
    let requests = workflow.steps.compactMap(\.request)
    #expect(requests.map(\.url.source) == ["/b", "/a"] && requests.map(\.method.value) == ["PURGE", "LIST"])
  }

  @Test func `a reach step inherits the connection settings, but not the request, of the step that it extends`() throws {
    let workflow = try workflow(
      """
      garland: 1
      defaults: { steps: { base: { get: http://h/a, headers: { A: b }, expect: { status: 200 }, deadline: 5s, tags: [x] } } }
      steps: { a: { extends: base, reach: "http://h:5432" } }
      """)
    let step = try #require(workflow.step("a"))
    #expect(step.reach != nil && step.request?.headers.isEmpty == true && step.expectations.isEmpty && step.tags == ["x"])
    #expect(step.request?.transport.deadline?.constant == .seconds(5))
  }

  @Test func `in an inherited expectation, the name 'response' means the response of the inheriting step`() throws {
    let workflow = try workflow(
      """
      garland: 1
      steps:
        a: { get: "http://h/x", expect: { that: "${response.status == 200}" } }
        b: { extends: a }
        c: { extends: b, when: "${a.status == 200}" }
      """)
    #expect(workflow.step("b")?.references.isEmpty == true)
    #expect(workflow.step("c")?.references.map(\.target) == [0])
  }

  @Test func `if several steps inherit an extract, one use of the extract prevents the unused-extract warning for all of these steps`()
    throws
  {
    let (_, diagnostics) = Decode.document(
      """
      garland: 1
      defaults: { steps: { base: { get: "http://h/x", extract: { a: $.a, b: $.b } } } }
      steps:
        one: { extends: base }
        two: { extends: base }
        three: { get: "http://h/${one.a}" }
      """)
    #expect(diagnostics.all.map(\.message) == ["the extract `one.b` is not used", "the extract `two.b` is not used"])
  }

  @Test(
    arguments: [
      ("a: { extends: a, get: 'http://h' }", ["`a` extends itself"]),
      (
        "a: { extends: b }\n  b: { extends: c }\n  c: { extends: a, get: 'http://h' }", ["these steps extend each other in a circle"]
      ),
      ("a: { extends: b, get: 'http://h' }\n  bb: { get: 'http://h' }", ["there is no step `b` to extend"]),
      ("a: { get: 'http://h', jsn: 1 }\n  b: { extends: a }\n  c: { extends: a }", ["unknown key `jsn`"]),
      ("a: { extends: [b], get: 'http://h' }", ["expected the name of a step, found a list"]),
    ] as [(String, [String])])
  func `each mistake in the use of 'extends', such as a step that extends itself, gives exactly one error message`(
    _ steps: String, _ messages: [String]
  ) {
    let (workflow, diagnostics) = Decode.document("garland: 1\nsteps:\n  " + steps)
    #expect(workflow == nil)
    #expect(diagnostics.all.filter { $0.severity == .error }.map(\.message).filter { !$0.contains("does nothing") } == messages)
  }

  /// Each extended step uses a part of the stack: 100,000 steps ended the process with SIGSEGV.
  @Test(arguments: [65, 1_000, 5_000], [true, false])
  func `a chain of more than 64 steps, each of which extends the next, is refused`(_ count: Int, _ isReversed: Bool) throws {
    let links = (0..<count).map { "  s\($0): { extends: s\($0 + 1) }\n" } + ["  s\(count): { get: http://h/ }\n"]
    let (workflow, diagnostics) = Decode.document("garland: 1\nsteps:\n" + (isReversed ? links.reversed() : links).joined())
    #expect(workflow == nil)
    let error = try #require(diagnostics.all.first { $0.code == .nestedTooDeep })
    #expect(error.message == "steps extend each other more than 64 deep")
    #expect(error.range != nil)
  }

  @Test func `in a chain of 64 steps, each of which extends the previous step, the last inherits from the first`() throws {
    let links = (0..<64).map { "  s\($0): { extends: s\($0 + 1) }\n" }.joined()
    let workflow = try workflow("garland: 1\nsteps:\n\(links)  s64: { get: http://h/ }\n")
    #expect(workflow.step("s0")?.sent.url.constant == "http://h/")
  }
}
