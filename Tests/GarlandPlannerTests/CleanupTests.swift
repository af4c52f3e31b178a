import GarlandText
import Testing

@testable import GarlandPlanner

struct CleanupTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let steps: String
    let pairs: [String]
    var testDescription: String { name }
  }

  @Test(arguments: [
    Case(name: "nothing else uses it", steps: "a: {post: /}\nx: {delete: /${a.id}, cleanup: a}", pairs: ["a>x"]),
    Case(
      name: "only the last users count", steps: "a: {post: /}\nb: {put: /${a.id}}\nc: {get: /${b.id}}\nx: {delete: /${a.id}, cleanup: a}",
      pairs: ["a>b", "b>c", "a>x", "c>x"]),
    Case(
      name: "a user that uses something else too",
      steps: "o: {get: /}\na: {post: /}\nb: {put: /${a.id}/${o.id}}\nx: {delete: /, cleanup: a}",
      pairs: ["o>b", "a>b", "a>x", "b>x"]),
    Case(
      name: "two cleanups of one step",
      steps: "a: {post: /}\nb: {get: /${a.id}}\nx: {delete: /${a.id}, cleanup: a}\ny: {delete: /, cleanup: a}",
      pairs: ["a>b", "a>x", "b>x", "a>y", "b>y"]),
    Case(
      name: "one cleanup after another", steps: "a: {post: /}\nx: {delete: /${a.id}, cleanup: a}\ny: {delete: /, cleanup: a, after: x}",
      pairs: ["a>x", "a>y", "x>y"]),
    Case(
      name: "what looks whether it is gone comes later",
      steps: "a: {post: /}\nb: {get: /${a.id}}\nx: {delete: /${a.id}, cleanup: a}\ngone: {get: /${a.id}, after: x}",
      pairs: ["a>b", "a>x", "b>x", "a>gone", "x>gone"]),
    Case(
      name: "inner things first",
      steps: "a: {post: /}\nb: {post: /${a.id}}\nxa: {delete: /${a.id}, cleanup: a}\nxb: {delete: /${b.id}, cleanup: b}",
      pairs: ["a>b", "a>xa", "xb>xa", "b>xb"]),
    Case(
      name: "the user's own login ends after the user is deleted with it",
      steps: "user: {post: /}\nlogin: {post: /${user.id}}\nuse: {get: /${login.t}}\nout: {delete: /${login.t}, cleanup: login}\n"
        + "x: {delete: /${user.id}/${login.t}, cleanup: user}",
      pairs: ["user>login", "login>use", "login>out", "use>out", "x>out", "user>x", "login>x", "use>x"]),
    Case(
      name: "everything logs in, also the cleanups",
      steps: "login: {post: /}\na: {post: /${login.t}}\nb: {get: /${login.t}/${a.id}}\nx: {delete: /${a.id}/${login.t}, cleanup: a}\n"
        + "out: {delete: /${login.t}, cleanup: login}",
      pairs: ["login>a", "login>b", "a>b", "login>x", "a>x", "b>x", "login>out", "b>out", "x>out"]),
    Case(
      name: "what only comes after it is a user too", steps: "a: {post: /}\nb: {get: /, after: a}\nx: {delete: /, cleanup: a}",
      pairs: ["a>b", "a>x", "b>x"]),
  ]) func `the cleanup of a step runs after all steps that use this step and do not depend on the cleanup`(_ test: Case)
    throws
  {
    let text = "steps:\n" + test.steps.split(separator: "\n").map { "  \($0)\n" }.joined()
    #expect(try Sample.plan(text).pairs == test.pairs)
    #expect(try joined(text).pairs.isSuperset(of: test.pairs.filter { !$0.isEmpty }))
  }

  /// Plans the same document with joins wherever possible: every edge must remain, at least as an
  /// order.
  private func joined(_ text: String) throws -> (plan: Plan, pairs: Set<String>) {
    let complete = try Sample(files: [("test.yaml", text)]).plan()
    let plan = try #require(PlanBuilder(origin: complete.origin, cleanupLimits: .init(users: 0)).build(nil).plan)
    var pairs: Set<String> = []
    for first in plan.ids {
      for second in plan.ids where try plan.isBefore(first, second) { pairs.insert("\(first)>\(second)") }
    }
    return (plan, pairs)
  }

  @Test func `if many cleanups wait for the same steps, the plan connects them through one shared node`() throws {
    var text = "steps:\n"
    for index in 0..<50 { text += "  a\(index): {post: /\(index)}\n" }
    text += "  hub: {get: /" + (0..<50).map { "${a\($0).id}" }.joined() + "}\n"
    for index in 0..<200 { text += "  u\(index): {get: /${hub.id}}\n" }
    for index in 0..<50 { text += "  x\(index): {delete: /${a\(index).id}, cleanup: a\(index)}\n" }
    let plan = try Sample.plan(text)
    #expect(plan.graph.edgeCount < 600)
    #expect(plan.joinCount > 0)
    for cleanup in [0, 27, 49] {
      let before = try plan.graph.closure(of: [plan.index("x\(cleanup)")], .backward)
      #expect(before.elements.filter { !plan.isJoin($0) }.count == 50 + 1 + 200 + 1)
      #expect(try plan.waits(of: plan.index("x\(cleanup)")).count == 201)
    }
    #expect(plan.order.count == plan.graph.nodeCount)
    #expect(plan.serialOrder.count == plan.steps.count)
  }

  /// Compares random documents with cleanups, planned with small searches and with joins, to the
  /// definition.
  @Test(arguments: Array(UInt64(1)...150)) func `in random documents, the cleanup of a step waits for all steps that use this step`(
    seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    let count = Int.random(in: 3...14, using: &generator)
    var uses: [[Int]] = []
    var cleans: [Int?] = []
    var text = "steps:\n"
    for step in 0..<count {
      var used: Set<Int> = []
      for _ in 0..<Int.random(in: 0...2, using: &generator) where step > 0 { used.insert(Int.random(in: 0..<step, using: &generator)) }
      let cleaned = step > 0 && Int.random(in: 0..<3, using: &generator) == 0 ? Int.random(in: 0..<step, using: &generator) : nil
      uses.append(used.sorted())
      cleans.append(cleaned)
      text += "  s\(step): {get: /" + used.sorted().map { "${s\($0).id}" }.joined() + (cleaned.map { ", cleanup: s\($0)" } ?? "") + "}\n"
    }
    let naive = NaiveGraph(count, (0..<count).flatMap { step in (uses[step] + (cleans[step].map { [$0] } ?? [])).map { ($0, step) } })
    let reach = naive.reach
    // The steps that each cleanup must wait for, by the definition in CleanupWaits.
    var expected = naive.edges
    for cleanup in 0..<count {
      guard let made = cleans[cleanup] else { continue }
      let own = (0..<count).filter { cleans[$0] == made }
      // The steps that can be reached from the cleaned-up step, except those reached only through its cleanups.
      var reached: Set<Int> = []
      var pending = [made]
      while let node = pending.popLast() {
        for (source, target) in naive.edges where source == node && !own.contains(target) && reached.insert(target).inserted {
          pending.append(target)
        }
      }
      var excluded = own
      for inner in reached where own.contains(where: { reach[inner][$0] }) {
        excluded += (0..<count).filter { cleans[$0] == inner && !own.contains($0) }
      }
      let kept = reached.filter { user in !excluded.contains { $0 == user || reach[$0][user] } }
      for user in kept { expected.append((user, cleanup)) }
    }
    let wanted = NaiveGraph(count, expected).reach
    let isCyclic = (0..<count).contains { wanted[$0][$0] }
    let result = try Sample(files: [("test.yaml", text)]).result()
    #expect((result.plan == nil) == isCyclic, "\(text)")
    guard let complete = result.plan else { return }
    for (users, leftOut) in [(0, 0), (0, 2), (0, 256), (2, 1), (2, 256), (64, 256)] {
      let limits = CleanupWaits.Limits(users: users, leftOut: leftOut)
      let plan = try #require(PlanBuilder(origin: complete.origin, cleanupLimits: limits).build(nil).plan, "\(text)")
      for first in 0..<count {
        let forward = plan.graph.closure(of: [first], .forward)
        for second in 0..<count where first != second {
          #expect(forward.contains(second) == wanted[first][second], "s\(first) before s\(second), \(limits)\n\(text)")
        }
      }
    }
  }

  /// A chain of created objects, each with a cleanup that needs a value of the previous object.
  ///
  /// All users of each object lead to its cleanup, and each cleanup waits for all cleanups before it. Neither edges nor work may grow with
  /// the square of the chain's length.
  @Test func `in the plan of a long chain of steps with cleanups, the number of edges grows linearly with the chain's length`() throws {
    let count = 1_200
    var text = "steps:\n"
    for index in 0..<count { text += "  a\(index): {post: /\(index)\(index == 0 ? "" : "/${a\(index - 1).id}")}\n" }
    for index in 0..<count { text += "  x\(index): {delete: /${a\(count - 1).id}, cleanup: a\(index)}\n" }
    let plan = try Sample.plan(text)
    #expect(plan.graph.edgeCount < 8 * count)
    for (first, second) in [("a1199", "x0"), ("x0", "x1"), ("x0", "x1199"), ("x700", "x701"), ("x17", "x900")] {
      #expect(try plan.isBefore(first, second), "\(first) before \(second)")
    }
    #expect(try !plan.isBefore("x1", "x0"))
    let waits = try plan.waits(of: plan.index("x1199"))
    #expect(waits.count >= count)
  }

  /// A search for 64 cleanups at once on random graphs must give the results of 64 searches, in a
  /// few passes.
  @Test(arguments: UInt64(1)...60)
  func `one search for many cleanups gives the same result as a separate search for each cleanup`(
    seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    let count = Int.random(in: 10...300, using: &generator)
    var list = EdgeList(nodeCount: count)
    var cleanups: [Int: [Int]] = [:]
    for step in 1..<count {
      for _ in 0..<Int.random(in: 0...2, using: &generator) { list.append(from: Int.random(in: 0..<step, using: &generator), to: step) }
      guard Int.random(in: 0..<3, using: &generator) == 0 else { continue }
      let made = Int.random(in: 0..<step, using: &generator)
      cleanups[made, default: []].append(step)
      list.append(from: made, to: step)
    }
    let graph = Graph(list)
    let order = try #require(graph.topologicalOrder())
    var search = CleanupSearch(graph: graph, order: order, cleanups: cleanups)
    var sweep = CleanupSweep(graph: graph, order: order, positions: search.positions, cleanups: cleanups)
    let made = cleanups.keys.sorted()
    var start = 0
    var batches = 0
    while start < made.count {
      let batch = Array(made[start..<min(start + Int.random(in: 1...CleanupSweep.width, using: &generator), made.count)])
      let together = sweep.lastUsers(of: batch)
      for (step, found) in zip(batch, together) {
        let alone = search.lastUsers(of: step, limit: .max)
        #expect(found == alone, "\(step)")
      }
      start += batch.count
      batches += 1
    }
    #expect(sweep.work <= 3 * graph.edgeCount * batches)
  }

  @Test func `if no two cleanups wait for the same steps, the graph of the plan contains only nodes that are steps`() throws {
    // After each cleanup, a step checks that the object no longer exists; then the next object is created.
    var text = "steps:\n"
    for index in 0..<300 {
      text += "  a\(index): {post: /\(index)\(index == 0 ? "" : ", after: gone\(index - 1)")}\n  u\(index): {get: /${a\(index).id}}\n"
      text += "  x\(index): {delete: /${a\(index).id}, cleanup: a\(index)}\n  gone\(index): {get: /${a\(index).id}, after: x\(index)}\n"
    }
    let plan = try Sample.plan(text)
    #expect(plan.joinCount == 0)
    #expect(plan.graph.edgeCount == 300 * 5 + 299)
    #expect(plan.statistics().depth == 1200)
  }
}
