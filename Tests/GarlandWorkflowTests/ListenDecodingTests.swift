import Testing
import TestSupport

@testable import GarlandWorkflow

@Suite struct ListenDecodingTests {
  static let mistakes: [(name: String, lines: String)] = [
    ("listen without a value", "listen:"), ("listen without a path", "listen: {within: 5s}"),
    ("a mistyped key of listen", "listen: {path: /x, witin: 5s}"),
    ("a listen path without a slash", "listen: hook"), ("a URL in place of a listen path", "listen: http://127.0.0.1:8000/hook"),
    ("a listen path with a query", "listen: /hook?a=1"),
    ("within beside listen", "listen: /hook\nwithin: 5s"), ("a number as the time limit of listen", "listen: {path: /hook, within: 5}"),
    ("listen beside a request", "get: /x\nlisten: /hook"), ("listen beside reach", "reach: db:5432\nlisten: /hook"),
    ("listen with keys of a request", "listen: /hook\njson: {a: 1}\nheaders: {A: b}\ntimeout: 5s\nretry: 2\nexclusive: true"),
    ("listen with poll", "listen: /hook\npoll: {until: '${response.json.done}'}"),
    ("listen with expectations of a response", "listen: /hook\nexpect: {status: 200, redirects: 0, json: {$.a: 1}}"),
    ("a response with expectations of a request", "get: /x\nexpect: {method: POST, query: {a: 1}}"),
    ("an extract of a query parameter from a response", "get: /x\nextract: {code: {query: code}}"),
    ("an extract with a reserved name", "listen: /hook\nextract: {query: $.a}"),
    ("the status of a received request", "listen: /hook\nextract: {a: '${response.status}'}"),
    ("a condition that uses the URL of its own step", "listen: /hook\nwhen: ${it.url == 'x'}"),
    ("the value of another step in a listen path", "listen: '/${query.status}'"),
    ("a loop item in a listen path", "for_each: [1, 2]\nlisten: '/${item}'"),
    ("an undefined member of a received request", "listen: /hook\nexpect: {that: '${response.body == 1}'}"),
  ]

  @Test func `diagnostics for invalid listen keys match the golden file`() {
    expectGolden(MistakesTests.render(Self.mistakes), "listen.txt")
  }

  @Test func `a listening step ignores the defaults for requests`() throws {
    let workflow = try DecodingTests.workflow(
      """
      garland: 1
      vars: { name: paid }
      resources: { db: 1 }
      defaults: { base_url: 'http://h', headers: { A: b }, expect: { status: 200 }, retry: 3, json: { a: 1 }, uses: db, exclusive: true, max_body: 1KB }
      steps:
        hook: { listen: { path: '/hooks/${vars.name}', within: 5s }, expect: { method: POST }, extract: { id: $.id } }
        call: { post: '/x', json: { url: '${hook.url}' } }
        use: { get: '/${hook.id}/${hook.query.code}/${hook.headers.X}' }
      """)
    let hook = try #require(workflow.step("hook"))
    #expect(hook.listen?.within?.constant == .seconds(5) && hook.request?.baseURL == nil)
    #expect(hook.request?.headers.isEmpty == true && hook.request?.body == nil)
    // The defaults for responses, retries and resources do not apply to a listening step.
    #expect(hook.expectations.count == 1 && hook.flow.uses.isEmpty && !hook.flow.exclusive && hook.flow.repetition.retry == nil)
    #expect(hook.request?.transport.maxBody != nil)
    let call = try #require(workflow.step("call"))
    #expect(call.references.map(\.member) == [.address])
    #expect(try #require(workflow.step("use")).references.map(\.member) == [.extract(0), .response(.query), .response(.headers)])
    // Another step that uses only the URL does not need any part of the request.
    #expect(hook.neededByOthers == [.extracts, .facts, .headers])
  }
}
