/// The settings that make a step send its request repeatedly or with a delay. Steps without such settings share ``none``.
public final class Repetition: Sendable {
  /// `delay:`: a pause before the first request.
  public let delay: Setting<Duration>?
  /// The settings for retries: `retry:`.
  public let retry: RetrySettings?
  /// The settings for polling: `poll:`.
  public let poll: PollSettings?
  /// The settings for pagination: `paginate:`.
  public let pagination: Pagination?

  init(delay: Setting<Duration>? = nil, retry: RetrySettings? = nil, poll: PollSettings? = nil, pagination: Pagination? = nil) {
    self.delay = delay
    self.retry = retry
    self.poll = poll
    self.pagination = pagination
  }

  /// No repetition: a single request without delay.
  public static let none = Repetition()
}
