import GarlandWorkflow
import Testing

@testable import GarlandRunner

struct GraphQLErrorTests {
  private static let failed = #"{"data": null, "errors": [{"message": "no field `x`"}, {"message": "b"}]}"#

  private func messages(_ step: String, _ response: FakeResponse) throws -> [String] {
    try CheckRun.messages(step, response, request: "post: /graphql")
  }

  @Test(arguments: [
    "", "expect: { status: 200 }", "expect: { json: { $.data: null } }", "extract: { data: $.data }", "extract: { all: $..data }",
  ])
  func `a GraphQL step whose response contains errors fails, whether or not the step has expectations`(_ rest: String) throws {
    let found = try messages("graphql: '{ x }'\n\(rest)", FakeResponse(Self.failed))
    #expect(found == ["graphql: has 2 errors: \"no field `x`\" and others"])
  }

  @Test func `with allow_errors, errors in a GraphQL response do not fail the step by themselves`() throws {
    let step = "graphql: { query: '{ x }', allow_errors: true }\nexpect: { json: { '$.errors[1].message': b } }"
    #expect(try messages(step, FakeResponse(Self.failed)) == [])
  }

  @Test(arguments: [#"{"data": 1}"#, #"{"data": 1, "errors": null}"#, #"{"data": 1, "errors": []}"#, #"[{"errors": 1}]"#])
  func `a GraphQL response without errors passes`(_ body: String) throws {
    #expect(try messages("graphql: '{ x }'", FakeResponse(body)) == [])
  }

  @Test(arguments: [#"{"errors": "no"}"#, #"{"errors": {"a": 1}}"#, #"{"errors": [1]}"#, #"{"errors": [{}]}"#, #"{"errors": true}"#])
  func `a GraphQL step fails if its response has a member 'errors' of any type`(_ body: String) throws {
    #expect(try messages("graphql: { query: '{ x }' }", FakeResponse(body)).count == 1)
  }

  @Test func `a GraphQL response that is not JSON fails the step, unless the step expects the error status of this response`() throws {
    let page = FakeResponse("<p>", type: "text/html")
    #expect(
      try messages("graphql: '{ x }'", page) == ["graphql: the body is not JSON: expected a value, found '<' at line 1, column 1"])
    #expect(try messages("graphql: '{ x }'\nexpect: { status: 502 }", FakeResponse("<p>", status: 502, type: "text/html")) == [])
  }

  @Test func `if a request has the key 'json' instead of 'graphql', a member 'errors' in the response is not a failure`() throws {
    #expect(try messages("json: { query: '{ x }' }", FakeResponse(Self.failed)) == [])
  }
}
