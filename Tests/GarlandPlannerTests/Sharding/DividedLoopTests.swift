import GarlandWorkflow
import Testing

@testable import GarlandPlanner

/// Loops whose items several shards divide among them.
@Suite struct DividedLoopTests {
  /// The items of each shard of a loop, as `first-end`, or the shard that runs all of it.
  private static func items(_ plan: Plan, _ id: String, _ count: Int, weights: [Double]? = nil) throws -> [String] {
    let step = try plan.index(id)
    let partition = plan.partition(into: count, weights: weights)
    return partition.shards.enumerated().filter { $1.steps.contains(step) }.map { number, shard in
      shard.items[step].map { "\($0.range.lowerBound)-\($0.range.upperBound)" } ?? "all in \(number + 1)"
    }
  }

  /// A document with the step `loop` that has these keys, and with more steps.
  private static func plan(_ keys: String, _ more: String = "") throws -> Plan {
    let text = """
      garland: 1
      vars: { n: 90, list: [1, 2, 3] }
      resources: { db: 1 }
      defaults: { base_url: "http://h" }
      steps:
        loop: { get: /, extract: { id: $.id }, \(keys) }
      \(more.isEmpty ? "" : "  " + more)
      """
    return try Sample(files: [("test.yaml", text)], isWrittenOut: true).plan()
  }

  @Test(
    arguments: [
      ("for_each: [1, 2, 3, 4, 5, 6]", ["0-2", "2-4", "4-6"]), ("for_each: '${90 | range}'", ["0-30", "30-60", "60-90"]),
      ("for_each: '${vars.n | range}'", ["0-30", "30-60", "60-90"]), ("for_each: '${10 | range(vars.n)}'", ["0-27", "27-54", "54-80"]),
      ("for_each: '${vars.list}'", ["0-1", "1-2", "2-3"]), ("for_each: '${vars.list | sort}'", ["0-1", "1-2", "2-3"]),
      ("matrix: { a: '${vars.list}', b: [x, y] }", ["0-2", "2-4", "4-6"]),
    ])
  func `a loop is divided among the shards if its number of items is known before the run`(keys: String, expected: [String]) throws {
    let plan = try Self.plan(keys)
    #expect(try Self.items(plan, "loop", 3).sorted() == expected.sorted())
    #expect(plan.partition(into: 3).sharedCount == 0 && plan.partition(into: 3).dividedLoops == [0])
  }

  static let whole = [
    ("a number of items from the environment", "for_each: '${env.N | number | range}'", ""),
    ("a list that a filter makes shorter", "for_each: '${vars.list | unique}'", ""),
    ("a list from another step", "for_each: '${a.json.list}'", "a: { get: / }"),
    ("a limit", "for_each: '${90 | range}', limit: 30", ""), ("a resource", "for_each: '${90 | range}', uses: db", ""),
    ("a reader of all items", "for_each: '${90 | range}'", "all: { post: /, json: '${loop.id}' }"),
    ("a step after it", "for_each: '${90 | range}'", "later: { get: /, after: loop }"),
    ("a cleanup", "for_each: '${90 | range}'", "remove: { delete: /, cleanup: loop }"),
  ]

  @Test(arguments: whole) func `a loop stays in one shard if it has a limit, a resource, a dependent step or an unknown number of items`(
    reason: String, keys: String, more: String
  )
    throws
  {
    let plan = try Self.plan(keys, more)
    var weights = Array(repeating: 1.0, count: plan.steps.count)
    weights[0] = 90
    #expect(try Self.items(plan, "loop", 3, weights: weights).count == 1, "\(reason)")
  }

  @Test func `a loop stays in one shard if the document's steps run in file order, or if the loop is a cleanup`() throws {
    let ordered = try Sample.plan("order: file\nsteps:\n  loop: {get: /, for_each: ${90 | range}}\n  b: {get: /}\n")
    #expect(try Self.items(ordered, "loop", 3).count == 1)
    let cleanup = try Sample.plan("steps:\n  a: {post: /}\n  loop: {delete: /, for_each: ${90 | range}, cleanup: a}\n")
    #expect(try Self.items(cleanup, "loop", 3).count == 1)
  }

  @Test func `a step that a divided loop needs, such as a login, runs in every shard`() throws {
    let plan = try Sample.plan("steps:\n  login: {post: /}\n  loop: {get: /${login.t}, for_each: ${100 | range}}\n")
    let partition = plan.partition(into: 4)
    #expect(partition.shards.map(\.steps) == [[0, 1], [0, 1], [0, 1], [0, 1]])
    #expect(partition.sharedCount == 1 && partition.dividedLoops == [1] && partition.balance < 1.1)
  }

  @Test func `if a plan has one long loop and many short loops, only the long loop is divided among shards`() throws {
    var text = "steps:\n"
    for loop in 0..<12 { text += "  s\(loop): {get: /, for_each: ${5 | range}}\n" }
    text += "  long: {get: /, for_each: ${1000 | range}}\n"
    let plan = try Sample.plan(text)
    for count in [2, 3, 7, 16] {
      let partition = plan.partition(into: count)
      #expect(partition.dividedLoops == [12] && partition.balance < 1.05, "\(count): \(partition.balance)")
      let ranges = partition.shards.compactMap { $0.items[12]?.range }
      #expect(ranges.first?.lowerBound == 0 && ranges.last?.upperBound == 1_000)
      #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
    }
  }

  @Test func `if the option dividesLoops is off, loops are not divided among shards`() throws {
    let plan = try Self.plan("for_each: '${90 | range}'")
    #expect(plan.partition(into: 3, dividesLoops: false).dividedLoops == [])
  }

  @Test func `with more shards than items, each shard has at most one item`() throws {
    let partition = try Self.plan("for_each: [1, 2, 3]").partition(into: 5)
    #expect(partition.shards.map { $0.items[0]?.range.count ?? 0 }.sorted() == [0, 0, 1, 1, 1])
  }

  @Test func `1,000 shards divide a loop of 10,000 items evenly`() throws {
    let partition = try Self.plan("for_each: '${10000 | range}'").partition(into: 1_000)
    #expect(partition.shards.allSatisfy { $0.items[0]?.range.count == 10 })
  }
}
