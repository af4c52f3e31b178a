import GarlandDiagnostics
import GarlandResults
import Glibc
import Synchronization
import Testing

@testable import GarlandReports

/// A reporter that counts events, and that can be blocked like a console whose pipe is full.
private final class CountingReporter: Reporter {
  struct Log {
    var steps: [Int] = []
    var progress = 0
    var flushes = 0
  }

  final class Gate: Sendable {
    let log = Mutex(Log())
    private let isOpen = Atomic(true)

    init(isOpen: Bool = true) { self.isOpen.store(isOpen, ordering: .sequentiallyConsistent) }
    /// The number of times that a report has reached the gate.
    let arrivals = Atomic(0)

    func open() { isOpen.store(true, ordering: .sequentiallyConsistent) }
    func pass() {
      arrivals.add(1, ordering: .sequentiallyConsistent)
      while !isOpen.load(ordering: .sequentiallyConsistent) { sched_yield() }
    }
  }

  let detail: RunDetail
  private let gate: Gate
  private let error: ReportError?

  init(gate: Gate, detail: RunDetail = [], error: ReportError? = nil) {
    self.gate = gate
    self.detail = detail
    self.error = error
  }

  func receive(_ event: RunEvent) {
    gate.pass()
    gate.log.withLock { log in
      if case .stepEnded(let result) = event { log.steps.append(result.step.index) }
      if case .stepProgressed = event { log.progress += 1 }
    }
  }

  func flush() { gate.log.withLock { $0.flushes += 1 } }

  func finish() throws(ReportError) {
    if let error { throw error }
  }
}

@Suite struct PipelineTests {
  private static let progress = RunEvent.stepProgressed(
    Fixture.steps[0], iteration: nil, TransferProgress(bytesReceived: 1, bytesExpected: nil, bytesSent: 0, bytesToSend: nil))

  private static func ended(_ index: Int) -> RunEvent {
    .stepEnded(StepResult(step: Fixture.step(index, "s", "GET /"), outcome: .passed, startedAt: .zero, endedAt: .zero))
  }

  @Test func `every report receives all events in order`() async {
    let first = CountingReporter.Gate()
    let second = CountingReporter.Gate()
    let pipeline = ReportPipeline([CountingReporter(gate: first), CountingReporter(gate: second, detail: .progress)])
    #expect(pipeline.detail == .progress)
    for index in 0..<10_000 { pipeline.receive(Self.ended(index)) }
    pipeline.receive(Self.progress)
    #expect(await pipeline.finish() == [])
    #expect(first.log.withLock { $0.steps } == Array(0..<10_000))
    #expect(second.log.withLock { $0.steps } == Array(0..<10_000))
    #expect(first.log.withLock { $0.progress } == 1)
    #expect(await pipeline.finish() == [])
  }

  @Test func `a progress event of a step is discarded if no report of the run needs progress events`() async {
    let gate = CountingReporter.Gate()
    let pipeline = ReportPipeline([CountingReporter(gate: gate)])
    pipeline.receive(Self.progress)
    #expect(await pipeline.finish() == [])
    #expect(gate.log.withLock { $0.progress } == 0)
  }

  @Test func `at the end of a run, ReportPipeline returns the error of each report that failed`() async {
    let gate = CountingReporter.Gate()
    let errors = [ReportError.isDirectory(path: "a"), .cannotWrite(path: "b", reason: ENOSPC)]
    let pipeline = ReportPipeline(errors.map { CountingReporter(gate: gate, error: $0) })
    #expect(await pipeline.finish() == errors)
  }

  @Test func `if no report is requested, the events of a run are discarded`() async {
    let pipeline = ReportPipeline([])
    pipeline.receive(Self.ended(0))
    #expect(pipeline.isReady)
    await pipeline.waitUntilReady()
    #expect(await pipeline.finish() == [])
  }

  @Test func `while too many events wait for a slow report, no new step starts, and no event is lost`() async {
    var limits = EventQueue.Limits()
    limits.softCount = 10
    limits.gathering = .milliseconds(1)
    let gate = CountingReporter.Gate(isOpen: false)
    let pipeline = ReportPipeline([CountingReporter(gate: gate)], limits: limits)
    pipeline.receive(Self.ended(0))
    while gate.arrivals.load(ordering: .sequentiallyConsistent) == 0 { sched_yield() }
    // The report is blocked now. When ten events wait, the run should start no further step, but every event is still accepted at once.
    for index in 1..<40 { pipeline.receive(Self.ended(index)) }
    #expect(!pipeline.isReady)
    let waiting = Task { await pipeline.waitUntilReady() }
    gate.open()
    await waiting.value
    for index in 40..<1_000 { pipeline.receive(Self.ended(index)) }
    #expect(await pipeline.finish() == [])
    #expect(gate.log.withLock { $0.steps } == Array(0..<1_000))
  }

  @Test func `in the queue of run events for the reports, response bodies count towards the size limit of the queue`() async {
    var limits = EventQueue.Limits()
    limits.softBytes = 100
    limits.gathering = .seconds(10)
    let queue = EventQueue(limits: limits)
    queue.put(Self.ended(0), bytes: 99)
    #expect(!queue.isBehind)
    queue.put(Self.ended(1), bytes: 1)
    #expect(queue.isBehind)
    #expect(queue.take(within: nil).events.count == 2)
    #expect(!queue.isBehind)
    queue.close()
    #expect(queue.take(within: nil).isLast)
    queue.put(Self.ended(2), bytes: 0)
    #expect(queue.take(within: nil).events.isEmpty)
  }

  @Test func `if many threads pass run events to a report at the same time, the report receives every event`() async {
    let gate = CountingReporter.Gate()
    let pipeline = ReportPipeline([CountingReporter(gate: gate)])
    await withTaskGroup { group in
      for start in 0..<8 { group.addTask { for index in 0..<500 { pipeline.receive(Self.ended(start * 500 + index)) } } }
    }
    #expect(await pipeline.finish() == [])
    #expect(gate.log.withLock { $0.steps.sorted() } == Array(0..<4_000))
  }

  /// With a timer, there is no thread at first, so the caller of `finish` writes the reports.
  @Test func `if a run ends before the background thread for its reports starts, the reports are still written`() async {
    let gate = CountingReporter.Gate()
    let timer = ManualTimer()
    let error = ReportError.cannotWrite(path: "b", reason: ENOSPC)
    let pipeline = ReportPipeline([CountingReporter(gate: gate, error: error)], schedule: timer.schedule)
    for index in 0..<100 { pipeline.receive(Self.ended(index)) }
    #expect(gate.arrivals.load(ordering: .sequentiallyConsistent) == 0)
    #expect(await pipeline.finish() == [error])
    #expect(gate.log.withLock { $0.steps } == Array(0..<100))
    timer.fire()
    #expect(await pipeline.finish() == [error])
  }

  @Test func `if the background thread for reports starts late, it handles the events that already wait`() async {
    let gate = CountingReporter.Gate()
    let timer = ManualTimer()
    let pipeline = ReportPipeline([CountingReporter(gate: gate)], schedule: timer.schedule)
    pipeline.receive(Self.ended(0))
    timer.fire()
    timer.fire()
    while gate.log.withLock({ $0.steps }).isEmpty { sched_yield() }
    pipeline.receive(Self.ended(1))
    #expect(timer.count == 1)
    #expect(await pipeline.finish() == [])
    #expect(gate.log.withLock { $0.steps } == [0, 1])
  }

  /// Without a thread, the events would never be processed, and the sender would wait forever.
  @Test func `if too many events wait in the queue, the thread for reports starts without waiting for a timer`() async {
    var limits = EventQueue.Limits()
    limits.softCount = 10
    let gate = CountingReporter.Gate()
    let pipeline = ReportPipeline([CountingReporter(gate: gate)], limits: limits, schedule: ManualTimer().schedule)
    for index in 0..<1_000 { pipeline.receive(Self.ended(index)) }
    #expect(gate.arrivals.load(ordering: .sequentiallyConsistent) > 0)
    #expect(await pipeline.finish() == [])
    #expect(gate.log.withLock { $0.steps } == Array(0..<1_000))
  }
}
