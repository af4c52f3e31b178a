import GarlandDiagnostics
import GarlandResults
import Testing

/// Tests of the events of a run that is repeated (`--repeat`).
@Suite struct RepeatSeriesTests {
  @Test(arguments: [(1, 2), (100, 4), (nil, 4)] as [(Int?, Int)])
  func `the steps of a repeated run have room for the name of the last repetition`(count: Int?, columns: Int) throws {
    let recorder = EventRecorder()
    let series = RepeatSeries(recorder, count: count)
    let loop = StepIdentity(
      index: 1, id: "loop", file: "shop.yaml", workflow: "Shop", summary: nil, tags: [], range: Sample.steps[0].range, action: "GET /loop",
      isCleanup: false, isRequest: true, iterationColumns: 5, loopLimit: nil)
    series.receive(
      .runStarted(RunStart(runID: "k3", startedAt: 0, steps: [Sample.steps[0], loop], dependencies: [[], []], concurrency: 16)))
    let start = try #require(recorder.start)
    #expect(start.steps.map(\.iterationColumns) == [columns, columns + 6])
  }

  @Test func `a run that is repeated is recorded as repeated, even if it runs only once`() throws {
    let recorder = EventRecorder()
    let series = RepeatSeries(recorder, count: 1)
    series.receive(.runStarted(RunStart(runID: "k3", startedAt: 0, steps: Sample.steps, dependencies: [], concurrency: 16)))
    #expect(try #require(recorder.start).isRepeated)
  }
}
