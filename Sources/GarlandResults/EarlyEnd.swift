/// The reason why a run ended early.
public struct EarlyEnd: Sendable, Hashable {
  /// The kinds of reasons, the most important one first.
  public enum Cause: String, Sendable, CaseIterable {
    /// A signal or, with `--watch`, a change of a file cancelled the run.
    case interrupt
    /// The run's deadline ended a step or kept a step from running; in a load test, it passed before the end of the test. Cleanups and
    /// `always` steps that run after the deadline are no reason, and neither is a step that the deadline ended if its failure is allowed.
    case deadline
    /// Too many steps failed, or, in a load test, too many repetitions: with `--fail-fast` or `--max-failures`.
    case failures
    /// Any other reason, such as hosts that `--preflight` can't reach, or the missing report of a shard. It does not change the exit status.
    case other
  }

  /// The kind of the reason.
  public var cause: Cause
  /// The name of the signal, such as `SIGINT`, or the change of a file, such as `a change of shop.yaml`. For other causes than an interrupt,
  /// the reason in words, such as `the run reached its deadline of 5 m`.
  public var reason: String
  /// A further reason why the run is incomplete, in words, such as `the report of shard 2/3 is missing` for a merged run; nil if there is
  /// none.
  public var remark: String?

  /// Creates a reason.
  ///
  /// - Parameters:
  ///   - cause: The kind of the reason.
  ///   - reason: The signal or the change of a file, or, for other causes than an interrupt, the reason in words.
  public init(_ cause: Cause, _ reason: String) {
    self.cause = cause
    self.reason = reason
  }

  /// The reason in words, such as `interrupted by SIGINT`, and then the ``remark``.
  public var words: String {
    (cause == .interrupt ? "interrupted by \(reason)" : reason) + (remark.map { "; \($0)" } ?? "")
  }

  /// Returns the most important of several reasons, and the first one of equally important ones; nil without reasons. After the deadline,
  /// for example, only an interrupt is more important.
  public static func main(of reasons: [EarlyEnd?]) -> EarlyEnd? {
    for cause in Cause.allCases { if let reason = reasons.first(where: { $0?.cause == cause }) { return reason } }
    return nil
  }
}
