import GarlandResults

/// A loop whose items are divided among several shards (parts of a plan that run separately).
struct DividedLoop {
  /// The part of the loop's items that one shard runs.
  struct Share {
    /// The index of the shard's report in the list of reports.
    var report: Int
    /// The positions, from 0, that the items of this shard have in the whole loop.
    var range: Range<Int>
  }

  let name: StepName
  /// The number of items of the loop.
  let count: Int
  /// The parts of the loop that the shards ran, in the order of the items. The part of a shard without a report is not included.
  private(set) var shares: [Share] = []

  /// Returns all loops whose items are divided among the shards of the given reports. The key is the name of the loop's step.
  static func all(of reports: [ShardReport]) -> [StepName: DividedLoop] {
    var loops: [StepName: DividedLoop] = [:]
    for (number, report) in reports.enumerated() {
      for loop in report.shard.loops {
        let name = StepName(file: loop.file, id: loop.id)
        loops[name, default: DividedLoop(name: name, count: loop.count)].shares.append(Share(report: number, range: loop.range))
      }
    }
    return loops.mapValues { loop in
      var loop = loop
      loop.shares.sort { ($0.range.lowerBound, $0.report) < ($1.range.lowerBound, $1.report) }
      return loop
    }
  }

  /// The items of the loop that none of the ``shares`` contains, as ranges of positions.
  var gaps: [Range<Int>] {
    var found: [Range<Int>] = []
    var next = 0
    for share in shares {
      if next < share.range.lowerBound { found.append(next..<share.range.lowerBound) }
      next = max(next, share.range.upperBound)
    }
    if next < count { found.append(next..<count) }
    return found
  }

  /// The first two shares (parts of the loop) that have an item in common; nil if no item is in two shares.
  var overlap: (first: Share, second: Share)? {
    zip(shares, shares.dropFirst()).first { $0.range.overlaps($1.range) }.map { (first: $0, second: $1) }
  }

  /// Returns the position of the first item of `range` that has no result. Returns nil if each item has a result, or if the loop never
  /// began.
  ///
  /// - Parameter results: the results of the loop's step in the report of one shard.
  static func missingItem(of range: Range<Int>, in results: [StepResult]) -> Int? {
    // A loop that did not begin has one result for all items.
    guard results.allSatisfy({ $0.iterationIndex != nil }) else { return nil }
    var next = range.lowerBound
    for result in results.sorted(by: { ($0.iterationIndex ?? 0) < ($1.iterationIndex ?? 0) }) {
      guard result.iterationIndex == next else { return next }
      next += result.itemCount
    }
    return next < range.upperBound ? next : nil
  }

  /// Returns the positions of a loop's items in words for people, who count from 1.
  static func words(_ range: Range<Int>) -> String {
    range.count == 1 ? "item \(range.upperBound)" : "items \(range.lowerBound + 1) to \(range.upperBound)"
  }
}
