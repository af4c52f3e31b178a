import GarlandResults

/// The reason why no further step starts.
package enum StopReason: Sendable, Hashable {
  /// The maximum number of failures was reached. With `--fail-fast`, the maximum is 1.
  case failures(limit: Int)
  /// The time limit of the whole run was exceeded.
  case deadline(Duration)
  /// The run received a signal, such as `SIGINT`.
  case interrupt(signal: String)

  /// Whether the stop cancels the steps that are running. If the run stops because of failures, running steps may continue to their end,
  /// since their results are useful and no user is waiting for the stop.
  var cancelsTransfers: Bool {
    if case .failures = self { false } else { true }
  }
}

extension StopReason {
  /// The early end of a run that is stopped for this reason.
  var earlyEnd: EarlyEnd {
    switch self {
    case .failures(limit: 1): EarlyEnd(.failures, "the run stopped after the first failed step")
    case .failures(let limit): EarlyEnd(.failures, "the run stopped after \(limit) failed steps")
    case .deadline(let duration): EarlyEnd(.deadline, "the run reached its deadline of \(duration.inWords)")
    case .interrupt(let signal): EarlyEnd(.interrupt, signal)
    }
  }

  /// The reason in words, for the results of steps that were not run.
  var inWords: String { earlyEnd.words }
}
