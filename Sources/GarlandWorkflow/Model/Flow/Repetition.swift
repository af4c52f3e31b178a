/// The settings that make a step send its request repeatedly or with a delay. Steps without such settings share ``none``.
public final class Repetition: Sendable {
  /// The pause before the first request, from the key `delay:`.
  public let delay: Setting<Duration>?
  /// The settings for retries, from the key `retry:`.
  public let retry: RetrySettings?
  /// The settings for polling, from the key `poll:`.
  public let poll: PollSettings?
  /// The settings for pagination, from the key `paginate:`.
  public let pagination: Pagination?

  init(delay: Setting<Duration>? = nil, retry: RetrySettings? = nil, poll: PollSettings? = nil, pagination: Pagination? = nil) {
    self.delay = delay
    self.retry = retry
    self.poll = poll
    self.pagination = pagination
  }

  /// The settings of a step that sends its request once and without delay.
  public static let none = Repetition()
}
