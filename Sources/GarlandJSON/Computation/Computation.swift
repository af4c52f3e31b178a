import Glibc
import Synchronization

/// A time limit for work whose cost depends on data of another party, such as the response of a server.
///
/// ```swift
/// let computation = Computation(limit: .seconds(2))
/// let values = try computation.run { try path.values(in: body) }   // throws .outOfTime after two seconds
/// ```
/// The paths, schemas, patterns, comparisons and parsers of this package read ``current`` once and call ``isOver(after:)`` during their
/// work. Any other code that ``run(_:)`` calls can do the same. When the time is over, this code throws an error. A function that can't
/// throw ends early with a result that must not be used, and ``hasEnded-type.property`` is true. Another thread can end the work earlier
/// with ``shorten(to:)``. If the memory of the process is limited, a lack of memory ends the work, too.
public final class Computation: Sendable {
  /// The number of units of work between two readings of the clock. This much work takes about ten microseconds.
  private static let stride = 4096
  private static let never = Int64.max

  /// The time by which the computation must end, in nanoseconds of the monotonic clock; 0 until the clock is first read.
  private let end: Atomic<Int64>
  /// The time limit of the computation, counted from the moment at which the clock is first read. Used only if neither the initializer nor
  /// ``shorten(to:)`` has set ``end`` before this moment.
  private let patience: Duration
  /// The number of units of work that the computation may still do before it reads the clock again. Only the thread of the computation
  /// changes this number.
  private let credit = Atomic<Int>(stride)
  private let ended = Atomic<Bool>(false)
  private let missingMemory = Mutex<String?>(nil)
  private let interrupt: ComputationInterrupt?
  /// The time for which the work may continue after an interrupt with the urgency `stop`. If nil, only an interrupt with the urgency
  /// `abort` ends the work.
  private let leeway: Duration?
  /// The time limit in words, for a message such as "the value was not evaluated within …"; nil if the caller writes the message itself.
  public let limitInWords: String?

  /// Creates a computation with a time limit that counts from now. Nil means no limit until ``shorten(to:)``
  /// sets one.
  public init(limit: Duration?) {
    end = Atomic(limit.map { Self.time(after: $0) } ?? Self.never)
    patience = .zero
    interrupt = nil
    leeway = nil
    limitInWords = nil
  }

  /// Creates a computation whose time limit begins when the computation reads the clock for the first time. Short work ends before it reads
  /// the clock, so no time limit applies to it.
  ///
  /// - Parameters:
  ///   - patience: The time limit, counted from the first reading of the clock.
  ///   - interrupt: The interrupt that can end the computation earlier.
  ///   - leeway: The time for which the work continues after an interrupt with the urgency `stop`; nil to continue until an interrupt with
  ///     the urgency `abort`.
  ///   - limitInWords: The limit in words, for a message such as "the value was not evaluated within …".
  public init(
    patience: Duration, interrupt: ComputationInterrupt? = nil, leeway: Duration? = .zero, limitInWords: String? = nil
  ) {
    end = Atomic(0)
    self.patience = patience
    self.interrupt = interrupt
    self.leeway = leeway
    self.limitInWords = limitInWords
  }

  /// Whether the time limit, an interrupt or a lack of memory has ended the computation, so that the result is incomplete.
  public var hasEnded: Bool { ended.load(ordering: .relaxed) }

  /// Shortens the time limit: from now on, the work may take at most the time `limit`. Has no effect if the time that is left is shorter
  /// than `limit`. Any thread may call this method.
  public func shorten(to limit: Duration) {
    let time = Self.time(after: limit)
    var known = end.load(ordering: .relaxed)
    while known == 0 || known > time {
      let (done, found) = end.compareExchange(expected: known, desired: time, ordering: .relaxed)
      if done { return }
      known = found
    }
  }

  /// Returns whether the time limit, an interrupt or a lack of memory has ended the work. Reads the clock only if enough work was done
  /// since the last reading.
  ///
  /// - Parameter work: The amount of work since the last call; one unit takes some nanoseconds.
  @inline(__always)
  public func isOver(after work: Int = 1) -> Bool {
    let left = credit.load(ordering: .relaxed) &- work
    credit.store(left, ordering: .relaxed)
    return left < 0 && looksOver()
  }

  /// Returns whether the time limit, an interrupt or a lack of memory has ended the work. Always reads the clock.
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
    if now >= time || isInterrupted {
      stop()
    } else if let shortage = MemorySupply.shortage {
      stop(missing: shortage)
    }
    return hasEnded
  }

  private func stop(missing memory: String? = nil) {
    if let memory { missingMemory.withLock { $0 = memory } }
    // From now on, every call of ``isOver(after:)`` calls ``looksOver()``.
    credit.store(-1, ordering: .relaxed)
    ended.store(true, ordering: .relaxed)
  }

  /// Whether an interrupt has ended the work. This depends on the urgency of the interrupt:
  ///
  /// - `abort` always ends the work.
  /// - `stop` ends the work immediately if ``leeway`` is zero.
  /// - `stop` has no effect if ``leeway`` is nil.
  /// - If ``leeway`` is longer than zero, `stop` lets the work continue for this time: reading this property shortens the time limit of the
  ///   work to ``leeway``.
  private var isInterrupted: Bool {
    guard let urgency = interrupt?.urgency else { return false }
    guard urgency == .stop else { return true }
    guard let leeway else { return false }
    if leeway > .zero { shorten(to: leeway) }
    return leeway <= .zero
  }

  // MARK: Memory

  /// The lack of memory that has ended the computation, described as part of a sentence; nil if no lack of memory has ended it.
  package var shortage: String? { hasEnded ? missingMemory.withLock { $0 } : nil }

  /// Calls `body`, which allocates a block of `bytes` bytes, if the memory for the block is available. Returns whether it called `body`.
  ///
  /// If a large block (at least ``MemorySupply/leastBlock``) does not fit into the memory, the method ends this thread's computation and
  /// returns false. It also returns false for a large block if the computation has already ended. Small blocks are not checked. On a thread
  /// without a computation no block is checked, since no code could handle the lack of memory.
  package static func allocate(_ bytes: Int, _ body: () -> Void) -> Bool {
    guard bytes >= MemorySupply.leastBlock, MemorySupply.isLimited, let current else {
      body()
      return true
    }
    guard !current.hasEnded else { return false }
    guard let shortage = MemorySupply.allocate(bytes, body) else { return true }
    current.stop(missing: shortage)
    return false
  }

  /// Returns whether a block of `bytes` bytes fits into the memory. If not, ends this thread's computation.
  package static func hasRoom(for bytes: Int) -> Bool { allocate(bytes) {} }

  // MARK: The computation of a thread

  /// The computation to which the work of this thread belongs; nil if there is none.
  public static var current: Computation? {
    pthread_getspecific(key).map { Unmanaged<Computation>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Whether the computation of this thread has ended; false if there is none.
  public static var hasEnded: Bool { current?.hasEnded ?? false }

  /// Runs `body` within the time limit of this computation. During the call, ``current`` returns this computation, so that evaluators that
  /// `body` calls observe the limit.
  public func run<Value, Failure>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
    let outer = pthread_getspecific(Self.key)
    pthread_setspecific(Self.key, Unmanaged.passUnretained(self).toOpaque())
    // `self` outlives the call because the caller holds it.
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
