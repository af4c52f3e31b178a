import Glibc

/// The clock of a session. Tests replace it so that they need not wait.
public struct SessionClock: Sendable {
  /// The closure that returns the monotonic time, for limits and delays.
  public var now: @Sendable () -> ContinuousClock.Instant
  /// The closure that waits for a duration. It throws when the task is cancelled.
  public var sleep: @Sendable (Duration) async throws -> Void
  /// The closure that returns the time of day in seconds since 1970, for dates in header fields.
  public var secondsSince1970: @Sendable () -> Int64

  /// Creates a clock. By default it is the clock of the system.
  public init(
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0, clock: .continuous) },
    secondsSince1970: @escaping @Sendable () -> Int64 = { Int64(time(nil)) }
  ) {
    self.now = now
    self.sleep = sleep
    self.secondsSince1970 = secondsSince1970
  }
}
