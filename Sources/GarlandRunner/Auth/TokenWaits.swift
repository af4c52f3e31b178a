import GarlandAuth

/// The state of obtaining a run's tokens: the failures, the caller that waits for a token, and the redirect that ended a login. The tokens
/// themselves are not part of this state.
struct TokenWaits {
  /// The identity of an `auth` entry in a plan.
  struct Place: Hashable {
    /// The index of the document in the plan.
    let workflow: Int
    /// The index of the entry in the document.
    let index: Int
  }

  /// The reasons why tokens could not be obtained, by the `auth` entry. `--print` uses the reasons after the run.
  var failures: [Place: StepEnding] = [:]
  /// The target of the redirect with which the provider ended the login; nil before that redirect.
  var capturedRedirect: String?
  /// The caller that waits for a token of `--print` after every step has ended; nil if no caller waits.
  private var waiter: CheckedContinuation<Result<Void, OAuthError>, Never>?

  var isAwaited: Bool { waiter != nil }

  mutating func wait(_ continuation: CheckedContinuation<Result<Void, OAuthError>, Never>) { waiter = continuation }

  /// Passes a result to the caller that waits for a token, if any caller waits.
  mutating func arrived(_ result: Result<Void, OAuthError>) {
    waiter?.resume(returning: result)
    waiter = nil
  }
}
