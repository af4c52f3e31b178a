import GarlandReports
import GarlandResults
import GarlandRunner

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
