/// A receiver of the events of a run: a console, a report file, a test.
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
  /// The details that this observer needs. The run reads it once, before the first event, and omits
  /// details that no observer needs.
  ///
  /// Default: everything.
  var detail: RunDetail { get }

  /// Receives the events in order, on the thread of the run: it must not block. Slow work belongs
  /// in a queue.
  func receive(_ event: RunEvent)

  /// Returns when the observer has caught up enough for the run to start further steps.
  ///
  /// A run awaits this before it starts a step, so that a slow observer (a console whose pipe is
  /// full) delays new steps, and not the transfers in progress. Default: returns at once.
  func waitUntilReady() async

  /// Whether `waitUntilReady()` would return at once; fast enough to be read for every step.
  /// Default: true.
  var isReady: Bool { get }
}

extension RunObserver {
  /// Default implementation: all details.
  public var detail: RunDetail { .everything }
  /// Default implementation: returns at once.
  public func waitUntilReady() async {}
  /// Default implementation: true.
  public var isReady: Bool { true }
}
