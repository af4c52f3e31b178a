import Testing
import TestSupport

@testable import GarlandWorkflow

@Suite struct ReachDecodingTests {
  static let mistakes: [(name: String, lines: String)] = [
    ("reach beside a request", "get: /x\nreach: db:5432"),
    (
      "reach with keys of a request", "reach: db:5432\njson: {a: 1}\nheaders: {A: b}\ntimeout: 5s\nexpect: {status: 200}\nextract: {a: $.a}"
    ),
    ("reach without a port", "reach: db"), ("reach with an invalid port", "reach: db:0"), ("reach without a value", "reach:"),
    ("within without reach", "get: /x\nwithin: 5s"), ("a number as the time limit of reach", "reach: db:5432\nwithin: 5"),
    ("wait_for_connectivity with yes", "get: /x\nwait_for_connectivity: yes"),
  ]

  static let documents: [(name: String, line: String)] = [
    ("a mistyped key", "reachability: {prefligth: true}"), ("a Boolean in place of a mapping", "reachability: true"),
    ("a time without a unit", "reachability: {preflight: true, wait: 60}"), ("wait without preflight", "reachability: {wait: 60s}"),
    ("an expression in place of a Boolean", "reachability: {preflight: '${vars.user}'}"),
  ]

  static func document(_ line: String) -> String { "garland: 1\n\(line)\nsteps: {a: {get: 'http://h'}}\n" }

  @Test func `diagnostics for invalid keys of a 'reach' step or under 'reachability' match the golden file`() {
    var result = MistakesTests.render(Self.mistakes)
    for (name, line) in Self.documents {
      let (workflow, diagnostics) = Decode.document(Self.document(line))
      #expect(workflow == nil, "\(name)")
      result += "### reachability: \(name)\n\n\(MistakesTests.render(diagnostics))\n\n"
    }
    expectGolden(result, "reach.txt")
  }

  @Test func `a step with 'reach' ignores the default header fields, body and expectations of requests`() throws {
    let workflow = try DecodingTests.workflow(
      """
      garland: 1
      reachability: { preflight: true, wait: 1m }
      vars: { db: 'db:5432' }
      defaults: { base_url: 'http://${vars.db}/v1', headers: { A: b }, expect: { status: 200 }, wait_for_connectivity: true, json: { a: 1 } }
      steps:
        plain: { reach: 'db:${start.status}', within: 5s, tls: { verify: false } }
        relative: { reach: /health }
        variable: { reach: '${vars.db}', after: plain }
        url: { reach: 'https://example.com/' }
        start: { get: /, wait_for_connectivity: false }
      """)
    #expect(workflow.reachability == ReachabilitySettings(preflight: true, wait: .seconds(60)))
    let plain = try #require(workflow.step("plain"))
    #expect(plain.reach?.within?.constant == .seconds(5))
    #expect(plain.request?.url.source == "db:${start.status}" && plain.request?.baseURL == nil)
    #expect(plain.references.map(\.target) == [try #require(workflow.step("start")).ordinal])
    // Settings for requests have no effect on a `reach` step.
    #expect(plain.request?.headers.isEmpty == true && plain.request?.body == nil && plain.expectations.isEmpty)
    #expect(workflow.step("relative")?.request?.baseURL != nil)
    #expect(workflow.step("url")?.reach != nil && workflow.step("start")?.reach == nil)
    #expect(workflow.step("url")?.request?.transport.waitForConnectivity?.constant == true)
    #expect(workflow.step("start")?.request?.transport.waitForConnectivity?.constant == false)
  }
}
