/// Something that follows a run: a console, a report file, a test.
///
/// ```swift
/// struct Counter: RunObserver {
///   let ended = Mutex(0)
///   var detail: RunDetail { [] }
///   func receive(_ event: RunEvent) {
///     if case .stepEnded = event { ended.withLock { $0 += 1 } }
///   }
/// }
/// ```
public protocol RunObserver: Sendable {
  /// What of the run this observer looks at. It is asked once, before the first event; what nobody looks at need not be made.
  ///
  /// Default: everything.
  var detail: RunDetail { get }

  /// Called in the order of events, from the thread the run goes on: it must not block. What is slow belongs behind a queue.
  func receive(_ event: RunEvent)

  /// Returns when the observer has caught up so far that the run may start further steps.
  ///
  /// A run awaits this before it starts a step, so that what is slow (a console whose pipe is full) holds back new work, not the transfers
  /// that are under way. Default: returns at once.
  func waitUntilReady() async

  /// Whether `waitUntilReady()` would return at once; cheap enough to be asked for every step. Default: true.
  var isReady: Bool { get }
}

extension RunObserver {
  /// Everything.
  public var detail: RunDetail { .everything }
  /// Returns at once.
  public func waitUntilReady() async {}
  /// True.
  public var isReady: Bool { true }
}
