import Glibc

/// Time that the process has spent, and its memory.
enum Stopwatch {
  /// The milliseconds that some work takes, and what it gives.
  static func time<Result>(_ work: () -> Result) -> (milliseconds: Double, result: Result) {
    let start = now
    let result = work()
    return (now - start, result)
  }

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1_000_000
  }

  /// The most memory the process has had so far, in bytes.
  static var peakMemory: Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss << 10
  }
}
