import GarlandResults
import Synchronization

/// Carries a run's events to its reports on a thread of their own.
///
/// ```swift
/// let pipeline = ReportPipeline([console, junit])
/// await run(plan, observer: pipeline)
/// for error in await pipeline.finish() { … }
/// ```
///
/// `receive` only appends to a queue. When reports fall behind (a console whose pipe nobody reads), `isReady` turns false at 4,096 waiting
/// events or 8 MiB of bodies and `waitUntilReady()` suspends, so that nothing new starts while the transfers under way go on and are
/// accepted; at four times as much `receive` itself waits, which bounds memory even for a run that never asks.
///
/// Without reports every event is dropped on the spot.
public final class ReportPipeline: RunObserver {
  /// What any of the reports looks at.
  public let detail: RunDetail
  private let queue: EventQueue?
  private let completion: Completion
  /// What has no thread yet.
  private let waiting: Mutex<ReportWork?>
  private let isStarted: Atomic<Bool>

  /// - Parameters:
  ///   - reporters: the reports; they belong to the pipeline's thread from now on.
  ///   - startsAtOnce: whether there is a thread from the beginning. Otherwise ``start()`` makes one, or so many events that a run should wait for
  ///     them; and if neither comes before ``finish()``, that writes the reports where it is called.
  public convenience init(_ reporters: sending [any Reporter], startsAtOnce: Bool = true) {
    self.init(reporters, limits: EventQueue.Limits(), startsAtOnce: startsAtOnce)
  }

  init(_ reporters: sending [any Reporter], limits: EventQueue.Limits, startsAtOnce: Bool = true) {
    completion = Completion()
    detail = reporters.reduce(into: []) { $0.formUnion($1.detail) }
    guard !reporters.isEmpty else {
      queue = nil
      waiting = Mutex(nil)
      isStarted = Atomic(true)
      completion.complete(with: [])
      return
    }
    let queue = EventQueue(limits: limits)
    self.queue = queue
    waiting = Mutex(ReportWork(queue: queue, reporters: reporters, completion: completion))
    isStarted = Atomic(false)
    if startsAtOnce { start() }
  }

  /// Gives the reports their thread, unless they have one. From then on they are written while the run goes on.
  public func start() {
    guard let work = takeWaiting() else { return }
    let status = WorkerThread.start { work.run() }
    guard status != 0 else { return }
    queue?.close()
    completion.complete(with: [.noThread(reason: status)])
  }

  private func takeWaiting() -> ReportWork? {
    isStarted.store(true, ordering: .relaxed)
    return waiting.withLock { $0.take() }
  }

  deinit { queue?.close() }

  /// Whether the reports keep up.
  public var isReady: Bool { !(queue?.isBehind ?? false) }

  /// Suspends while the reports are behind.
  public func waitUntilReady() async { await queue?.waitUntilTaken() }

  /// Queues an event for the reports, unless none of them looks at its kind.
  public func receive(_ event: RunEvent) {
    guard let queue else { return }
    var weight = 0
    switch event {
    case .stepProgressed: guard detail.contains(.progress) else { return }
    case .stepReady, .stepStarted, .stepWaits: guard detail.contains(.lifecycle) else { return }
    // What passed at once has its bodies told only if somebody looks at them.
    case .stepEnded(let result) where result.outcome == .passed && result.exchanges.count <= 1 && !detail.contains(.bodies): break
    case .stepEnded(let result):
      for exchange in result.exchanges {
        weight += (exchange.requestBody?.bytes.count ?? 0) + (exchange.responseBody?.bytes.count ?? 0)
      }
    case .runStarted, .notice, .interrupted, .runEnded: break
    }
    queue.put(event, bytes: weight)
    // Before the sender could be held back, which only a thread that takes them ends.
    if queue.isBehind, !isStarted.load(ordering: .relaxed) { start() }
  }

  /// Ends without a report, as when the run could not begin: nothing is written, and what was begun is removed.
  public func discard() async {
    completion.isDiscarded.store(true, ordering: .relaxed)
    _ = await end()
  }

  /// Takes no more events, waits until every report is written, and returns what went wrong. Further calls return the same.
  public func finish() async -> [ReportError] { await end() }

  private func end() async -> [ReportError] {
    queue?.close()
    takeWaiting()?.run()
    return await completion.result()
  }
}

/// What the reports' thread does.
///
/// `@unchecked Sendable`: made on one thread and handed to the worker, which alone uses the reporters from then on.
private final class ReportWork: @unchecked Sendable {
  private let queue: EventQueue
  private let reporters: [any Reporter]
  private let completion: Completion

  init(queue: EventQueue, reporters: sending [any Reporter], completion: Completion) {
    self.queue = queue
    self.reporters = reporters
    self.completion = completion
  }

  func run() {
    var isLast = false
    while !isLast {
      let batch = queue.take(within: reporters.compactMap { $0.timeUntilFlush() }.min())
      for event in batch.events {
        for reporter in reporters { reporter.receive(event) }
      }
      for reporter in reporters { reporter.flush() }
      isLast = batch.isLast
    }
    var errors: [ReportError] = []
    for reporter in reporters where !completion.isDiscarded.load(ordering: .relaxed) {
      do throws(ReportError) {
        try reporter.finish()
      } catch {
        errors.append(error)
      }
    }
    completion.complete(with: errors)
  }
}

/// A value that is awaited by many and set once.
private final class Completion: Sendable {
  private enum State {
    case pending([CheckedContinuation<[ReportError], Never>])
    case done([ReportError])
  }

  /// Whether the reports are not to be written. Set before the queue is closed, whose lock makes it known to the worker.
  let isDiscarded = Atomic(false)
  private let state = Mutex(State.pending([]))

  func complete(with errors: [ReportError]) {
    let waiters = state.withLock { state -> [CheckedContinuation<[ReportError], Never>] in
      guard case .pending(let waiters) = state else { return [] }
      state = .done(errors)
      return waiters
    }
    for waiter in waiters { waiter.resume(returning: errors) }
  }

  func result() async -> [ReportError] {
    await withCheckedContinuation { continuation in
      let errors = state.withLock { state -> [ReportError]? in
        switch state {
        case .pending(let waiters):
          state = .pending(waiters + [continuation])
          return nil
        case .done(let errors): return errors
        }
      }
      if let errors { continuation.resume(returning: errors) }
    }
  }
}
