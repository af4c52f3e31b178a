import Glibc

/// Time that passes, and time that the process computes.
enum Stopwatch {
  /// What some work takes.
  struct Time {
    /// In milliseconds, by the clock.
    var wall: Double
    /// In milliseconds of a processor: on a machine that does other things as well, what it would take without these.
    var processor: Double
  }

  /// What some work takes, and what it gives.
  static func time<Result>(_ work: () -> Result) -> (time: Time, result: Result) {
    let start = (now(CLOCK_MONOTONIC), now(CLOCK_PROCESS_CPUTIME_ID))
    let result = work()
    return (Time(wall: now(CLOCK_MONOTONIC) - start.0, processor: now(CLOCK_PROCESS_CPUTIME_ID) - start.1), result)
  }

  private static func now(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1_000_000
  }
}
