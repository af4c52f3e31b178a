import GarlandText
import GarlandWorkflow
import TestSupport
import Testing

@testable import GarlandPlanner

struct PartitionTests {
  /// Returns random documents with references, `after`, cleanups, and sometimes `order: file`.
  private static func documents(_ seed: UInt64) -> [(name: String, text: String)] {
    var generator = SeededGenerator(seed: seed)
    return (0..<Int.random(in: 1...4, using: &generator)).map { document in
      let keepsOrder = Int.random(in: 0..<4, using: &generator) == 0
      var text = keepsOrder ? "order: file\nsteps:\n" : "steps:\n"
      // The steps to which others may refer. A cleanup refers only to its own step, and no step refers to a cleanup, so that no step waits
      // for itself.
      var named: [Int] = []
      for step in 0..<Int.random(in: 1...25, using: &generator) {
        if let other = named.randomElement(using: &generator), !keepsOrder, Int.random(in: 0..<6, using: &generator) == 0 {
          text += "  s\(step): {get: /, cleanup: s\(other)}\n"
          continue
        }
        var line = "  s\(step): {get: /"
        if let other = named.randomElement(using: &generator), Bool.random(using: &generator) { line += "${s\(other).id}" }
        // A few steps are needed by many others.
        if let first = named.prefix(2).randomElement(using: &generator), Int.random(in: 0..<3, using: &generator) == 0 {
          line += "${s\(first).id}"
        }
        if let other = named.randomElement(using: &generator), Int.random(in: 0..<8, using: &generator) == 0 {
          line += ", after: s\(other)"
        }
        // No step refers to a loop, whose values are lists.
        let items = Int.random(in: 0..<6, using: &generator) == 0 ? Int.random(in: 1...40, using: &generator) : nil
        if items == nil { named.append(step) }
        text += line + (items.map { ", for_each: ${\($0) | range}" } ?? "") + "}\n"
      }
      return ("d\(document).yaml", text)
    }
  }

  private static func weights(_ plan: Plan, _ seed: UInt64) -> [Double] {
    // The weights depend only on the step's name, and not on its index.
    plan.steps.map { planned in
      var generator = SeededGenerator(
        seed: seed &+ UInt64(planned.step.ordinal * 31 + planned.workflow.file.name.utf8.reduce(0) { $0 + Int($1) }))
      return Double.random(in: 0.001...2, using: &generator)
    }
  }

  /// Returns the names of the steps of each shard.
  private static func names(_ partition: Partition, of plan: Plan) -> [Set<String>] {
    partition.shards.map { shard in Set(shard.steps.map { "\(plan.steps[$0].workflow.file.name)#\(plan.steps[$0].step.id)" }) }
  }

  static let seeds = Array(1...UInt64(DeepTests.rounds(120, otherwise: 40)))

  @Test(arguments: seeds) func `every step is in a shard that also contains all steps that it depends on`(seed: UInt64) throws {
    let plan = try Sample(files: Self.documents(seed)).plan()
    for count in [1, 2, 3, 7] {
      for weights in [nil, Self.weights(plan, seed)] {
        let partition = plan.partition(into: count, weights: weights)
        #expect(partition.shards.count == count)
        #expect(Set(partition.shards.flatMap(\.steps)) == Set(plan.steps.indices))
        for (number, shard) in partition.shards.enumerated() {
          #expect(plan.selecting(shard.steps).steps.map(\.number) == shard.steps.map { plan.steps[$0].number })
          for step in shard.steps { #expect(partition.owners[step] <= number) }
        }
        #expect(partition.owners.indices.allSatisfy { partition.shards[partition.owners[$0]].steps.contains($0) })
        for loop in partition.dividedLoops {
          let shares = partition.shards.compactMap { $0.items[loop] }
          #expect(shares.flatMap(\.range) == Array(0..<(plan.steps[loop].step.flow.loop?.itemCount ?? 0)))
          #expect(shares.count == partition.shards.count { $0.steps.contains(loop) })
        }
      }
    }
  }

  @Test(arguments: seeds) func `the partition into shards does not depend on the order of the documents`(seed: UInt64) throws {
    let files = Self.documents(seed)
    let plan = try Sample(files: files).plan()
    let turned = try Sample(files: files.reversed()).plan()
    for count in [2, 5] {
      let names = Self.names(plan.partition(into: count, weights: Self.weights(plan, seed)), of: plan)
      #expect(names == Self.names(plan.partition(into: count, weights: Self.weights(plan, seed)), of: plan))
      #expect(names == Self.names(turned.partition(into: count, weights: Self.weights(turned, seed)), of: turned))
    }
  }

  @Test(arguments: seeds) func `if the steps of a document run in file order, one shard contains all steps of the document`(seed: UInt64)
    throws
  {
    let plan = try Sample(files: Self.documents(seed)).plan()
    let partition = plan.partition(into: 3)
    for (index, workflow) in plan.workflows.enumerated() where workflow.order == .file {
      let steps = plan.steps.filter { $0.workflowIndex == index }.map(\.index)
      #expect(partition.shards.contains { Set(steps).isSubset(of: $0.steps) })
    }
  }

  private static func loginAndUsers(_ count: Int) throws -> Plan {
    try Sample.plan("steps:\n  login: {post: /}\n" + (0..<count).map { "  u\($0): {get: /${login.t}}\n" }.joined())
  }

  @Test func `a login runs in every shard that needs it, but only the first of these shards counts its result`() throws {
    let plan = try Self.loginAndUsers(100)
    let partition = plan.partition(into: 4)
    #expect(partition.shards.map(\.steps.count) == [26, 26, 26, 26])
    #expect(partition.shards.allSatisfy { $0.steps.first == 0 })
    #expect(partition.sharedCount == 1 && partition.owners[0] == 0)
  }

  @Test func `a login that takes longer than all other steps together runs in only one shard`() throws {
    let plan = try Self.loginAndUsers(10)
    let partition = plan.partition(into: 4, weights: [100] + Array(repeating: 1, count: 10))
    #expect(partition.sharedCount == 0)
    #expect(partition.shards.map(\.steps.count).sorted() == [0, 0, 0, 11])
  }

  @Test func `a group of dependent steps is not split between shards if there are many more groups than shards`() throws {
    var text = "steps:\n"
    for group in 0..<40 {
      text += "  c\(group): {post: /}\n  r\(group): {get: /${c\(group).id}}\n  p\(group): {put: /${c\(group).id}}\n"
      text += "  x\(group): {delete: /${c\(group).id}, cleanup: c\(group)}\n"
    }
    let partition = try Sample.plan(text).partition(into: 5)
    #expect(partition.shards.map(\.steps.count) == [32, 32, 32, 32, 32])
    #expect(partition.sharedCount == 0)
  }

  @Test(arguments: [2, 4, 8, 16]) func `steps of different durations are divided into shards of about equal duration`(count: Int) throws {
    let plan = try Self.loginAndUsers(1_999)
    var generator = SeededGenerator(seed: 7)
    // Most steps take 20 ms, and some up to a second.
    let weights = plan.steps.map { _ in
      Int.random(in: 0..<50, using: &generator) == 0
        ? Double.random(in: 0.1...1, using: &generator) : Double.random(in: 0.01...0.03, using: &generator)
    }
    #expect(plan.partition(into: count, weights: weights).balance < 1.05)
  }

  @Test func `with more shards than steps, some shards are empty`() throws {
    let partition = try Sample.plan("steps:\n  a: {get: /}\n  b: {get: /}\n").partition(into: 4)
    #expect(partition.shards.map(\.steps) == [[0], [1], [], []])
    #expect(partition.balance == 2)
  }

  @Test func `all steps that use the same entry of 'resources' are in the same shard`() throws {
    var text = "resources: {db: 1}\nsteps:\n  login: {post: /, uses: db}\n"
    for index in 0..<30 { text += "  u\(index): {get: /${login.t}\(index < 3 ? ", uses: db" : "")}\n" }
    for index in 0..<30 { text += "  a\(index): {get: /\(index < 3 ? ", uses: db" : "")}\n" }
    let plan = try Sample.plan(text)
    let partition = plan.partition(into: 3)
    #expect(partition.sharedCount == 0)
    let shards = Self.names(partition, of: plan)
    let users = Set(["login", "u0", "u1", "u2", "a0", "a1", "a2"].map { "test.yaml#\($0)" })
    #expect(shards.count { !$0.isDisjoint(with: users) } == 1)
  }

  @Test func `a step that uses the callback URL of a listening step is in the same shard as the listening step`() throws {
    let plan = try Sample.plan(
      "steps:\n  hook: {listen: /hook}\n  call: {post: \"/x?url=${hook.url}\"}\n  a: {get: /}\n  b: {get: /}\n  c: {get: /}\n")
    let shards = Self.names(plan.partition(into: 2), of: plan)
    #expect(shards.contains { $0.contains("test.yaml#hook") && $0.contains("test.yaml#call") })
  }
}
