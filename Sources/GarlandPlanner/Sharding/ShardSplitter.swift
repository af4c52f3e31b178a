/// Cuts a plan into units. One shard runs a whole unit.
struct ShardSplitter {
  /// Steps that stay together, with the shared steps that they need.
  struct Unit {
    var members: [Int] = []
    var weight = 0.0
    /// Whether the unit is a part of a component that was cut.
    var isPiece = false
    /// The number of the unit's list of needs in ``ShardSplitter/Units/needs``.
    var needs = 0
  }

  struct Units {
    var list: [Unit] = []
    /// The lists of shared steps. Each list also contains all steps that its steps need.
    var needs: [[Int]] = [[]]
  }

  let plan: Plan
  let weights: [Double]
  /// For each step, the steps that must run in the same shard, as far as they follow directly from the plan.
  private let needs: [[Int]]
  /// For each step, the numbers of its groups, which must not be divided: its document, if the document keeps
  /// the order of its steps, and the resources that the step uses.
  private let groups: [[Int]]
  private let groupCount: Int
  /// For each step, whether it uses resources. If two machines ran such a step, more of a resource would be in use than intended.
  private let usesResources: [Bool]
  /// All steps in the order in which they are considered, which follows the names of their documents.
  private let order: [Int]

  /// The number of steps in one component that are tried as shared steps before the other components get their turn.
  private static let tries = 8
  private static let rounds = 64

  init(_ plan: Plan, _ weights: [Double]) {
    self.plan = plan
    self.weights = weights
    let listeners = plan.listeners()
    needs = plan.steps.indices.map { plan.directNeeds(of: $0, listeners) }
    var numbers: [String: Int] = [:]
    var groups: [[Int]] = []
    var usesResources: [Bool] = []
    for planned in plan.steps {
      let resources = plan.resourceNames(of: planned)
      var own = planned.workflow.order == .file ? [planned.workflowIndex] : []
      for name in resources.sorted() {
        let number = numbers[name] ?? plan.workflows.count + numbers.count
        numbers[name] = number
        own.append(number)
      }
      groups.append(own)
      usesResources.append(!resources.isEmpty)
    }
    self.groups = groups
    self.usesResources = usesResources
    groupCount = plan.workflows.count + numbers.count
    let names = plan.workflows.map(\.file.name)
    let ranks = names.indices.sorted { (names[$0], $0) < (names[$1], $1) }
    var places = [Int](repeating: 0, count: names.count)
    for (place, workflow) in ranks.enumerated() { places[workflow] = place }
    order = plan.steps.indices.sorted { first, second in
      let (one, other) = (places[plan.steps[first].workflowIndex], places[plan.steps[second].workflowIndex])
      return (one, first) < (other, second)
    }
  }

  /// Returns the components of the plan as units.
  func units() -> Units { withNeeds(components(without: NodeSet(capacity: plan.graph.nodeCount)), NodeSet(capacity: plan.graph.nodeCount)) }

  /// Returns the components of the plan, some of which are cut at the steps that most other steps need.
  ///
  /// The function cuts until no part is heavier than the limit, or until no cut is worth it.
  ///
  /// - Parameters:
  ///   - cut: the steps of the components to cut.
  ///   - limit: the weight of the heaviest part.
  func units(cutting cut: NodeSet, lighterThan limit: Double) -> Units {
    var shared = NodeSet(capacity: plan.graph.nodeCount)
    var rejected = NodeSet(capacity: plan.graph.nodeCount)
    var parts = components(without: shared)
    for _ in 0..<Self.rounds {
      let heavy = parts.filter { $0.weight > limit && $0.members.count > 1 && cut.contains($0.members[0]) }
      guard !heavy.isEmpty else { break }
      let dependents = dependentCounts(without: shared)
      var isCut = false
      for part in heavy {
        guard let steps = self.cut(of: part, dependents, &rejected) else { continue }
        for step in steps { shared.insert(step) }
        isCut = true
      }
      guard isCut else { break }
      parts = components(without: shared)
    }
    for index in parts.indices { parts[index].isPiece = cut.contains(parts[index].members[0]) }
    return withNeeds(parts, shared)
  }

  /// Returns the step that most other steps of a component need, together with all steps that it needs itself,
  /// or nil if it is not worth sharing any step.
  private func cut(of part: Unit, _ dependents: [Int], _ rejected: inout NodeSet) -> [Int]? {
    for _ in 0..<Self.tries {
      var best: Int?
      for step in part.members where dependents[step] > 1 && !rejected.contains(step) {
        if best.map({ dependents[step] > dependents[$0] }) ?? true { best = step }
      }
      guard let best else { return nil }
      let closure = closure(of: [best])
      // Else each shard would run more than half of it again.
      if closure.reduce(0, { $0 + weights[$1] }) <= part.weight / 2, !closure.contains(where: { usesResources[$0] }) { return closure }
      rejected.insert(best)
    }
    return nil
  }

  /// Returns, for each step, the number of steps that directly need it.
  private func dependentCounts(without shared: NodeSet) -> [Int] {
    var counts = [Int](repeating: 0, count: needs.count)
    for step in needs.indices where !shared.contains(step) {
      for need in needs[step] where !shared.contains(need) { counts[need] += 1 }
    }
    return counts
  }

  private func closure(of steps: [Int]) -> [Int] {
    var found = NodeSet(capacity: plan.graph.nodeCount)
    var pending: [Int] = []
    for step in steps where found.insert(step) { pending.append(step) }
    while let step = pending.popLast() {
      for need in needs[step] where found.insert(need) { pending.append(need) }
    }
    return found.elements
  }

  /// Returns the groups of steps that are connected by needs or belong to one group. Shared steps connect nothing.
  private func components(without shared: NodeSet) -> [Unit] {
    // Behind the steps, a node for each group.
    var sets = DisjointSets(count: plan.steps.count + groupCount)
    for step in plan.steps.indices where !shared.contains(step) {
      for need in needs[step] where !shared.contains(need) { sets.join(step, need) }
      for group in groups[step] { sets.join(step, plan.steps.count + group) }
    }
    var places: [Int: Int] = [:]
    var units: [Unit] = []
    for step in order where !shared.contains(step) {
      let root = sets.find(step)
      let place = places[root] ?? units.count
      if place == units.count {
        places[root] = place
        units.append(Unit())
      }
      units[place].members.append(step)
      units[place].weight += weights[step]
    }
    return units
  }

  private func withNeeds(_ parts: [Unit], _ shared: NodeSet) -> Units {
    var units = Units(list: parts)
    var known: [[Int]: Int] = [[]: 0]
    var needed = NodeSet(capacity: plan.graph.nodeCount)
    for index in parts.indices {
      let direct = Set(parts[index].members.flatMap { needs[$0].filter(shared.contains) }).sorted()
      if let number = known[direct] {
        units.list[index].needs = number
        continue
      }
      let all = closure(of: direct)
      for step in all { needed.insert(step) }
      known[direct] = units.needs.count
      units.list[index].needs = units.needs.count
      units.needs.append(all)
    }
    // A shared step that is left over, because all that need it are shared themselves, still has to run.
    for step in order where shared.contains(step) && !needed.contains(step) {
      let all = closure(of: [step])
      for need in all { needed.insert(need) }
      units.list.append(Unit(members: [], weight: 0, isPiece: true, needs: units.needs.count))
      units.needs.append(all)
    }
    return units
  }
}

extension Plan {
  /// Returns the names of the resources that a step uses, including those of the document that the step calls.
  fileprivate func resourceNames(of planned: PlannedStep) -> Set<String> {
    var names = Set(planned.step.flow.uses.map { planned.workflow.resources[$0.resource].name.value })
    if let called = planned.step.call.flatMap({ plan(called: $0.workflow) }) {
      for step in called.steps { names.formUnion(called.resourceNames(of: step)) }
    }
    return names
  }
}
