import Glibc
import Synchronization

/// When work has to end whose cost somebody else decides: a server by what it sends.
///
/// ```swift
/// let computation = Computation(limit: .seconds(2))
/// let values = try computation.run { try path.values(in: body) }   // throws .outOfTime after two seconds
/// ```
/// Evaluators ask ``current`` once and then ``isOver(after:)`` as they go: paths, schemas, patterns, comparisons and parsers of this package do, and
/// so can anything else that runs within ``run(_:)``. Those that can throw do so; the others end early with a result that is not to be used, which
/// ``hasEnded`` tells. Another thread can end it before its time with ``shorten(to:)``.
public final class Computation: Sendable {
  /// How much work is done between two looks at the clock: some ten microseconds' worth.
  private static let stride = 4096
  private static let never = Int64.max

  /// In nanoseconds of the monotonic clock; 0 until the clock is first read.
  private let end: Atomic<Int64>
  /// How long it may take from the first look at the clock on, where `end` is 0.
  private let patience: Duration
  /// What is left of the stride. Only the thread that computes writes it.
  private let credit = Atomic<Int>(stride)
  private let ended = Atomic<Bool>(false)
  private let interrupt: ComputationInterrupt?
  /// How long it goes on after a first interrupt; nil: until the second one.
  private let leeway: Duration?

  /// Work that may take so long from now on; nil: as long as it likes, unless it is shortened.
  public init(limit: Duration?) {
    end = Atomic(limit.map { Self.time(after: $0) } ?? Self.never)
    patience = .zero
    interrupt = nil
    leeway = nil
  }

  /// Work that may take so long from its first look at the clock on: what is short never looks.
  ///
  /// - Parameters:
  ///   - interrupt: ends it before its time.
  ///   - leeway: how long it goes on after a first interrupt; nil: until the second one.
  public init(patience: Duration, interrupt: ComputationInterrupt? = nil, leeway: Duration? = .zero) {
    end = Atomic(0)
    self.patience = patience
    self.interrupt = interrupt
    self.leeway = leeway
  }

  /// Whether somebody was told that the time is over, so that what was computed is incomplete.
  public var hasEnded: Bool { ended.load(ordering: .relaxed) }

  /// Ends it so long from now, if it would not end before. From any thread.
  public func shorten(to limit: Duration) {
    let time = Self.time(after: limit)
    var known = end.load(ordering: .relaxed)
    while known == 0 || known > time {
      let (done, found) = end.compareExchange(expected: known, desired: time, ordering: .relaxed)
      if done { return }
      known = found
    }
  }

  /// Whether the time is over. Looks at the clock only when enough has been done since it did so last.
  ///
  /// - Parameter work: what was done since the last call: 1 is what takes some nanoseconds.
  @inline(__always)
  public func isOver(after work: Int = 1) -> Bool {
    let left = credit.load(ordering: .relaxed) &- work
    credit.store(left, ordering: .relaxed)
    return left < 0 && looksOver()
  }

  /// Looks at the clock.
  @inline(never)
  public func looksOver() -> Bool {
    if hasEnded { return true }
    credit.store(Self.stride, ordering: .relaxed)
    let now = Self.now
    var time = end.load(ordering: .relaxed)
    if time == 0 {
      let new = now &+ max(1, Self.nanoseconds(patience))
      let (done, found) = end.compareExchange(expected: 0, desired: new, ordering: .relaxed)
      time = done ? new : found
    }
    guard now >= time || isInterrupted else { return false }
    // From now on every call gets here.
    credit.store(-1, ordering: .relaxed)
    ended.store(true, ordering: .relaxed)
    return true
  }

  /// Whether an interrupt ends it now. The first one leaves it its leeway.
  private var isInterrupted: Bool {
    guard let urgency = interrupt?.urgency else { return false }
    guard urgency == .stop else { return true }
    guard let leeway else { return false }
    if leeway > .zero { shorten(to: leeway) }
    return leeway <= .zero
  }

  // MARK: The thread's

  /// What the work that this thread does just now is part of.
  public static var current: Computation? {
    pthread_getspecific(key).map { Unmanaged<Computation>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Whether the work that this thread does just now was told that it is over.
  public static var hasEnded: Bool { current?.hasEnded ?? false }

  /// Does work as part of this.
  public func run<Value, Failure>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
    let outer = pthread_getspecific(Self.key)
    pthread_setspecific(Self.key, Unmanaged.passUnretained(self).toOpaque())
    // `self` outlives the call: whoever calls it holds it.
    defer { pthread_setspecific(Self.key, outer) }
    return try withExtendedLifetime(self) { () throws(Failure) -> Value in try body() }
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  // MARK: Time

  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  private static func nanoseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    guard seconds < never / 2_000_000_000 else { return never / 2 }
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  private static func time(after limit: Duration) -> Int64 { max(1, now + max(0, nanoseconds(limit))) }
}
