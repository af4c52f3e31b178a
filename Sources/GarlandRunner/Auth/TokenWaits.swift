import GarlandAuth

/// The state of a run's tokens beside the tokens themselves: failures, the steps that wait for a
/// token, and the redirect to which a provider has sent its user.
struct TokenWaits {
  /// An entry of a document's `auth`.
  struct Place: Hashable {
    /// The index of the document among the plan's.
    let workflow: Int
    /// The index of the entry in the document.
    let index: Int
  }

  /// Why there is no token, by the entry; kept for prints.
  var failures: [Place: StepEnding] = [:]
  /// The redirect to which a provider has sent its user.
  var capturedRedirect: String?
  /// The caller that waits, after every step has ended, for a token to print.
  private var waiter: CheckedContinuation<Result<Void, OAuthError>, Never>?

  var isAwaited: Bool { waiter != nil }

  mutating func wait(_ continuation: CheckedContinuation<Result<Void, OAuthError>, Never>) { waiter = continuation }

  /// Resumes the caller that waits for a token, if there is one.
  mutating func arrived(_ result: Result<Void, OAuthError>) {
    waiter?.resume(returning: result)
    waiter = nil
  }
}
