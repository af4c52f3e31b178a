/// Why nothing new starts any more.
package enum StopReason: Sendable, Hashable {
  /// The allowed number of steps has failed: 1 with `--fail-fast`.
  case failures(limit: Int)
  /// The time that the whole run may take is up.
  case deadline(Duration)
  /// A signal, such as `SIGINT`.
  case interrupt(signal: String)

  /// Whether running steps are cancelled. After failures they may end: their results are useful,
  /// and the user is not waiting.
  var cancelsTransfers: Bool {
    if case .failures = self { false } else { true }
  }
}

extension StopReason {
  /// Half a sentence: why a step was not run.
  var inWords: String {
    switch self {
    case .failures(limit: 1): "a step had failed, and the run stops at the first failure"
    case .failures(let limit): "\(limit) steps had failed, and the run stops there"
    case .deadline(let duration): "the run's time of \(duration.inWords) was up"
    case .interrupt(let signal): "interrupted by \(signal)"
    }
  }
}
