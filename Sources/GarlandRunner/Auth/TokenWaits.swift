import GarlandAuth

/// What a run knows of tokens beside the tokens themselves: why there is none, who waits for one, and where a provider has sent its user.
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
  /// Where a provider has sent its user back to.
  var capturedRedirect: String?
  /// Waits for a token that is to be printed, when every step has ended.
  private var waiter: CheckedContinuation<Result<Void, OAuthError>, Never>?

  var isAwaited: Bool { waiter != nil }

  mutating func wait(_ continuation: CheckedContinuation<Result<Void, OAuthError>, Never>) { waiter = continuation }

  /// Goes on with what waits for a token, if anything does.
  mutating func arrived(_ result: Result<Void, OAuthError>) {
    waiter?.resume(returning: result)
    waiter = nil
  }
}
