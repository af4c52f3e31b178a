/// Assigns units to shards. A unit is a set of steps or loop items that must run in the same shard. The heaviest unit is assigned first.
/// Each unit goes to the shard that will then have the least work (Graham, SIAM J. Appl. Math. 17, 1969).
///
/// Some units need steps that may run in several shards. Such a unit goes to a shard that already contains these steps, unless this would
/// make the shard too heavy.
struct ShardAssignment {
  /// For each shard, the set of pieces that it runs. A piece is a step, or a group of items of a loop.
  private(set) var sets: [NodeSet]
  /// The pieces (steps, or groups of items of a loop) that were assigned to no shard, because their unit did not fit into any shard. A unit
  /// is a set of pieces that must run in the same shard.
  private(set) var leftOut: NodeSet
  private var loads: [Double]
  /// For each shard, the indexes of those lists in ``ShardSplitter/Units/needs`` of which the shard runs every step.
  private var complete: [Set<Int>]
  private let units: ShardSplitter.Units
  private let weights: [Double]
  /// The work above which a shard counts as too heavy: 2 % more than an equal share of all work.
  private let target: Double

  /// The work of the shard that has the most work.
  var heaviest: Double { loads.max() ?? 0 }

  /// Assigns units to shards. The pieces of a unit (steps, or groups of items of a loop) always run in the same shard.
  ///
  /// - Parameters:
  ///   - units: the units to assign.
  ///   - count: the number of shards.
  ///   - pieces: the pieces that the units consist of.
  ///   - ideal: the work of each shard if all shards had equal work.
  ///   - leavesOut: whether a unit stays unassigned if it would make every shard too heavy. If false, all units are assigned.
  init(_ units: ShardSplitter.Units, to count: Int, _ pieces: ShardPieces, ideal: Double, leavesOut: Bool = false) {
    self.units = units
    weights = pieces.weights
    target = ideal * 1.02
    let empty = NodeSet(capacity: pieces.count)
    sets = Array(repeating: empty, count: count)
    leftOut = empty
    loads = Array(repeating: 0, count: count)
    complete = Array(repeating: [0], count: count)
    let needs = units.needs.map { list in list.reduce(0) { $0 + pieces.weights[$1] } }
    let order = units.list.indices.sorted { first, second in
      let (one, other) = (units.list[first], units.list[second])
      let (light, heavy) = (one.weight + needs[one.needs], other.weight + needs[other.needs])
      return light == heavy ? first < second : light > heavy
    }
    for index in order {
      let unit = units.list[index]
      let best = place(of: unit)
      if leavesOut, best.load > target {
        for piece in unit.members { leftOut.insert(piece) }
      } else {
        put(unit, in: best)
      }
    }
  }

  /// Returns the shard to which a unit should be assigned, and as `load` the total work of this shard, including the unit. A unit consists
  /// of steps or loop items that must run in the same shard.
  private func place(of unit: ShardSplitter.Unit) -> (shard: Int, load: Double) {
    var best = (shard: 0, load: Double.infinity)
    var fitting: (shard: Int, load: Double)?
    for shard in sets.indices {
      let missing = missing(of: unit.needs, in: shard)
      let load = loads[shard] + unit.weight + missing
      if load < best.load { best = (shard, load) }
      if missing == 0, unit.isPart, unit.needs > 0, load <= target, fitting.map({ load > $0.load }) ?? true { fitting = (shard, load) }
    }
    return fitting ?? best
  }

  private mutating func put(_ unit: ShardSplitter.Unit, in place: (shard: Int, load: Double)) {
    loads[place.shard] = place.load
    complete[place.shard].insert(unit.needs)
    for piece in unit.members { sets[place.shard].insert(piece) }
    for step in units.needs[unit.needs] { sets[place.shard].insert(step) }
  }

  /// Returns the work that a list of steps would add to the shard: the total weight of the listed steps that the shard does not contain
  /// yet.
  ///
  /// - Parameters:
  ///   - needs: the index of the list in ``ShardSplitter/Units/needs``.
  ///   - shard: the index of the shard.
  private func missing(of needs: Int, in shard: Int) -> Double {
    guard !complete[shard].contains(needs) else { return 0 }
    return units.needs[needs].reduce(0) { sets[shard].contains($1) ? $0 : $0 + weights[$1] }
  }
}
