import GarlandDiagnostics
import GarlandJSON
import GarlandPlanner

/// The division of a plan into shards, as a table for people or as JSON for programs.
struct ShardListing {
  private struct Row {
    var steps: [Int]
    /// For each divided loop, the share of its items that the shard runs. The key is the index of the loop's step.
    var items: [Int: ItemShare]
    /// The number of the shard's steps that also run in an earlier shard.
    var repeated: Int
    /// The total duration of the shard's steps and items in seconds. If no durations are known, the number of these steps and items.
    var work: Double
    /// The weight of the longest chain of dependent steps in the shard, in the unit of ``work``.
    var chain: Double
  }

  private let plan: Plan
  private let partition: Partition
  private let rows: [Row]
  /// The average number of steps that ran at the same time in the earlier run; nil if no durations of an earlier run are known.
  private let parallelism: Double?
  private let redactor: Redactor

  init(_ plan: Plan, into count: Int, past: PastDurations?, redactor: Redactor) {
    let work = past?.work(of: plan)
    let partition = plan.partition(into: count, weights: work)
    let chains = past?.weights(of: plan)
    self.plan = plan
    self.partition = partition
    self.redactor = redactor
    parallelism = past?.parallelism
    rows = partition.shards.enumerated().map { number, shard in
      let part = plan.selecting(shard.steps)
      let weights = chains.map { chains in shard.steps.map { chains[$0] * (shard.items[$0]?.fraction ?? 1) } }
      return Row(
        steps: shard.steps, items: shard.items,
        repeated: shard.steps.count { partition.owners[$0] < number && shard.items[$0] == nil },
        work: shard.work, chain: part.statistics(weights: weights).span)
    }
  }

  /// Returns the minimum duration of a shard, based on the durations of an earlier run; nil if these durations are not known. The minimum
  /// is the larger of two values: the duration of the shard's longest chain of dependent steps, and the duration of all its work divided by
  /// the parallelism of the earlier run.
  private func expected(_ row: Row) -> Double? { parallelism.map { max(row.chain, row.work / $0) } }

  private func name(_ step: Int) -> String {
    let planned = plan.steps[step]
    return redactor.redact(plan.workflows.count == 1 ? planned.step.id : "\(planned.workflow.file.name)#\(planned.step.id)")
  }

  // MARK: Text

  func text(showsSteps: Bool) -> String {
    var lines = [summary, ""]
    lines += table
    guard showsSteps else { return lines.joined(separator: "\n") + "\n" }
    for (number, row) in rows.enumerated() where !row.steps.isEmpty {
      lines += ["", "\(number + 1)/\(rows.count)"]
      for step in row.steps {
        lines.append("  \(name(step))\(remark(on: step, in: row, number).map { "  (\($0))" } ?? "")")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns a remark about a step of a shard: the loop items that the shard runs, or the earlier shard that also runs the step; nil if
  /// neither applies.
  private func remark(on step: Int, in row: Row, _ number: Int) -> String? {
    if let share = row.items[step] {
      let (first, last) = (share.range.lowerBound + 1, share.range.upperBound)
      return first == last ? "item \(first) of \(share.count)" : "items \(first) to \(last) of \(share.count)"
    }
    let owner = partition.owners[step]
    return owner < number ? "also in \(owner + 1)/\(rows.count)" : nil
  }

  private var summary: String {
    let shared = partition.sharedCount
    let runs = plan.steps.count + rows.reduce(0) { $0 + $1.repeated }
    var parts = "each step runs in one shard"
    if shared > 0 {
      parts = "\(shared) step\(shared == 1 ? " runs" : "s run") in more than one shard, so the shards run \(runs) steps in total"
    }
    let loops = partition.dividedLoops.count
    if loops > 0 { parts += "; the items of \(loops) loop\(loops == 1 ? "" : "s") are divided among shards" }
    let heaviest = Self.rounded(partition.balance, 2)
    return
      "\(plan.steps.count) step\(plan.steps.count == 1 ? "" : "s") in \(rows.count) shard\(rows.count == 1 ? "" : "s"): \(parts); the largest shard has \(heaviest) times the average work"
  }

  private var table: [String] {
    var cells = [["shard", "steps", "repeated"] + (parallelism == nil ? ["longest chain"] : ["work", "longest chain", "expected"])]
    for (number, row) in rows.enumerated() {
      let counts = ["\(number + 1)/\(rows.count)", "\(row.steps.count)", "\(row.repeated)"]
      if let expected = expected(row) {
        cells.append(counts + [row.work, row.chain, expected].map { Self.rounded($0, 3) + " s" })
      } else {
        cells.append(counts + [Self.rounded(row.chain, 0)])
      }
    }
    return PlainTable.lines(cells)
  }

  private static func rounded(_ value: Double, _ digits: Int) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let number = Int((value * scale).rounded())
    guard digits > 0 else { return "\(number)" }
    let fraction = "\(number % Int(scale))"
    return "\(number / Int(scale))." + String(repeating: "0", count: digits - fraction.count) + fraction
  }

  // MARK: JSON

  /// The division of the plan into shards as JSON. The members are `garland_shards` (the version of the format, 1), `balance` (the work of
  /// the heaviest shard, divided by the average work per shard) and `shards`.
  ///
  /// Each shard has its number (`shard`) and its `steps`. If durations are known, the shard also has three times in seconds: `work`, the
  /// duration of all its steps and items together; `chain`, the duration of the longest chain of dependent steps in the shard; and
  /// `expected`, the minimum duration of the shard.
  ///
  /// Each step has `file`, `id` and `owner`, which is the number of the shard whose result for the step counts. If the shard runs only a
  /// part of a loop's items, the step also has `items` with three members: `first`, the index of the first item, counted from 0; `count`,
  /// the number of items in this part; and `of`, the number of all items in the loop.
  var json: String {
    let printer = JSONPrinter()
    var bytes = Array("{\n  \"garland_shards\": 1,\n  \"balance\": \(Self.rounded(partition.balance, 4)),\n  \"shards\": [".utf8)
    for (number, row) in rows.enumerated() {
      bytes += Array((number == 0 ? "\n    " : ",\n    ").utf8)
      var value: JSONObject = ["shard": JSONValue(number + 1)]
      value["steps"] = .array(
        row.steps.map { step in
          var entry: JSONObject = [
            "file": .string(redactor.redact(plan.steps[step].workflow.file.name)), "id": .string(redactor.redact(plan.steps[step].step.id)),
            "owner": JSONValue(partition.owners[step] + 1),
          ]
          if let share = row.items[step] {
            entry["items"] = [
              "first": JSONValue(share.range.lowerBound), "count": JSONValue(share.range.count), "of": JSONValue(share.count),
            ]
          }
          return .object(entry)
        })
      if let expected = expected(row) {
        for (name, time) in [("work", row.work), ("chain", row.chain), ("expected", expected)] {
          value[name] = .number(JSONNumber((time * 1e6).rounded() / 1e6) ?? JSONNumber(0))
        }
      }
      printer.print(.object(value), into: &bytes)
    }
    return String(decoding: bytes, as: UTF8.self) + "\n  ]\n}\n"
  }
}
