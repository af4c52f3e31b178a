import Glibc

/// Sends SIGXCPU before the process has used all of its processor time (`ulimit -t`).
///
/// At the hard limit, which `ulimit -t` sets together with the soft limit, the system ends the process without a chance to write reports.
final class ProcessorTimer {
  /// The maximum processor time, in nanoseconds, that is reserved for the cleanups and the reports of a run.
  private static let longest: Int64 = 2_000_000_000
  /// The clock that the system compares with the limit on processor time: the ticks that this process has used (`CPUCLOCK_PROF` of the
  /// process 0, which means the calling process; see `clock_getcpuclockid(3)`). `CLOCK_PROCESS_CPUTIME_ID` is more precise, but was 25 %
  /// behind this clock on a busy machine.
  private static let clock: clockid_t = ~0 << 3
  /// The number of the timer as a pointer. The number of the first timer is 0, so that nil is a valid timer.
  private let timer: timer_t?

  /// Starts the timer. Returns nil if the processor time is not limited.
  ///
  /// The first signal arrives when three quarters of the time are used, or two seconds before the limit, whichever is later. A second
  /// signal arrives after half of the remaining time; cleanups no longer run after it.
  init?() {
    var limit = rlimit()
    var created: timer_t?
    var event = sigevent()
    event.sigev_notify = Int32(SIGEV_SIGNAL)
    event.sigev_signo = SIGXCPU
    guard getrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limit) == 0, limit.rlim_cur < 1 << 32,
      timer_create(Self.clock, &event, &created) == 0
    else { return nil }
    timer = created
    let end = max(1, Int64(limit.rlim_cur)) * 1_000_000_000
    let rest = min(Self.longest, end / 4)
    var times = itimerspec(it_interval: Self.time(rest / 2), it_value: Self.time(end - rest))
    timer_settime(timer, TIMER_ABSTIME, &times, nil)
  }

  deinit { timer_delete(timer) }

  private static func time(_ nanoseconds: Int64) -> timespec {
    timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
  }
}
