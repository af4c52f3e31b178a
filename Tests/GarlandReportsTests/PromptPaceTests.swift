import Testing

@testable import GarlandReports

@Suite struct PromptPaceTests {
  private static var limits: PromptPace.Limits {
    var limits = PromptPace.Limits()
    limits.events = 3
    limits.bodyBytes = 100
    return limits
  }

  @Test func `many events set the flush timer only once until it fires`() {
    var pace = PromptPace(Self.limits)
    #expect(pace.told(bodyBytes: 0) == .setTimer)
    #expect(pace.told(bodyBytes: 0) == .nothing)
    pace.timerFired()
    #expect(pace.flushed(.done) == .nothing)
    #expect(pace.told(bodyBytes: 0) == .setTimer)
  }

  @Test func `a large number of events is flushed before the timer fires`() {
    var pace = PromptPace(Self.limits)
    #expect(pace.told(bodyBytes: 0) == .setTimer)
    #expect(pace.told(bodyBytes: 0) == .nothing)
    #expect(pace.told(bodyBytes: 0) == .flush)
    #expect(pace.flushed(.done) == .nothing)
    #expect(pace.told(bodyBytes: 0) == .nothing)
  }

  @Test func `output that did not fit is retried by the timer without further events`() {
    var pace = PromptPace(Self.limits)
    #expect(pace.told(bodyBytes: 0) == .setTimer)
    pace.timerFired()
    #expect(pace.flushed(.waits) == .setTimer)
    #expect(pace.flushed(.waits) == .nothing)
    pace.timerFired()
    #expect(pace.flushed(.waits) == .setTimer)
  }

  @Test func `a report that must wait for its output is handed over to a thread`() {
    var pace = PromptPace(Self.limits)
    #expect(pace.flushed(.mustWait) == .handOver)
  }

  @Test func `bodies beyond the size limit are handed over to a thread`() {
    var pace = PromptPace(Self.limits)
    #expect(pace.told(bodyBytes: 60) == .setTimer)
    #expect(pace.told(bodyBytes: 40) == .nothing)
    #expect(pace.told(bodyBytes: 1) == .handOver)
  }
}
