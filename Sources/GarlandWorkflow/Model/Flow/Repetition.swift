/// The settings by which one run of a step sends several requests, or sends later than at once.
/// Most steps have none of them and share ``none``.
public final class Repetition: Sendable {
  /// `delay:`: a wait before the first request.
  public let delay: Setting<Duration>?
  /// `retry:`.
  public let retry: RetrySettings?
  /// `poll:`.
  public let poll: PollSettings?
  /// `paginate:`.
  public let pagination: Pagination?

  init(delay: Setting<Duration>? = nil, retry: RetrySettings? = nil, poll: PollSettings? = nil, pagination: Pagination? = nil) {
    self.delay = delay
    self.retry = retry
    self.poll = poll
    self.pagination = pagination
  }

  /// No repetition: one request, at once.
  public static let none = Repetition()
}
