/// Cuts a plan into units, so that the work can be divided evenly among shards. All pieces of a unit run in the same shard. A piece is a
/// step, or a group of items of a loop.
struct ShardSplitter {
  /// A set of pieces (steps, or groups of items of a loop) that run in the same shard. The pieces may need shared steps, which may run in
  /// several shards.
  struct Unit {
    var members: [Int] = []
    var weight = 0.0
    /// Whether the unit is only a part of a component (a set of steps that depend on each other). True if the component was cut into
    /// several units.
    var isPart = false
    /// The index, in ``ShardSplitter/Units/needs``, of the list of shared steps that this unit needs. A shared step may run in several
    /// shards.
    var needs = 0
  }

  struct Units {
    var list: [Unit] = []
    /// Lists of shared steps (steps that may run in several shards). Each list contains all shared steps that a unit needs, directly or
    /// indirectly. ``ShardSplitter/Unit/needs`` is the index of the list for the unit.
    var needs: [[Int]] = [[]]
  }

  let pieces: ShardPieces
  /// For each piece of the plan (a step, or a group of items of a loop), the steps on which the piece depends directly. A shard that runs
  /// the piece must also run these steps.
  private let needs: [[Int]]
  /// For each piece (a step, or some items of a loop), the numbers of the groups to which it belongs. All pieces of a group must run in the
  /// same shard. The steps of a document with `order: file` form a group, and all steps that use the same resource form a group.
  private let groups: [[Int]]
  private let groupCount: Int
  /// For each piece (a step, or some items of a loop), whether its step uses resources. Such a step must not run in several shards, because
  /// the shards together could exceed the limit of a resource.
  private let usesResources: [Bool]
  /// The indexes of all pieces in the order in which this type processes them: by the names of their documents, then by step.
  private let order: [Int]

  /// The maximum number of steps of one component that are tried as shared steps. A shared step runs in several shards. A component
  /// consists of steps that depend on each other, directly or indirectly.
  private static let tries = 8
  private static let rounds = 64

  /// Collects the pieces of a plan, the steps that each piece needs, and the groups of pieces that must run in the same shard. A piece is a
  /// step, or a group of items of a loop.
  ///
  /// - Parameters:
  ///   - plan: the plan.
  ///   - weights: the work of each step.
  ///   - shardCount: the number of shards.
  ///   - dividesLoops: whether several shards may run items of the same loop.
  init(_ plan: Plan, _ weights: [Double], shardCount: Int, dividesLoops: Bool) {
    let listeners = plan.listeners()
    let needs = plan.steps.indices.map { plan.directNeeds(of: $0, listeners) }
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
    groupCount = plan.workflows.count + numbers.count
    var isNeeded = [Bool](repeating: false, count: plan.steps.count)
    for need in needs.joined() { isNeeded[need] = true }
    let pieces = ShardPieces(plan, weights, shardCount: shardCount) { planned in
      dividesLoops && !isNeeded[planned.index] && groups[planned.index].isEmpty && plan.canDivideItems(of: planned)
    }
    self.pieces = pieces
    self.needs = pieces.steps.map { needs[$0] }
    self.groups = pieces.steps.map { groups[$0] }
    self.usesResources = pieces.steps.map { usesResources[$0] }
    let names = plan.workflows.map(\.file.name)
    let ranks = names.indices.sorted { (names[$0], $0) < (names[$1], $1) }
    var places = [Int](repeating: 0, count: names.count)
    for (place, workflow) in ranks.enumerated() { places[workflow] = place }
    order = pieces.indices.sorted { first, second in
      let (one, other) = (pieces.steps[first], pieces.steps[second])
      return (places[plan.steps[one].workflowIndex], one, first) < (places[plan.steps[other].workflowIndex], other, second)
    }
  }

  /// Returns one unit (steps and loop items that will run in the same shard) for each connected component of the plan. No component is
  /// divided into several units.
  func units() -> Units {
    let none = NodeSet(capacity: pieces.count)
    return withNeeds(components(without: none, cutting: none), none)
  }

  /// Returns the units of the plan. A unit is a connected component of the plan, or a part of a component. A component can be cut between
  /// the pieces of loops (groups of loop items), and at the steps that have the most dependent steps.
  ///
  /// The function cuts until no unit is heavier than `limit`, or until no further cut is useful.
  ///
  /// - Parameters:
  ///   - cut: the pieces (steps, or groups of loop items) of all components that may be cut.
  ///   - limit: the maximum weight of a unit.
  func units(cutting cut: NodeSet, lighterThan limit: Double) -> Units {
    var shared = NodeSet(capacity: pieces.count)
    var rejected = NodeSet(capacity: pieces.count)
    var parts = components(without: shared, cutting: cut)
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
      parts = components(without: shared, cutting: cut)
    }
    for index in parts.indices { parts[index].isPart = cut.contains(parts[index].members[0]) }
    return withNeeds(parts, shared)
  }

  /// Returns the steps that will run in several shards when `part` is divided: the step on which the largest number of other steps depend,
  /// and all its dependencies. Returns nil if no step is suitable.
  ///
  /// - Parameter part: a component of the plan, which is a set of steps that depend on each other, directly or indirectly.
  private func cut(of part: Unit, _ dependents: [Int], _ rejected: inout NodeSet) -> [Int]? {
    for _ in 0..<Self.tries {
      var best: Int?
      for step in part.members where dependents[step] > 1 && !rejected.contains(step) {
        if best.map({ dependents[step] > dependents[$0] }) ?? true { best = step }
      }
      guard let best else { return nil }
      let closure = closure(of: [best])
      // With a heavier shared part, each shard would repeat more than half of the component.
      let weight = closure.reduce(0) { $0 + pieces.weights[$1] }
      if weight <= part.weight / 2, !closure.contains(where: { usesResources[$0] }) { return closure }
      rejected.insert(best)
    }
    return nil
  }

  /// Returns, for each piece (a step, or a group of items of a loop), the number of other pieces that depend on it directly.
  ///
  /// - Parameter shared: the steps that run in several shards. Their own numbers are 0, and they do not increase the numbers of other
  ///   pieces.
  private func dependentCounts(without shared: NodeSet) -> [Int] {
    var counts = [Int](repeating: 0, count: needs.count)
    for step in needs.indices where !shared.contains(step) {
      for need in needs[step] where !shared.contains(need) { counts[need] += 1 }
    }
    return counts
  }

  private func closure(of steps: [Int]) -> [Int] {
    var found = NodeSet(capacity: pieces.count)
    var pending: [Int] = []
    for step in steps where found.insert(step) { pending.append(step) }
    while let step = pending.popLast() {
      for need in needs[step] where found.insert(need) { pending.append(need) }
    }
    return found.elements
  }

  /// Returns the connected components of the plan's pieces, without the pieces in `shared`. A piece is a step, or a group of items of a
  /// loop.
  ///
  /// Two pieces are connected
  /// - if one of them needs the other,
  /// - if they belong to the same group,
  /// - or if they belong to the same loop, unless `cut` contains this loop.
  ///
  /// A piece in `shared` does not connect the pieces that need it.
  private func components(without shared: NodeSet, cutting cut: NodeSet) -> [Unit] {
    // The numbers after those of the pieces represent the groups.
    var sets = DisjointSets(count: pieces.count + groupCount)
    for piece in pieces.indices where !shared.contains(piece) {
      for need in needs[piece] where !shared.contains(need) { sets.join(piece, need) }
      for group in groups[piece] { sets.join(piece, pieces.count + group) }
    }
    for loop in pieces.loops where !cut.contains(loop.step) {
      for piece in loop.others { sets.join(loop.step, piece) }
    }
    var places: [Int: Int] = [:]
    var units: [Unit] = []
    for piece in order where !shared.contains(piece) {
      let root = sets.find(piece)
      let place = places[root] ?? units.count
      if place == units.count {
        places[root] = place
        units.append(Unit())
      }
      units[place].members.append(piece)
      units[place].weight += pieces.weights[piece]
    }
    return units
  }

  private func withNeeds(_ parts: [Unit], _ shared: NodeSet) -> Units {
    var units = Units(list: parts)
    var known: [[Int]: Int] = [[]: 0]
    var needed = NodeSet(capacity: pieces.count)
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
    // A shared step that only shared steps need is in no unit yet, but still has to run.
    for step in order where shared.contains(step) && !needed.contains(step) {
      let all = closure(of: [step])
      for need in all { needed.insert(need) }
      units.list.append(Unit(members: [], weight: 0, isPart: true, needs: units.needs.count))
      units.needs.append(all)
    }
    return units
  }
}

extension Plan {
  /// Returns whether several shards may run items of the step's loop. The function considers only the step itself, and not the steps that
  /// depend on it.
  fileprivate func canDivideItems(of planned: PlannedStep) -> Bool {
    let flow = planned.step.flow
    guard let loop = flow.loop, loop.limit == nil, flow.cleanup == nil, !planned.step.action.isListening else { return false }
    // If a step of the run downloads the file of rows, the rows change after the items were divided.
    return !usesDownload(planned)
  }

  /// Returns whether a step uses a file that another step downloads.
  package func usesDownload(_ planned: PlannedStep) -> Bool {
    graph.edges(to: planned.index).contains { edges.facts[$0].contains(.file) }
  }

  /// Returns the names of the resources that a step uses, including those of the document that the step calls.
  fileprivate func resourceNames(of planned: PlannedStep) -> Set<String> {
    var names = Set(planned.step.flow.uses.map { planned.workflow.resources[$0.resource].name.value })
    if let called = planned.step.call.flatMap({ plan(called: $0.workflow) }) {
      for step in called.steps { names.formUnion(called.resourceNames(of: step)) }
    }
    return names
  }
}
