import ArgumentParser
import GarlandReports
import GarlandResults
import GarlandRunner

/// The options for running the plan repeatedly, or for running its failed steps again.
struct AgainOptions: ParsableArguments {
  @Option(name: .customLong("repeat"), help: ArgumentHelp("Repeat the whole run this many times, one after another.", valueName: "count"))
  var repetitions: Int?

  @Flag(
    name: .customLong("until-failure"),
    help: "Repeat the run until a step fails; with --repeat, at most that many times.")
  var untilFailure = false

  @Option(
    name: .customLong("rerun-failed"),
    help: ArgumentHelp(
      "Rerun failed steps and their dependencies up to this many times. A step that then passes is flaky.", valueName: "count"))
  var reruns: Int?

  @Flag(name: .customLong("fail-flaky"), help: "With --rerun-failed: exit with status 1 if a step is flaky.") var failFlaky = false

  /// Whether the whole plan runs repeatedly, even if no step fails.
  var repeats: Bool { repetitions != nil || untilFailure }

  /// The options that decide how often the plan runs, as the shards of a run compare them. Empty if the plan runs once.
  var words: String {
    (repetitions.map { " --repeat \($0)" } ?? "") + (untilFailure ? " --until-failure" : "")
  }

  func validate() throws {
    if let repetitions, repetitions < 1 { throw ValidationError("--repeat must be at least 1.") }
    if let reruns, !(1...100 ~= reruns) { throw ValidationError("--rerun-failed must be from 1 to 100.") }
    if repeats, reruns != nil {
      throw ValidationError(
        "--repeat and --rerun-failed can't be combined: --repeat counts how often steps fail, --rerun-failed runs failed steps again.")
    }
    if failFlaky, reruns == nil { throw ValidationError("--fail-flaky needs --rerun-failed COUNT: no step is flaky without it.") }
  }
}

extension RunRounds.Series {
  /// Creates the series of runs that the options of a command describe.
  ///
  /// - Parameters:
  ///   - options: the options for repetitions and reruns.
  ///   - load: the load that the command sends; nil for any other run.
  ///   - reports: receives the events of the series as the events of one run.
  init(_ options: AgainOptions, _ load: PlannedLoad?, reports: ReportPipeline) {
    if let load {
      self = .load(load)
    } else if options.repeats {
      let series = RepeatSeries(reports, count: options.repetitions)
      self = .repetitions(series, count: options.repetitions, untilFailure: options.untilFailure)
    } else if let count = options.reruns {
      self = .reruns(RerunSeries(reports, failsWhenFlaky: options.failFlaky), count: count)
    } else {
      self = .once
    }
  }
}
