import Glibc

/// The monotonic clock in nanoseconds, for the timers of the event loop. Changes of the system time do not affect it.
enum MonotonicClock {
  static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}

extension Duration {
  /// The duration in nanoseconds, at least 0 and at most about 290 years.
  var nanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    if seconds < 0 || attoseconds < 0 { return 0 }
    if seconds > 9_000_000_000 { return 9_000_000_000_000_000_000 }
    return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
  }

  /// The duration in milliseconds, for libcurl options. The number is rounded up, since 0 has another meaning in some options.
  var milliseconds: Int { Int(min((nanoseconds + 999_999) / 1_000_000, UInt64(Int32.max))) }
}
