import GarlandResults
import Synchronization
import TestSupport
import Testing

@testable import GarlandRunner

/// The result of a series of runs with responses from memory and simulated time, so that a deadline of hours takes no real time.
struct SeriesRun {
  /// The kind of a series.
  enum Kind: Sendable {
    case repetitions(Int?, untilFailure: Bool)
    case reruns(Int)

    func series(_ observer: RecordingObserver) -> RunRounds.Series {
      switch self {
      case .repetitions(let count, let untilFailure):
        .repetitions(RepeatSeries(observer, count: count), count: count, untilFailure: untilFailure)
      case .reruns(let count): .reruns(RerunSeries(observer, failsWhenFlaky: false), count: count)
      }
    }
  }

  let results: [StepResult]
  let summary: RunSummary

  /// The outcomes of the steps, each as `id outcome`, in plan order. The results of loop items and repetitions contain their name.
  var outcomes: [String] {
    results.sorted { ($0.step.index, $0.iterationIndex ?? 0) < ($1.step.index, $1.iterationIndex ?? 0) }
      .map { "\($0.step.id)\($0.iteration.map { " [\($0)]" } ?? "") \($0.outcome.rawValue)" }
  }

  func result(_ id: String) throws -> StepResult { try #require(results.first { $0.step.id == id }, "no result of \(id)") }

  /// Runs a document as a series.
  ///
  /// - Parameters:
  ///   - steps: the lines of `steps`.
  ///   - kind: the kind of the series.
  ///   - deadline: the deadline of the whole series; nil for none.
  ///   - maxFailures: the limit of failures of each run; nil for none.
  ///   - pause: the time that passes between two runs of the series.
  ///   - answer: returns the response to a request for a URL. Its second argument is the number of earlier requests for that URL.
  static func carryOut(
    _ steps: String, _ kind: Kind, deadline: Duration? = nil, maxFailures: Int? = nil, pause: Duration = .zero,
    answer: @escaping @Sendable (_ url: String, _ number: Int) -> MemoryTransport.Answer
  ) async throws -> SeriesRun {
    let transport = MemoryTransport(answer: answer)
    let pauses = Mutex(Duration.zero)
    let folder = try TemporaryFolder()
    let plan = try TestRun.plan(
      "garland: 1\ndefaults: { base_url: http://in.memory }\nsteps:\n  \(steps.replacing("\n", with: "\n  "))\n", folder: folder)
    let (observer, runs) = (RecordingObserver(), RecordingObserver())
    runs.react { event in if case .runEnded = event { pauses.withLock { $0 += pause } } }
    let series = kind.series(observer)
    var configuration = TestRun.configuration(nil, folder: folder)
    configuration.sending.transport = transport
    configuration.clock = { transport.now + pauses.withLock { $0 } }
    configuration.pace.deadline = deadline
    configuration.pace.maxFailures = maxFailures
    configuration.observers = [series.observer(observer), runs]
    let preparation = Run.prepare(plan, configuration)
    let run = try #require(preparation.run, "\(preparation.diagnostics.all.map(\.message))")
    let rounds = RunRounds(series, plan: plan, configuration: configuration, current: CurrentRun(run))
    let report = await rounds.start(run)
    return SeriesRun(results: observer.results, summary: report.summary)
  }
}
