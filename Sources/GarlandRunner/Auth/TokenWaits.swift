import GarlandAuth

/// The state of a run's tokens in addition to the tokens themselves: failures, the steps that wait for a token, and the redirects with
/// which providers end a login.
struct TokenWaits {
  /// An entry of a document's `auth`.
  struct Place: Hashable {
    /// The index of the document in the plan.
    let workflow: Int
    /// The index of the entry in the document.
    let index: Int
  }

  /// The reasons why tokens could not be obtained, by the `auth` entry. `--print` uses the reasons after the run.
  var failures: [Place: StepEnding] = [:]
  /// The redirect with which the provider ended the login.
  var capturedRedirect: String?
  /// The caller that waits for a token after every step has ended, because `--print` uses the token.
  private var waiter: CheckedContinuation<Result<Void, OAuthError>, Never>?

  var isAwaited: Bool { waiter != nil }

  mutating func wait(_ continuation: CheckedContinuation<Result<Void, OAuthError>, Never>) { waiter = continuation }

  /// Passes a result to the caller that waits for a token, if any caller waits.
  mutating func arrived(_ result: Result<Void, OAuthError>) {
    waiter?.resume(returning: result)
    waiter = nil
  }
}
