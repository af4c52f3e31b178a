/// Assigns units to shards. A unit is a set of steps or loop items that one shard runs. The heaviest unit is assigned first. Each unit goes
/// to the shard that will then have the least work (Graham, SIAM J. Appl. Math. 17, 1969).
///
/// If a connected set of steps was cut into parts, each part goes to a shard that already contains the steps that the part needs, unless
/// that shard becomes too heavy.
struct ShardAssignment {
  /// For each shard, the pieces (steps, or groups of items of a loop) that it runs.
  private(set) var sets: [NodeSet]
  /// The pieces (steps, or groups of items of a loop) that were assigned to no shard, because every shard would become too heavy with the
  /// unit that contains them.
  private(set) var leftOut: NodeSet
  private var loads: [Double]
  /// For each shard, the indexes of those lists in ``ShardSplitter/Units/needs`` whose steps the shard already contains.
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
  ///   - leavesOut: whether a unit is left unassigned if every shard would become too heavy with it.
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

  /// Returns the shard that a unit should be assigned to, and the work of that shard including the unit.
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

  /// Returns the total weight of the steps that are in a list of needed steps, but not yet in a shard.
  ///
  /// - Parameters:
  ///   - needs: the index of the list in ``ShardSplitter/Units/needs``. The list contains the steps that a unit needs.
  ///   - shard: the index of the shard.
  private func missing(of needs: Int, in shard: Int) -> Double {
    guard !complete[shard].contains(needs) else { return 0 }
    return units.needs[needs].reduce(0) { sets[shard].contains($1) ? $0 : $0 + weights[$1] }
  }
}
