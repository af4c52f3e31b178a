import GarlandDiagnostics
import GarlandResults
import Glibc
import Synchronization
import Testing

@testable import GarlandReports

/// A report that records its events and their thread, and returns the configured results.
private final class PromptReporter: Reporter {
  struct Log {
    var steps: [Int] = []
    var threads: Set<UInt> = []
    var promptFlushes = 0
    var flushes = 0
    var isFinished = false
    var answer = PromptFlush.done
  }

  final class Notebook: Sendable {
    let log = Mutex(Log())
    var steps: [Int] { log.withLock { $0.steps } }
  }

  let detail: RunDetail = []
  let isPrompt: Bool
  private let book: Notebook

  init(_ book: Notebook, isPrompt: Bool = true) {
    self.book = book
    self.isPrompt = isPrompt
  }

  func receive(_ event: RunEvent) {
    book.log.withLock { log in
      log.threads.insert(UInt(pthread_self()))
      if case .stepEnded(let result) = event { log.steps.append(result.step.index) }
    }
  }

  func flush() { book.log.withLock { $0.flushes += 1 } }

  func flushWithoutWaiting() -> PromptFlush {
    book.log.withLock { log in
      log.promptFlushes += 1
      return log.answer
    }
  }

  func finish() throws(ReportError) { book.log.withLock { $0.isFinished = true } }
}

@Suite(.timeLimit(.minutes(15))) struct PromptReportTests {
  private static func ended(_ index: Int, body: Int = 0) -> RunEvent {
    var result = StepResult(
      step: Fixture.step(index, "s", "GET /"), outcome: body > 0 ? .failed : .passed, startedAt: .zero, endedAt: .zero)
    if body > 0 {
      result.exchanges = [Fixture.exchange("GET", "http://x/", status: 500, body: String(repeating: "x", count: body))]
    }
    return .stepEnded(result)
  }

  @Test func `if no background thread is needed, the reports of a run receive each event on the thread that sends the event`() async {
    let book = PromptReporter.Notebook()
    let timer = ManualTimer()
    let pipeline = ReportPipeline([PromptReporter(book)], schedule: timer.schedule)
    let threads: Set<UInt> = {
      for index in 0..<100 { pipeline.receive(Self.ended(index)) }
      return [UInt(pthread_self())]
    }()
    #expect(book.steps == Array(0..<100))
    #expect(book.log.withLock { $0.threads } == threads)
    #expect(book.log.withLock { $0.promptFlushes } == 0)
    #expect(timer.count == 1)
    timer.fire()
    #expect(book.log.withLock { $0.promptFlushes } == 1)
    #expect(timer.count == 1)
    pipeline.receive(Self.ended(100))
    #expect(timer.count == 2)
    #expect(pipeline.isReady)
    #expect(await pipeline.finish() == [])
    #expect(book.log.withLock { $0.isFinished })
    timer.fire()
    pipeline.receive(Self.ended(101))
    #expect(book.steps == Array(0...100))
  }

  @Test func `if one report needs a background thread, all reports receive their events on background threads`() async {
    let prompt = PromptReporter.Notebook()
    let other = PromptReporter.Notebook()
    let timer = ManualTimer()
    let pipeline = ReportPipeline([PromptReporter(prompt), PromptReporter(other, isPrompt: false)], schedule: timer.schedule)
    pipeline.receive(Self.ended(0))
    #expect(prompt.steps.isEmpty)
    timer.fire()
    while prompt.steps.isEmpty || other.steps.isEmpty { sched_yield() }
    #expect(await pipeline.finish() == [])
    #expect(prompt.log.withLock { $0.promptFlushes } == 0)
  }

  /// No event is lost or repeated when the report is handed over to another thread.
  @Test func `if a report is handed to a background thread during a run, the report gets each event of the run exactly once`() async {
    let book = PromptReporter.Notebook()
    let timer = ManualTimer()
    let pipeline = ReportPipeline([PromptReporter(book)], schedule: timer.schedule)
    for index in 0..<10 { pipeline.receive(Self.ended(index)) }
    book.log.withLock { $0.answer = .waits }
    timer.fire()
    #expect(timer.count == 2)
    book.log.withLock { $0.answer = .mustWait }
    timer.fire()
    while book.log.withLock({ $0.flushes }) == 0 { sched_yield() }
    for index in 10..<5_000 { pipeline.receive(Self.ended(index)) }
    #expect(await pipeline.finish() == [])
    #expect(book.steps == Array(0..<5_000))
    #expect(book.log.withLock { $0.threads }.count == 2)
    #expect(timer.count == 2)
  }

  @Test func `if the response bodies of failed steps are large, the reports of the run move to a background thread`() async {
    let book = PromptReporter.Notebook()
    var limits = PromptPace.Limits()
    limits.bodyBytes = 1_000
    let pipeline = ReportPipeline(
      [PromptReporter(book)], limits: EventQueue.Limits(), pace: limits, schedule: ManualTimer().schedule)
    for index in 0..<10 { pipeline.receive(Self.ended(index, body: 100)) }
    #expect(book.steps == Array(0..<10))
    #expect(book.log.withLock { $0.flushes } == 0)
    for index in 10..<20 { pipeline.receive(Self.ended(index, body: 100)) }
    #expect(await pipeline.finish() == [])
    #expect(book.steps == Array(0..<20))
    #expect(book.log.withLock { $0.flushes } > 0)
  }

  @Test func `if the reports of a run move to a background thread while many threads send events, no event is lost`() async {
    let book = PromptReporter.Notebook()
    let timer = ManualTimer()
    let pipeline = ReportPipeline([PromptReporter(book)], schedule: timer.schedule)
    await withTaskGroup { group in
      for start in 0..<8 {
        group.addTask {
          for index in 0..<500 {
            pipeline.receive(Self.ended(start * 500 + index))
            if start == 7, index == 250 {
              book.log.withLock { $0.answer = .mustWait }
              timer.fire()
            }
          }
        }
      }
    }
    #expect(await pipeline.finish() == [])
    #expect(book.steps.sorted() == Array(0..<4_000))
  }

  @Test func `a report pipeline that discards its reports does not finish them`() async {
    let book = PromptReporter.Notebook()
    let pipeline = ReportPipeline([PromptReporter(book)], schedule: ManualTimer().schedule)
    pipeline.receive(Self.ended(0))
    await pipeline.discard()
    #expect(!book.log.withLock { $0.isFinished })
  }
}
