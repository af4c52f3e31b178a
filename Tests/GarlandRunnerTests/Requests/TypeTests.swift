import GarlandSandbox
import TestSupport
import Testing

@testable import GarlandRunner

/// Tests of types: a whole `${…}` keeps the type of its value, and a number keeps its digits, from a response to any key that takes a
/// value.
@Suite(.timeLimit(.minutes(15))) struct TypeTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    /// The keys of the step after its URL, each on a separate line.
    var step: String
    /// The parts that the request must contain: its target, a header field as `name: value`, or its body.
    var sent: [String]
    var testDescription: String { name }
  }

  /// The response of the first step.
  static let values = #"""
    { "big": 12345678901234567890.10, "int": 7, "fraction": 1.50, "exponent": 1e3, "minus": -0.0, "yes": true, "nothing": null,
      "list": [1, "1", 2.0, false, null], "map": { "b": 1.0, "a": [true] }, "digits": "007", "word": "true", "numbers": [3, 2.50] }
    """#

  static let cases: [Case] = [
    Case(
      name: "JSON, quoted or not",
      step: """
        json:
          big: ${from.big}
          exponent: "${from.json.json.exponent}"
          minus: '${from.json.json.minus}'
          yes: ${from.json.json.yes}
          nothing: ${from.json.json.nothing}
          digits: ${from.json.json.digits}
          list: ${from.json.json.list}
          map: ${from.json.json.map}
          deep: [{ fraction: "${from.json.json.fraction}" }]
        """,
      sent: [
        #"{"big":12345678901234567890.10,"exponent":1e3,"minus":-0.0,"yes":true,"nothing":null,"digits":"007","list":[1,"1",2.0,false,null],"#
          + #""map":{"b":1.0,"a":[true]},"deep":[{"fraction":1.50}]}"#
      ]),
    Case(name: "JSON that is one value", step: "json: ${from.json.json.map}", sent: [#"{"b":1.0,"a":[true]}"#]),
    Case(name: "text on request", step: "json: { v: '${from.json.json.fraction | string}' }", sent: [#"{"v":"1.50"}"#]),
    Case(name: "within a text", step: "json: { v: 'n=${from.big}!' }", sent: [#"{"v":"n=12345678901234567890.10!"}"#]),
    Case(
      name: "a variable", step: "json: { v: '${vars.price}', w: '${vars.again}', x: '${vars.code}' }",
      sent: [#"{"v":9.90,"w":9.90,"x":"012"}"#]),
    Case(
      name: "a query",
      step: """
        query:
          v: ${from.json.json.fraction}
          yes: ${from.json.json.yes}
          n: ${from.json.json.numbers}
        """,
      sent: ["?v=1.50&yes=true&n=3&n=2.50"]),
    Case(
      name: "params", step: "params: { v: '${from.json.json.numbers}', yes: '${from.json.json.yes}' }",
      sent: ["v%5B%5D=3&v%5B%5D=2.50&yes=1"]),
    Case(name: "params as JSON", step: "params: { v: '${from.big}' }\nencoding: json", sent: [#"{"v":12345678901234567890.10}"#]),
    Case(
      name: "a form", step: "form: { v: '${from.json.json.exponent}', yes: '${from.json.json.yes}', n: '${from.json.json.numbers}' }",
      sent: ["v=1e3&yes=true&n=3&n=2.50"]),
    Case(
      name: "multipart", step: "multipart: { v: '${from.json.json.fraction}', j: { json: '${from.json.json.map}' } }",
      sent: ["part v of 4", "part j of 20"]),
    Case(
      name: "headers",
      step: "headers: { X-V: '${from.json.json.exponent}', X-Yes: '${from.json.json.yes}', X-D: '${from.json.json.digits}' }",
      sent: ["X-V: 1e3", "X-Yes: true", "X-D: 007"]),
    Case(name: "cookies", step: "cookies: { v: '${from.json.json.fraction}' }", sent: ["Cookie: v=1.50"]),
    Case(name: "a body of text", step: "body: ${from.big}", sent: ["12345678901234567890.10"]),
    Case(
      name: "GraphQL",
      step: "graphql: { query: 'query { a }', variables: { v: '${from.json.json.fraction}', m: '${from.json.json.map}' } }",
      sent: [#""variables":{"v":1.50,"m":{"b":1.0,"a":[true]}}"#]),
    Case(
      name: "items of a loop", step: "for_each: ${from.json.json.list}\njson: { item: '${item}', index: '${index}' }",
      sent: [
        #"{"item":1,"index":0}"#, #"{"item":"1","index":1}"#, #"{"item":2.0,"index":2}"#, #"{"item":false,"index":3}"#,
        #"{"item":null,"index":4}"#,
      ]),
    Case(
      name: "a matrix", step: "matrix: { n: '${from.json.json.numbers}' }\njson: { n: '${item.n}' }",
      sent: [#"{"n":3}"#, #"{"n":2.50}"#]),
    Case(name: "a condition", step: "when: ${from.json.json.yes}\njson: { v: 1 }", sent: [#"{"v":1}"#]),
    Case(name: "a condition that is text", step: "when: ${from.json.json.word}\njson: { v: 1 }", sent: [#"{"v":1}"#]),
    Case(name: "a setting", step: "retry: ${from.json.json.int}\njson: { v: 1 }", sent: [#"{"v":1}"#]),
  ]

  @Test(arguments: cases) func `in every part of a request, a value from an expression keeps its type, and a number keeps its digits`(
    test: Case
  )
    async throws
  {
    try await withSandbox { sandbox in
      let document = """
        garland: 1
        vars: { price: 9.90, again: "${vars.price}", code: 012 }
        defaults: { base_url: "${env.SANDBOX}" }
        steps:
          from:
            post: /anything
            headers: { Content-Type: application/json, X-Used: "${vars.again}${vars.code}" }
            body: '\(Self.values.split(separator: "\n").joined(separator: " "))'
            extract: { big: $.json.big }
          it:
            post: /anything/it

        """ + test.step.split(separator: "\n").map { "    \($0)\n" }.joined()
      let run = try await TestRun.carryOut(document, sandbox)
      #expect(run.outcomes.allSatisfy { $0.hasSuffix(" passed") }, "\(run.outcomes)")
      let records = sandbox.records.filter { $0.target.hasPrefix("/anything/it") }
      for sent in test.sent {
        let isThere = records.contains { record in
          record.target.contains(sent) || record.body.text?.contains(sent) == true
            || record.body.parts.contains { "part \($0.name ?? "") of \($0.size)" == sent }
            || record.headers.contains { "\($0.name): \($0.value)".lowercased() == sent.lowercased() }
        }
        #expect(isThere, "\(sent) is not in \(records.map { "\($0.target) \($0.body.text ?? "")" })")
      }
    }
  }

  @Test func `inputs and outputs of a called document keep their types and digits`() async throws {
    try await withSandbox { sandbox in
      let folder = try TemporaryFolder()
      try folder.write(
        "called.yaml",
        """
        garland: 1
        inputs: { n: { type: number }, any: null }
        defaults: { base_url: "${env.SANDBOX}" }
        steps:
          a:
            post: /anything/called
            json: { n: "${inputs.n}", any: "${inputs.any}" }
            extract: { n: $.json.n, any: $.json.any }
        outputs: { n: "${a.n}", any: "${a.any}" }

        """)
      let run = try await TestRun.carryOut(
        """
        garland: 1
        defaults: { base_url: "${env.SANDBOX}" }
        steps:
          from: { post: /anything, json: { n: 100000000000000000000.0, any: [1.50, "1"] } }
          called: { call: called.yaml, with: { n: "${from.json.json.n}", any: "${from.json.json.any}" } }
          it: { post: /anything/it, json: { n: "${called.n}", any: "${called.any}" } }

        """, sandbox, folder: folder)
      #expect(run.outcomes.filter { !$0.hasSuffix(" passed") } == [])
      let bodies = sandbox.records.filter { $0.target != "/anything" }.map(\.body.text)
      let sent = #"{"n":100000000000000000000.0,"any":[1.50,"1"]}"#
      #expect(bodies == [sent, sent])
    }
  }
}
