import Glibc

/// The machine's own clocks, which a sandbox uses by default.
enum SystemClocks {
  private static let start = ContinuousClock.now

  @Sendable static func monotonic() -> Duration { ContinuousClock.now - start }

  @Sendable static func secondsSince1970() -> Int { time(nil) }
}
