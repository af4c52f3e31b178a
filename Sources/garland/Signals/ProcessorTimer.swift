import Glibc

/// Sends SIGXCPU to this process shortly before the process has used all the processor time that `ulimit -t` allows.
///
/// `ulimit -t` sets both the soft limit and the hard limit. At the hard limit, the system ends the process, which can then write no
/// reports.
final class ProcessorTimer {
  /// The maximum processor time, in nanoseconds, that is reserved for the cleanups and the reports of a run.
  private static let longest: Int64 = 2_000_000_000
  /// The clock of the timer. The clock counts the processor time of this process in ticks, as the system does for the limit on processor
  /// time.
  ///
  /// The value is `CPUCLOCK_PROF` of the process ID 0, which means the calling process; see `clock_getcpuclockid(3)`.
  /// `CLOCK_PROCESS_CPUTIME_ID` is more precise, but showed 25 % less than this clock on a busy machine.
  private static let clock: clockid_t = ~0 << 3
  /// The number of the timer. The C library stores the number as a pointer, so the number 0 of the first timer appears here as nil.
  private let timer: timer_t?

  /// Starts the timer. Returns nil if the processor time is not limited.
  ///
  /// The first signal arrives when a quarter of the processor time is left, or two seconds if a quarter is longer. The second signal
  /// arrives halfway between the first signal and the limit. After the second signal, cleanups no longer run.
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
