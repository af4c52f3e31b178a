import Testing

@testable import GarlandReports

@Suite struct PromptPaceTests {
  private static var limits: PromptPace.Limits {
    var limits = PromptPace.Limits()
    limits.events = 3
    limits.bodyBytes = 100
    return limits
  }

  @Test func `while the timer for writing the reports is running, a run event starts no second timer`() {
    var pace = PromptPace(Self.limits)
    #expect(pace.told(bodyBytes: 0) == .setTimer)
    #expect(pace.told(bodyBytes: 0) == .nothing)
    pace.timerFired()
    #expect(pace.flushed(.done) == .nothing)
    #expect(pace.told(bodyBytes: 0) == .setTimer)
  }

  @Test func `after a fixed number of run events, the reports are written at once instead of when the timer fires`() {
    var pace = PromptPace(Self.limits)
    #expect(pace.told(bodyBytes: 0) == .setTimer)
    #expect(pace.told(bodyBytes: 0) == .nothing)
    #expect(pace.told(bodyBytes: 0) == .flush)
    #expect(pace.flushed(.done) == .nothing)
    #expect(pace.told(bodyBytes: 0) == .nothing)
  }

  @Test func `if a report could write only a part of its output, a timer is set to write the rest`() {
    var pace = PromptPace(Self.limits)
    #expect(pace.told(bodyBytes: 0) == .setTimer)
    pace.timerFired()
    #expect(pace.flushed(.waits) == .setTimer)
    #expect(pace.flushed(.waits) == .nothing)
    pace.timerFired()
    #expect(pace.flushed(.waits) == .setTimer)
  }

  @Test func `if a report cannot be written without waiting, the reports of the run move to a background thread`() {
    var pace = PromptPace(Self.limits)
    #expect(pace.flushed(.mustWait) == .handOver)
  }

  @Test func `if the bodies that reports receive exceed a total size, the reports continue on a background thread`() {
    var pace = PromptPace(Self.limits)
    #expect(pace.told(bodyBytes: 60) == .setTimer)
    #expect(pace.told(bodyBytes: 40) == .nothing)
    #expect(pace.told(bodyBytes: 1) == .handOver)
  }
}
