/// Why nothing new starts any more.
package enum StopReason: Sendable, Hashable {
  /// So many steps have failed as the user allows: 1 with `--fail-fast`.
  case failures(limit: Int)
  /// The time that the whole run may take is up.
  case deadline(Duration)
  /// A signal, such as `SIGINT`.
  case interrupt(signal: String)

  /// Whether what runs is cancelled. After failures it may go on to its end: its result is worth having and nobody is waiting.
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
