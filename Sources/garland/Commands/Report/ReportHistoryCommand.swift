import ArgumentParser
import GarlandDiagnostics
import GarlandJSON
import GarlandReports
import GarlandWorkflow

struct ReportHistoryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Show how often steps failed and how their times developed, from many JSON reports.",
    discussion: """
      Examples:
        garland report history nightly/*.json
        garland report history nightly/*.json --format json

      The most flaky steps are first, then those that failed most often, then the
      slowest. Each repetition and each item of a loop counts. A run that several
      reports have counts once.
      """)

  @Argument(help: ArgumentHelp("The JSON reports of runs, in any order.", valueName: "result"), completion: .file(extensions: ["json"]))
  var paths: [String]

  @Option(name: .long, help: "The output format.") var format = ListingFormat.table

  @OptionGroup var output: OutputOptions

  func run() async throws {
    let reports = ReportOutput(output, [])
    var read: [(path: String, run: RunHistory.Run)] = []
    for path in paths { read.append((path, try readRun(path, reports))) }
    if let merged = read.first(where: { $0.run.lacksMergedRuns }), let shard = read.first(where: { $0.run.isShard }) {
      throw CommandFailure.usage(Self.mixture(merged.path, shard.path))
    }
    let history = RunHistory(try Self.distinct(read, reports))
    try reports.terminal.show(StyledText(format == .json ? Self.json(history) : Self.text(history)))
  }

  /// Returns the runs in the reports, each run only once.
  ///
  /// - Skips a report if another report, such as a merged report, contains all runs of the skipped report. Prints a note with the path of
  ///   the skipped report.
  /// - Throws an error if two merged reports have only some of their runs in common.
  private static func distinct(
    _ read: [(path: String, run: RunHistory.Run)], _ reports: ReportOutput
  ) throws(CommandFailure) -> [RunHistory.Run] {
    // A merged report comes before reports with a part of its runs.
    let shards = read.map { (path: $0.path, run: $0.run, runs: $0.run.shardRuns) }
    let ordered = shards.filter { $0.runs.count > 1 }.sorted { $0.runs.count > $1.runs.count } + shards.filter { $0.runs.count < 2 }
    var paths: [String: String] = [:]
    var known: [RunHistory.Run.Origin: String] = [:]
    var distinct: [RunHistory.Run] = []
    for (path, run, runs) in ordered {
      let others = runs.compactMap { paths[$0] }
      guard others.isEmpty || others.count == runs.count else { throw .usage(overlap(path, others[0])) }
      if let other = others.first ?? (runs.isEmpty ? run.origin.flatMap { known[$0] } : nil) {
        reports.terminal.note("note: \(path) has the same run as \(other), and is left out\n")
        continue
      }
      for id in runs { paths[id] = path }
      if let origin = run.origin, runs.isEmpty { known[origin] = path }
      distinct.append(run)
    }
    return distinct
  }

  private static func overlap(_ path: String, _ other: String) -> String {
    "\(path) and \(other) are merged reports that have some runs of shards in common, so that these runs would count twice; pass the reports "
      + "of the shards, or one report that is merged from all of them"
  }

  private static func mixture(_ merged: String, _ shard: String) -> String {
    "\(merged) is a merged report that does not name its runs, and \(shard) is the report of a shard, so that a run could count twice; merge "
      + "the reports again, or pass only merged reports, or only reports of shards"
  }

  private func readRun(_ path: String, _ reports: ReportOutput) throws(CommandFailure) -> RunHistory.Run {
    var run = RunHistory.Run()
    // Standard input is read as a whole, and only once.
    var input: [UInt8]?
    do throws(WorkflowFileError) {
      try reports.readPieces(of: path) { piece in
        if path == "-" { input = piece }
        run.read(piece)
        return !run.isInvalid
      }
    } catch {
      throw .unreadable(path, error)
    }
    guard run.isComplete else { throw .noReport(path, input ?? Workspace.wholeReport(at: path)) }
    return run
  }

  private static func text(_ history: RunHistory) -> String {
    let hasManyFiles = Set(history.steps.map(\.file)).count > 1
    var rows = [["step", "results", "failed", "flaky", "quarantined", "median", "last", "later half"]]
    for step in history.steps {
      rows.append([
        hasManyFiles ? "\(step.file)#\(step.id)" : step.id, "\(step.results)", "\(step.failed)", "\(step.flaky)", "\(step.quarantined)",
        step.median.map(LoadFigures.time) ?? "", step.times.last.map(LoadFigures.time) ?? "", step.development.map(change) ?? "",
      ])
    }
    let heading = "\(history.runs) run\(history.runs == 1 ? "" : "s"), \(history.steps.count) step\(history.steps.count == 1 ? "" : "s")"
    return ([heading, ""] + PlainTable.lines(rows)).joined(separator: "\n") + "\n"
  }

  private static func microseconds(_ time: Duration) -> Int { Int(time / .microseconds(1)) }

  /// Returns a factor as a percentage change, such as `+12 %` for 1.12.
  private static func change(_ factor: Double) -> String {
    let percent = Int(((factor - 1) * 100).rounded())
    return "\(percent > 0 ? "+" : "")\(percent) %"
  }

  /// Returns the history as JSON.
  ///
  /// The members are `garland_history` (the version of the format, 1), `runs`, and `steps`. For each step, `steps` contains `file`, `id`,
  /// `results`, `failed`, `flaky`, `quarantined` (the step's failures that did not count), and `times`, the durations in all runs in
  /// seconds, oldest run first.
  private static func json(_ history: RunHistory) -> String {
    let printer = JSONPrinter()
    var bytes = Array("{\n  \"garland_history\": 1,\n  \"runs\": \(history.runs),\n  \"steps\": [".utf8)
    for (number, step) in history.steps.enumerated() {
      bytes += Array((number == 0 ? "\n    " : ",\n    ").utf8)
      let times = step.times.map { JSONValue.number(JSONNumber(Double(microseconds($0)) / 1e6) ?? JSONNumber(0)) }
      let value: JSONObject = [
        "file": .string(step.file), "id": .string(step.id), "results": JSONValue(step.results), "failed": JSONValue(step.failed),
        "flaky": JSONValue(step.flaky), "quarantined": JSONValue(step.quarantined), "times": .array(times),
      ]
      printer.print(.object(value), into: &bytes)
    }
    return String(decoding: bytes, as: UTF8.self) + "\n  ]\n}\n"
  }
}
