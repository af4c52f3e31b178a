import Glibc

/// The clocks of the machine.
enum SystemClocks {
  private static let start = ContinuousClock.now

  @Sendable static func monotonic() -> Duration { ContinuousClock.now - start }

  @Sendable static func secondsSince1970() -> Int { time(nil) }
}
