import GarlandJSON
import GarlandResults
import Synchronization

/// Passes a run's events to its reports, either on a thread of their own or directly.
///
/// ```swift
/// let pipeline = ReportPipeline([console, junit])
/// await run(plan, observer: pipeline)
/// for error in await pipeline.finish() { … }
/// ```
///
/// **On a thread**, `receive` only appends events to a queue. If the reports fall behind (for example because no process reads a console's
/// pipe), 4,096 events or 8 MiB of bodies may wait in the queue. Then `isReady` becomes false, and `waitUntilReady()` suspends the run
/// before it starts another step. Transfers in progress continue, and their events are accepted. At four times these limits, `receive`
/// itself blocks, which bounds memory even for a run that never checks `isReady`.
///
/// **Directly**, `receive` calls the reports on the thread of the run, and a timer lets them write every 20 ms. This mode is used if all
/// reports declare that they never wait (``Reporter/isPrompt``) and the caller passes a function that starts timers.
///
/// ```swift
/// let pipeline = ReportPipeline([console, junit]) { delay, action in engine.schedule(after: delay, action) }
/// ```
///
/// Direct calls are for reports of lines and numbers, which need little formatting. Handing a result to another thread would cost more than
/// printing it, since both threads then count references to the same objects and free each other's memory.
///
/// A separate thread is better for a report that shows header fields, bodies or the progress of transfers (its `detail` is not empty). It
/// is also better if a report receives the bodies of many failures, or if its output pipe stays full. Therefore, once more than 1 MiB of
/// bodies was received, or a report says that it has to wait (``PromptFlush/mustWait``), the reports get a thread for the rest of the run.
///
/// Without reports, every event is dropped immediately.
package final class ReportPipeline: RunObserver {
  /// A function that starts a timer. The function returns immediately. When `delay` has passed, `action` is called once, on the thread that
  /// sends events to the pipeline.
  package typealias Schedule = @Sendable (_ delay: Duration, _ action: @escaping @Sendable () -> Void) -> Void

  private struct State {
    /// The reports and their queue. Nil if the reports were handed over to a separate thread, or are finished.
    var work: ReportWork?
    var pace: PromptPace
  }

  /// The action that the caller must carry out after it has handled an event or a timer and released the lock of the state.
  private enum Consequence {
    case nothing
    case setTimer
    case handOver(ReportWork)
  }

  /// The details, such as header fields and bodies, that the run must collect because at least one report needs them.
  package let detail: RunDetail
  private let queue: EventQueue?
  private let completion: Completion
  private let schedule: Schedule?
  private let delay: Duration
  /// Whether `receive` may call the reports directly on its caller's thread. This is possible only until the reports are handed over to a
  /// thread of their own.
  private let isPrompt: Bool
  private let state: Mutex<State>
  /// Whether the reports were handed over to a thread of their own. The property `state` then no longer contains the reports.
  private let isHandedOver: Atomic<Bool>

  /// Creates a pipeline.
  ///
  /// - Parameters:
  ///   - reporters: the reports. From now on, only the pipeline may use them.
  ///   - schedule: a function that starts a timer. If nil, which is the default, the pipeline starts a thread immediately. Otherwise, the
  ///     pipeline begins without a thread. If ``Reporter/isPrompt`` is true for all reports, the pipeline calls the reports directly. If it
  ///     is false for a report, the pipeline collects the events, and starts a thread for them after 20 ms. If the run ends within this
  ///     time, ``finish()`` writes the reports.
  package convenience init(_ reporters: sending [any Reporter], schedule: Schedule? = nil) {
    self.init(reporters, limits: EventQueue.Limits(), schedule: schedule)
  }

  init(
    _ reporters: sending [any Reporter], limits: EventQueue.Limits, pace: PromptPace.Limits = PromptPace.Limits(), schedule: Schedule? = nil
  ) {
    completion = Completion()
    detail = reporters.reduce(into: []) { $0.formUnion($1.detail) }
    isPrompt = schedule != nil && reporters.allSatisfy { $0.isPrompt }
    self.schedule = schedule
    delay = limits.gathering
    guard !reporters.isEmpty else {
      queue = nil
      state = Mutex(State(work: nil, pace: PromptPace()))
      isHandedOver = Atomic(true)
      completion.complete(with: [])
      return
    }
    let queue = EventQueue(limits: limits)
    self.queue = queue
    state = Mutex(State(work: ReportWork(queue: queue, reporters: reporters, completion: completion), pace: PromptPace(pace)))
    isHandedOver = Atomic(false)
    if schedule == nil { handOver() }
  }

  deinit { queue?.close() }

  /// Whether the run may start further steps. False while the reports have too many unprocessed events.
  package var isReady: Bool { !(queue?.isBehind ?? false) }

  /// Waits while the reports have too many unprocessed events.
  package func waitUntilReady() async { await queue?.waitUntilTaken() }

  /// Passes an event to the reports, either directly or through the queue of their thread. An event of a kind that no report reads is
  /// dropped.
  package func receive(_ event: RunEvent) {
    guard let queue else { return }
    var weight = 0
    switch event {
    case .stepProgressed: guard detail.contains(.progress) else { return }
    case .stepReady, .stepStarted, .stepWaits: guard detail.contains(.lifecycle) else { return }
    // The bodies of a step that passed at the first attempt are passed on only if a report reads
    // them.
    case .stepEnded(let result) where result.outcome == .passed && result.exchanges.count <= 1 && !detail.contains(.bodies):
      weight = result.sizeOfExtracts
    case .stepEnded(let result):
      for exchange in result.exchanges {
        weight += (exchange.requestBody?.bytes.count ?? 0) + (exchange.responseBody?.bytes.count ?? 0)
      }
      weight += result.sizeOfExtracts
    case .runStarted, .loadProgressed, .notice, .interrupted, .runEnded: break
    }
    if !isHandedOver.load(ordering: .relaxed), tellAtOnce(event, bytes: weight) { return }
    queue.put(event, bytes: weight)
    // The reports are handed over before the sender would have to wait for a thread.
    if queue.isBehind, !isHandedOver.load(ordering: .relaxed) { handOver() }
  }

  /// Passes an event to the reports on the current thread. Returns false if the event was not passed and the caller must queue it: the
  /// reports already run on a separate thread, or a report may block the current thread.
  private func tellAtOnce(_ event: RunEvent, bytes: Int) -> Bool {
    var isTold = true
    let consequence = state.withLock { state -> Consequence in
      guard isPrompt, let work = state.work else {
        isTold = false
        return state.work == nil ? .nothing : Self.settle(state.pace.timer(), &state)
      }
      work.tell(event)
      return Self.settle(state.pace.told(bodyBytes: bytes), &state)
    }
    carryOut(consequence)
    return isTold
  }

  private func timerFired() {
    let consequence = state.withLock { state -> Consequence in
      state.pace.timerFired()
      return Self.settle(isPrompt ? .flush : .handOver, &state)
    }
    carryOut(consequence)
  }

  /// Carries out an action on the reports: for example, flushes the reports, or removes them from `state` so that another thread can use
  /// them. Returns the work that the caller must do next.
  ///
  /// The caller must hold the lock of `state` during the call, so that no other thread uses the reports. The caller must do the returned
  /// work after it has released the lock.
  private static func settle(_ action: PromptPace.Action, _ state: inout State) -> Consequence {
    switch action {
    case .nothing: return .nothing
    case .setTimer: return .setTimer
    case .flush:
      guard let work = state.work else { return .nothing }
      return settle(state.pace.flushed(work.flushWithoutWaiting()), &state)
    case .handOver:
      guard let work = state.work.take() else { return .nothing }
      return .handOver(work)
    }
  }

  private func carryOut(_ consequence: Consequence) {
    switch consequence {
    case .nothing: break
    case .setTimer: schedule?(delay) { [weak self] in self?.timerFired() }
    case .handOver(let work): start(work)
    }
  }

  /// Starts the thread that processes the reports, unless this thread was already started or the reports are finished.
  private func handOver() {
    guard let work = state.withLock({ $0.work.take() }) else { return }
    start(work)
  }

  private func start(_ work: ReportWork) {
    isHandedOver.store(true, ordering: .relaxed)
    let status = WorkerThread.start { [isPrompt] in
      // Writes the output that could not be written without waiting.
      if isPrompt { work.flush() }
      work.run()
    }
    guard status != 0 else { return }
    queue?.close()
    completion.complete(with: [.noThread(reason: status)])
  }

  /// Ends the pipeline without writing reports, for example when the run could not begin. Files that were begun are removed.
  package func discard() async {
    completion.isDiscarded.store(true, ordering: .relaxed)
    _ = await end()
  }

  /// Stops accepting events, waits until every report is written, and returns the errors. Further calls return the same errors.
  ///
  /// Reports without a thread of their own are written on the caller's thread. The caller may then have to wait for a slow reader of the
  /// output. This delays no transfer, because all transfers of the run have ended.
  package func finish() async -> [ReportError] { await end() }

  private func end() async -> [ReportError] {
    queue?.close()
    isHandedOver.store(true, ordering: .relaxed)
    if let work = state.withLock({ $0.work.take() }) {
      if isPrompt { work.finish() } else { work.run() }
    }
    return await completion.result()
  }
}

/// Passes events to the reports, flushes the reports and finishes them. If the reports have their own thread, this work happens there;
/// otherwise, it happens on the run's thread.
///
/// `@unchecked Sendable`: the object is created on one thread. Later, it is used under the pipeline's lock until it is handed over to
/// another thread. From then on, only this other thread uses it.
private final class ReportWork: @unchecked Sendable {
  private let queue: EventQueue
  private let reporters: [any Reporter]
  private let completion: Completion

  init(queue: EventQueue, reporters: sending [any Reporter], completion: Completion) {
    self.queue = queue
    self.reporters = reporters
    self.completion = completion
  }

  func tell(_ event: RunEvent) {
    var event = event
    if MemorySupply.isLimited, case .stepEnded(var result) = event {
      result.omitExtractsWithoutRoom()
      event = .stepEnded(result)
    }
    for reporter in reporters { reporter.receive(event) }
  }

  /// Flushes all reports without waiting, and returns their combined result.
  func flushWithoutWaiting() -> PromptFlush {
    var outcome = PromptFlush.done
    for reporter in reporters {
      switch reporter.flushWithoutWaiting() {
      case .done: break
      case .waits: if outcome == .done { outcome = .waits }
      case .mustWait: outcome = .mustWait
      }
    }
    return outcome
  }

  func flush() {
    for reporter in reporters { reporter.flush() }
  }

  /// Processes events until the queue is closed, and finishes the reports.
  func run() {
    var isLast = false
    while !isLast {
      let batch = queue.take(within: reporters.compactMap { $0.timeUntilFlush() }.min())
      for event in batch.events { tell(event) }
      flush()
      isLast = batch.isLast
    }
    finish()
  }

  func finish() {
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

/// A value that is set once and for which several callers can wait.
private final class Completion: Sendable {
  private enum State {
    case pending([CheckedContinuation<[ReportError], Never>])
    case done([ReportError])
  }

  /// Whether `discard()` was called, so that no more reports are written. This flag is set before the queue is closed; the queue's lock
  /// makes the flag visible to the thread that writes the reports.
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
