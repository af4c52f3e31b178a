import Testing

@testable import GarlandRunner

/// Tests of the clock that measures the limits of a step.
@Suite struct StepClockTests {
  @Test func `if a step never waits for a transfer slot, its time limits count from the start of the step`() {
    let clock = StepClock()
    #expect(clock.time(at: .seconds(5)) == .seconds(5))
  }

  @Test func `the time in which a step waits for a transfer slot does not count towards its time limits`() {
    var clock = StepClock()
    clock.stop(at: .seconds(2))
    #expect(clock.time(at: .seconds(9)) == .seconds(2))
    // A step that waits for a slot again has waited from the beginning.
    clock.stop(at: .seconds(5))
    clock.go(at: .seconds(10))
    #expect(clock.time(at: .seconds(10)) == .seconds(2))
    clock.go(at: .seconds(11))
    clock.stop(at: .seconds(12))
    clock.go(at: .seconds(14))
    #expect(clock.time(at: .seconds(15)) == .seconds(5))
  }
}
