import Testing

@testable import GarlandReports

@Suite struct PromptPaceTests {
  private static var limits: PromptPace.Limits {
    var limits = PromptPace.Limits()
    limits.events = 3
    limits.bodyBytes = 100
    return limits
  }

  @Test func `the timer is set once for all events until it fires`() {
    var pace = PromptPace(Self.limits)
    #expect(pace.told(bodyBytes: 0) == .setTimer)
    #expect(pace.told(bodyBytes: 0) == .nothing)
    pace.timerFired()
    #expect(pace.flushed(.done) == .nothing)
    #expect(pace.told(bodyBytes: 0) == .setTimer)
  }

  @Test func `many events are flushed without waiting for the timer`() {
    var pace = PromptPace(Self.limits)
    #expect(pace.told(bodyBytes: 0) == .setTimer)
    #expect(pace.told(bodyBytes: 0) == .nothing)
    #expect(pace.told(bodyBytes: 0) == .flush)
    #expect(pace.flushed(.done) == .nothing)
    #expect(pace.told(bodyBytes: 0) == .nothing)
  }

  @Test func `output without room is retried without further events`() {
    var pace = PromptPace(Self.limits)
    #expect(pace.told(bodyBytes: 0) == .setTimer)
    pace.timerFired()
    #expect(pace.flushed(.waits) == .setTimer)
    #expect(pace.flushed(.waits) == .nothing)
    pace.timerFired()
    #expect(pace.flushed(.waits) == .setTimer)
  }

  @Test func `a report that must wait is handed to a thread`() {
    var pace = PromptPace(Self.limits)
    #expect(pace.flushed(.mustWait) == .handOver)
  }

  @Test func `more bodies than the limit are handed to a thread`() {
    var pace = PromptPace(Self.limits)
    #expect(pace.told(bodyBytes: 60) == .setTimer)
    #expect(pace.told(bodyBytes: 40) == .nothing)
    #expect(pace.told(bodyBytes: 1) == .handOver)
  }
}
