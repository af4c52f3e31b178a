import GarlandDiagnostics
import Testing

@testable import GarlandPlanner

struct DependencyTests {
  @Test func `a step depends only on steps whose values it uses and on steps that it lists under the key 'after'`() throws {
    let plan = try Sample.plan(
      """
      steps:
        third:
          get: /${first.id}/${first.id}
          headers: ${second.etag ?? 1}
        first: {post: /a}
        second: {get: /b, after: first}
        alone: {get: /c}
      """)
    #expect(plan.ids == ["third", "first", "second", "alone"])
    #expect(plan.pairs == ["first>third", "second>third", "first>second"])
    #expect(plan.serialOrder.map { plan.ids[$0] } == ["first", "second", "third", "alone"])
    let edge = try #require(plan.graph.edge(from: 1, to: 0))
    #expect(plan.facts(of: edge) == .requiredValue)
    #expect(plan.reasons(of: edge).count == 2)
    #expect(plan.waits(of: 0).map(\.isOptional) == [false, true])
    #expect(plan.waits(of: 0)[0].reasons.map(\.text) == ["it uses `first.json` in `get`", "it uses `first.json` in `get`"])
    #expect(plan.waits(of: 0)[0].reasons.map { $0.range?.start.column } == [14, 31])
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let keys: String
    /// Whether the step may run after `a` passed, was skipped, or ended in any other way.
    let permits: [Bool]
    var testDescription: String { keys }
  }

  /// `b` depends on `a` in one of several ways; the section "Dependencies and outcomes" of language.md defines when `b` may run.
  @Test(arguments: [
    Case(keys: "get: /${a.id}", permits: [true, false, false]),
    Case(keys: "get: /${a.id ?? 1}", permits: [true, true, false]),
    Case(keys: "get: /${a.id ?? 1}${a.etag}", permits: [true, false, false]),
    Case(keys: "get: /, after: a", permits: [true, true, false]),
    Case(keys: "get: /, after: {a: ended}", permits: [true, true, true]),
    Case(keys: "get: /${a.id}, after: a", permits: [true, false, false]),
    Case(keys: "get: /${a.id}, after: {a: ended}", permits: [true, false, false]),
    Case(keys: "get: /${a.id ?? 1}, after: a", permits: [true, true, false]),
    Case(keys: "get: /${a.id ?? 1}, after: {a: ended}", permits: [true, true, true]),
    Case(keys: "get: /${a.id}, always: true", permits: [true, true, true]),
    Case(keys: "get: /, after: a, always: true", permits: [true, true, true]),
    Case(keys: "get: /${a.id}, cleanup: a", permits: [true, true, true]),
  ]) func `the outcome of a step decides whether a dependent step may run`(_ test: Case) throws {
    let plan = try Sample.plan("steps:\n  a: {post: /a}\n  b: {\(test.keys)}\n")
    let edge = try #require(plan.graph.edge(from: 0, to: 1))
    #expect(Plan.Ending.allCases.map { plan.permits(edge, after: $0) } == test.permits)
    #expect(plan.needsPassed(edge) == !test.permits[2])
  }

  @Test func `if steps run in file order, a failed step does not block a later step that uses none of its values`() throws {
    let plan = try Sample.plan("order: file\nsteps:\n  a: {post: /a}\n  b: {get: /b}\n  c: {get: /${a.id}}\n")
    #expect(plan.pairs == ["a>b", "a>c", "b>c"])
    let edge = try #require(plan.graph.edge(from: 0, to: 1))
    #expect(plan.facts(of: edge) == .fileOrder)
    #expect(plan.permits(edge, after: .notPassed))
    let value = try #require(plan.graph.edge(from: 0, to: 2))
    #expect(!plan.permits(value, after: .notPassed))
  }

  @Test func `if the steps of a document run in file order, no step waits for a cleanup step above it in the file`() throws {
    let plan = try Sample.plan(
      "order: file\nsteps:\n  a: {post: /a}\n  remove: {delete: /${a.id}, cleanup: a}\n  b: {get: /${a.id}}\n  c: {get: /c}\n")
    #expect(plan.pairs == ["a>remove", "b>remove", "a>b", "b>c"])
  }

  @Test func `a document that is named twice on the command line is planned only once`() throws {
    let first = "steps:\n  a: {get: /a}\n  b: {get: /${a.id}}\n"
    let sample = try Sample(files: [("x/one.yaml", first), ("two.yaml", first), ("one.yaml", first)])
    // The sample's documents all have the folder /project: `x/one.yaml` and `one.yaml` are the same file, named from two folders.
    let plan = try sample.plan()
    #expect(plan.workflows.count == 2)
    #expect(plan.ids == ["a", "b", "a", "b"])
    #expect(plan.steps.map(\.workflowIndex) == [0, 0, 1, 1])
    #expect(plan.pairs.count == 2)
    #expect(plan.graph.edge(from: 0, to: 1) != nil && plan.graph.edge(from: 2, to: 3) != nil)
    #expect(plan.step(1, of: 1)?.index == 3)
  }

  @Test func `a step that sends a file depends on the step that downloads the file`() throws {
    let plan = try Sample.plan(
      """
      steps:
        up:
          put: /u
          body: {file: out/../out/a.bin}
        down:
          get: /d
          download: {to: ./out/a.bin}
        both:
          post: /x
          body: {file: out/b.bin}
          download: {to: out/b.bin}
      """)
    #expect(plan.pairs == ["down>up"])
    let edge = try #require(plan.graph.edge(from: 1, to: 0))
    #expect(plan.facts(of: edge) == .file)
    #expect(plan.permits(edge, after: .skipped) && !plan.permits(edge, after: .notPassed))
    #expect(plan.waits(of: 0)[0].reasons[0].text == "it uses the file `out/../out/a.bin`, which `down` downloads")
  }

  @Test func `the priorities, the critical path and the statistics of a plan use the given durations of the steps`() throws {
    let plan = try Sample.plan("steps:\n  a: {get: /}\n  b: {get: /${a.x}}\n  c: {get: /${b.x}}\n  d: {get: /${a.x}}\n  e: {get: /}\n")
    #expect(plan.priorities() == [3, 2, 1, 1, 1])
    #expect(plan.priorities(weights: [1, 2, 4, 20, 3]) == [21, 6, 4, 20, 3])
    #expect(plan.criticalPath().map { plan.ids[$0] } == ["a", "b", "c"])
    #expect(plan.criticalPath(weights: [1, 2, 4, 20, 3]).map { plan.ids[$0] } == ["a", "d"])
    let statistics = plan.statistics()
    #expect([statistics.steps, statistics.edges, statistics.depth, statistics.width, statistics.roots] == [5, 3, 3, 2, 2])
    #expect(statistics.work == 5 && statistics.span == 3)
    #expect(plan.statistics(weights: [1, 2, 4, 20, 3]).idealSpeedUp == 30.0 / 21)
  }

  @Test func `a plan without documents can be drawn in every format`() throws {
    let plan = try #require(Planner(workingDirectory: "/").plan([]).plan)
    #expect(plan.steps.isEmpty && plan.serialOrder.isEmpty && plan.criticalPath().isEmpty)
    #expect(plan.statistics().idealSpeedUp == 1)
    for format in DrawingFormat.allCases { #expect(!plan.drawing(format).isEmpty) }
  }
}
