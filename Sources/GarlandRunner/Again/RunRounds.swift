import GarlandDiagnostics
import GarlandPlanner
import GarlandResults
import GarlandTransfer

/// Executes all runs of a command: the first run, and then repetitions of the plan or reruns of the failed steps.
package struct RunRounds: Sendable {
  /// The way in which a command runs the plan: once, several times, once with reruns of the failed steps, or as a load test. For
  /// repetitions and reruns, the first associated value is an observer that combines all runs into one run for the reports.
  package enum Series: Sendable {
    case once
    /// Runs the whole plan `count` times. If `count` is nil, there is no limit. If `untilFailure` is true, the series ends after the first
    /// repetition in which a step fails.
    case repetitions(RepeatSeries, count: Int?, untilFailure: Bool)
    /// Runs the whole plan once, and then its failed steps up to `count` times.
    case reruns(RerunSeries, count: Int)
    case load(PlannedLoad)

    /// Returns the observer that receives the events of all runs of the series.
    ///
    /// - Parameter reports: receives the events of the series as the events of one run.
    package func observer(_ reports: some RunObserver) -> any RunObserver {
      switch self {
      case .once, .load: reports
      case .repetitions(let series, _, _): series
      case .reruns(let series, _): series
      }
    }
  }

  private let series: Series
  private let plan: Plan
  private let configuration: RunConfiguration
  private let current: CurrentRun

  /// Creates a series of runs.
  ///
  /// - Parameters:
  ///   - series: the kind of the series.
  ///   - plan: the plan of the first run.
  ///   - configuration: the configuration of the first run. Its observers contain ``Series/observer(_:)``.
  ///   - current: stores the run that is in progress, beginning with the first run.
  package init(_ series: Series, plan: Plan, configuration: RunConfiguration, current: CurrentRun) {
    self.series = series
    self.plan = plan
    self.configuration = configuration
    self.current = current
  }

  /// Executes the single run, all repetitions, the run with its reruns, or the load test, depending on the kind of series.
  ///
  /// - Parameter first: the run of the whole plan with which the series begins.
  package func start(_ first: Run) async -> Run.Report {
    switch series {
    case .once: await first.start()
    case .repetitions(let series, let count, let untilFailure): await repeats(first, series, count, untilFailure: untilFailure)
    case .reruns(let series, let count): await rerunsFailed(first, series, count)
    case .load(let load): await sends(load, first)
    }
  }

  /// Ends a series whose first run was rejected before it sent any request.
  package func refuse() {
    switch series {
    case .once, .load: break
    case .repetitions(let series, _, _): _ = series.finish(nil)
    case .reruns(let series, _): _ = series.finish()
    }
  }

  /// The console line which explains that no failed step was run again, because too many steps failed; nil in all other cases.
  package var note: String? {
    guard case .reruns(let series, _) = series, series.isHopeless else { return nil }
    return "more than \(RerunSeries.mostHeld) steps did not pass: none was run again"
  }

  private func sends(_ load: PlannedLoad, _ first: Run) async -> Run.Report {
    let run = LoadRun(first, and: furtherRuns(of: load), load.settings, expectations: load.expectations, part: load.part)
    // If a signal has already arrived, the first run never starts.
    let isEnded = !current.advance(to: run)
    if isEnded, let signal = current.signal { run.interrupt(signal: signal) }
    return await run.start()
  }

  /// Returns a run for each thread of a load test except the first thread. Each of these runs has its own engine. The preparation of these
  /// runs finds no error, since the run of the first thread was prepared with the same inputs.
  private func furtherRuns(of load: PlannedLoad) -> [Run] {
    (1..<max(1, load.threads)).compactMap { _ in
      var engine = configuration.sending.engine?.configuration ?? EngineConfiguration()
      engine.idleConnections = max(load.settings.users / load.threads + 1, engine.idleConnections / load.threads)
      var configuration = configuration
      configuration.sending.engine = Engine(configuration: engine)
      return Run.prepare(plan, configuration).run
    }
  }

  private func repeats(_ first: Run, _ series: RepeatSeries, _ count: Int?, untilFailure: Bool) async -> Run.Report {
    // No repetition of a shard without steps can fail, so --until-failure would never end.
    let limit = plan.steps.isEmpty ? 1 : count ?? .max
    let began = configuration.clock()
    var report = await first.start()
    var problem: Diagnostic?
    var early: EarlyEnd?
    var number = 1
    var elapsed = Duration.zero
    while number < limit, current.signal == nil {
      let verdict = series.verdict
      if verdict.isEnded || (untilFailure && verdict.hasFailed) { break }
      // Repetitions that consist of `always` steps would otherwise go on after the deadline.
      if let deadline = configuration.pace.deadline, elapsed >= deadline {
        early = StopReason.deadline(deadline).earlyEnd
        break
      }
      elapsed = configuration.clock() - began
      number += 1
      let (run, refusal) = next(plan, number, elapsed)
      problem = refusal
      guard let run, current.advance(to: run) else { break }
      series.advance(at: elapsed, isLast: number == limit)
      report = await run.start()
    }
    report.summary = series.finish(problem, early: interrupt ?? early)
    return report
  }

  /// The interrupt that ended the series, perhaps between two runs; nil if there was none.
  private var interrupt: EarlyEnd? { current.signal.map { EarlyEnd(.interrupt, $0) } }

  private func rerunsFailed(_ first: Run, _ series: RerunSeries, _ count: Int) async -> Run.Report {
    let began = configuration.clock()
    var report = await first.start()
    var problem: Diagnostic?
    for number in 0..<count where current.signal == nil {
      let elapsed = configuration.clock() - began
      guard let failed = series.next(at: elapsed) else { break }
      let (run, refusal) = next(plan.selecting(failed), number + 2, elapsed)
      problem = refusal
      guard let run, current.advance(to: run) else { break }
      _ = await run.start()
    }
    report.summary = series.finish(problem, early: interrupt)
    return report
  }

  /// Returns the next run of the series, or the reason why it cannot begin, such as a variable without a value.
  ///
  /// If the deadline of the series has passed, only `always` steps of the run begin. The results of the other steps name the deadline.
  private func next(_ plan: Plan, _ number: Int, _ elapsed: Duration) -> (run: Run?, refusal: Diagnostic?) {
    var configuration = configuration.again(number)
    configuration.pace.spentTime = elapsed
    if plan.steps.count != self.plan.steps.count { configuration.pace.expectedDurations = nil }
    configuration.recording.wholeBodyOf = configuration.recording.wholeBodyOf.flatMap { index in
      let number = self.plan.steps[index].number
      return plan.steps.first { $0.number == number }?.index
    }
    let preparation = Run.prepare(plan, configuration)
    return (preparation.run, preparation.run == nil ? preparation.diagnostics.all.first { $0.severity == .error } : nil)
  }
}

/// The part of a load test that this machine runs.
package struct PlannedLoad: Sendable {
  package let settings: LoadSettings
  package let expectations: [LoadExpectation]
  /// The position of this machine among the machines that share the load, and the number of these machines.
  package let part: (number: Int, count: Int)
  /// The number of threads that carry out the repetitions.
  package let threads: Int

  /// Creates the part of a load test from its properties.
  package init(settings: LoadSettings, expectations: [LoadExpectation], part: (number: Int, count: Int), threads: Int) {
    self.settings = settings
    self.expectations = expectations
    self.part = part
    self.threads = threads
  }
}
