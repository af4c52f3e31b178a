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
  /// The kinds of data, such as header fields and bodies, that this observer needs in events. The run reads this property once, before the
  /// first event, and omits data that no observer needs.
  ///
  /// Default: everything.
  var detail: RunDetail { get }

  /// Receives the events in order, on the thread of the run. The function must not block that thread, so it must do slow work on another
  /// thread.
  func receive(_ event: RunEvent)

  /// Waits until the observer has few enough unprocessed events, so that the run may start further steps.
  ///
  /// The run awaits this function before it starts a step. A slow observer, such as a console whose pipe is full, thus delays new steps,
  /// but not the transfers in progress. Default: returns immediately.
  func waitUntilReady() async

  /// Whether `waitUntilReady()` would return immediately. This property must be fast, since the run reads it for every step. Default: true.
  var isReady: Bool { get }
}

extension RunObserver {
  /// Default implementation: all details.
  public var detail: RunDetail { .everything }
  /// Default implementation: returns immediately.
  public func waitUntilReady() async {}
  /// Default implementation: returns true, since the default `waitUntilReady()` returns immediately.
  public var isReady: Bool { true }
}
