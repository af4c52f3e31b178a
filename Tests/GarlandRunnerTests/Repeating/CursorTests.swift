import GarlandJSON
import GarlandSandbox
import TestSupport
import Testing

@testable import GarlandRunner

@Suite("paginate.next as a mapping") struct CursorTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var step: String
    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case(
      name: "a cursor in the query replaces the one before",
      step: #"post: "/pages?total=5&size=2", paginate: { next: { query: { cursor: "${response.json.cursor}" } } }"#),
    Case(
      name: "a cursor in a header replaces the one before",
      step: #"post: "/pages?total=5&size=2", paginate: { next: { headers: { X-Cursor: "${response.json.cursor}" } } }"#),
    Case(
      name: "a cursor in a form replaces the one before",
      step: #"post: "/pages?total=5&size=2", form: { a: "1" }, paginate: { next: { form: { cursor: "${response.json.cursor}" } } }"#),
    Case(
      name: "a cursor in the variables of GraphQL replaces the one before",
      step: ##"""
        post: "/pages?total=5&size=2", graphql: { query: "{ a }", variables: { first: 2 } },
                paginate: { next: { json: { variables: { cursor: "${response.json.cursor}" } } } }
        """##),
  ]

  @Test(arguments: cases)
  func `with cursor pagination, each request sends the cursor from the previous page`(_ test: Case) async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + """
            a: { \(test.step), extract: { items: { json: "$.items[*]", all: true } } }
            check: { post: /anything, json: "${a.items}", expect: { json: { $.json: [1, 2, 3, 4, 5] } } }
          """, sandbox)
      #expect(run.outcomes == ["a passed", "check passed"], "\(run.results.flatMap(\.failures).map(\.message))")
      #expect(sandbox.records.count == 4)
    }
  }

  @Test func `the request for the next page keeps query parameters and JSON members that 'paginate' does not change`() async throws {
    try await withSandbox { sandbox in
      _ = try await TestRun.carryOut(
        prelude + """
            a:
              post: /pages?total=3&size=2&cursor=after-0&q=a+b
              json: { filter: { kept: 1.50, gone: 2 } }
              paginate: { next: { query: { cursor: "${response.json.cursor}" }, json: { filter: { gone: null, page: "${response.json.cursor}" } } } }
          """, sandbox)
      let last = try #require(sandbox.records.last)
      #expect(last.target == "/pages?total=3&size=2&q=a+b&cursor=after-2")
      #expect(last.body.text == #"{"filter":{"kept":1.50,"page":"after-2"}}"#)
    }
  }

  @Test func `if pagination in the defaults changes the JSON body, a request without a JSON body fails`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        """
        garland: 1
        defaults: { base_url: "${env.SANDBOX}", paginate: { next: { json: { cursor: "${response.json.cursor}" } } } }
        steps:
          a: { post: /pages, body: no }
        """, sandbox)
      #expect(try run.result("a").failures.map(\.message) == ["`next.json` changes the JSON body of the request, but the request has none"])
    }
  }

  @Test(arguments: [
    ("/a?b=1&c=2#f", "b=3", "/a?c=2&b=3#f"), ("/a", "b=3", "/a?b=3"), ("/a?", "b=3", "/a?b=3"), ("/a?b=1&b=2", "b=3&b=4", "/a?b=3&b=4"),
    ("/a?x%20y=1", "x+y=2", "/a?x+y=2"), ("/a?bb=1&&", "b=2", "/a?bb=1&b=2"),
  ])
  func `with pagination, the query parameters for the next page replace parameters with the same names`(
    url: String, parameters: String, expected: String
  ) {
    #expect(PageChanges.replacing(parameters, inQueryOf: url) == expected)
  }
}
