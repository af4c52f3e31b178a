import GarlandJSON
import GarlandResults
import GarlandSandbox
import GarlandWorkflow
import Testing

@testable import GarlandRunner

/// Tests of bodies from which other steps use only some values. Only these values are kept, and the steps get the same results.
@Suite("The kept parts of a body") struct ExcerptTests {
  @Test func `a JSON body built from the values at some paths has null in place of each omitted list item`() throws {
    let paths: [[JSONPathElement]] = [[.name("a"), .name("b")], [.name("list"), .index(2), .name("x")], [.name("a"), .name("c")]]
    var value = JSONValue.null
    for (number, path) in paths.enumerated() { value = value.setting(JSONValue(number), at: path[...]) }
    #expect(value.jsonText() == #"{"a":{"b":0,"c":2},"list":[null,null,{"x":1}]}"#)
  }

  @Test
  func
    `if only the parts of a JSON body that expressions use are kept, the expressions have the same values and errors as for the whole body`()
    async throws
  {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + """
            made: { post: /anything, json: { id: 7, items: [{n: 1}, {n: 2}, {n: 3}], name: Dune, 'odd key': {deep: true} } }
            known:
              post: /anything
              json: { id: "${made.json.json.id}", n: "${made.json.json.items[1].n}", deep: "${made.json.json['odd key'].deep}" }
              expect: { json: { $.json: { eq: { id: 7, n: 2, deep: true } } } }
            other: { post: /anything, json: { id: 8 } }
            optional:
              get: "/anything/${other.json.json.id}/${other.json.json.nothing ?? 'else'}"
              expect: { json: { $.path: /anything/8/else } }
            wrong: { get: "/anything/${other.json.json.nam}" }
            another: { post: /anything, json: { list: [1, 2] } }
            whole: { get: "/anything/${another.json.json.list | length}/${another.json.json.list[1]}", expect: { json: { $.path: /anything/2/2 } } }
          """, sandbox)
      #expect(
        run.outcomes == [
          "made passed", "known passed", "other passed", "optional passed", "wrong failed", "another passed", "whole passed",
        ], "\(run.results.flatMap(\.failures).map(\.message))")
      let failure = try #require(run.result("wrong").failures.first)
      #expect(failure.message == "`other.json.json` has no member `nam`")
      // The message names the subject, `nam`, so that it needs no prefix.
      #expect(failure.subject == "nam" && failure.sentence == failure.message)
      // The failure for a missing value lists existing members of the whole body.
      #expect(failure.help == "available: `id`", "\(failure.help ?? "")")
    }
  }
}
