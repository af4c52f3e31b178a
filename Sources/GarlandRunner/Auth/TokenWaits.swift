import GarlandAuth

/// The state of a run while it obtains tokens: the failures, the caller that waits for the token of a `--print` value, and the redirect
/// that ended a login. ``RunTokens`` stores the tokens themselves.
struct TokenWaits {
  /// The identity of an `auth` entry in a plan.
  struct Place: Hashable {
    /// The index of the document in the plan.
    let workflow: Int
    /// The index of the `auth` entry in the document.
    let index: Int
  }

  /// For each `auth` entry whose token could not be obtained, the reason. An expression of `--print` that needs the token fails with this
  /// reason.
  var failures: [Place: StepEnding] = [:]
  /// The target of the redirect with which the provider ended the login; nil before that redirect.
  var capturedRedirect: String?
  /// The caller that waits for a token of an expression of `--print`, which is evaluated after every step has ended. Nil if no caller
  /// waits.
  private var waiter: CheckedContinuation<Result<Void, OAuthError>, Never>?

  var isAwaited: Bool { waiter != nil }

  mutating func wait(_ continuation: CheckedContinuation<Result<Void, OAuthError>, Never>) { waiter = continuation }

  /// Resumes the caller that waits for a token, and passes `result` to the caller: success, or the error. Does nothing if no caller waits.
  mutating func arrived(_ result: Result<Void, OAuthError>) {
    waiter?.resume(returning: result)
    waiter = nil
  }
}
