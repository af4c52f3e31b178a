import GarlandResults
import Testing

/// Tests of the phases of a hop's time.
@Suite struct PhasesTests {
  private static func timing(_ total: Int, _ change: (inout Exchange.Timing) -> Void) -> Exchange.Timing {
    var timing = Exchange.Timing(total: .milliseconds(total))
    change(&timing)
    return timing
  }

  private static func sum(_ phases: Exchange.Timing.Phases) -> Duration {
    phases.queue + phases.nameLookup + phases.connect + phases.tls + phases.send + phases.wait + phases.receive
  }

  @Test func `each phase of a request ends where the next phase begins`() {
    let phases = Self.timing(100) {
      $0.nameLookup = .milliseconds(5)
      $0.connect = .milliseconds(15)
      $0.tls = .milliseconds(40)
      $0.requestStart = .milliseconds(41)
      $0.requestSent = .milliseconds(50)
      $0.firstByte = .milliseconds(90)
    }.phases
    #expect(phases.nameLookup == .milliseconds(5) && phases.connect == .milliseconds(10) && phases.tls == .milliseconds(25))
    #expect(phases.queue == .milliseconds(1) && phases.send == .milliseconds(9))
    #expect(phases.wait == .milliseconds(40) && phases.receive == .milliseconds(10))
  }

  @Test func `on a reused connection, the time before the request is sent counts as queue time`() {
    let phases = Self.timing(20) {
      $0.isReused = true
      $0.requestStart = .milliseconds(6)
      $0.firstByte = .milliseconds(18)
    }.phases
    #expect(phases.queue == .milliseconds(6) && phases.wait == .milliseconds(12) && phases.receive == .milliseconds(2))
  }

  @Test func `the time until a connection is refused counts as connect time`() {
    let phases = Self.timing(30) { $0.nameLookup = .milliseconds(10) }.phases
    #expect(phases.nameLookup == .milliseconds(10) && phases.connect == .milliseconds(20))
  }

  @Test func `if a request gets no response, all time after the connection became ready counts as wait time`() {
    let phases = Self.timing(30) {
      $0.connect = .milliseconds(1)
      $0.requestStart = .milliseconds(2)
    }.phases
    #expect(phases.wait == .milliseconds(28))
  }

  /// A server may respond before it has received the whole body.
  @Test(arguments: [[0, 0, 0, 0, 0, 0], [9, 3, 7, 1, 20, 5], [50, 60, 70, 80, 90, 95], [5, 5, 5, 5, 90, 40]])
  func `the phases of a request always add up to its total time`(ends: [Int]) {
    let phases = Self.timing(42) {
      $0.nameLookup = .milliseconds(ends[0])
      $0.connect = .milliseconds(ends[1])
      $0.tls = .milliseconds(ends[2])
      $0.requestStart = .milliseconds(ends[3])
      $0.requestSent = .milliseconds(ends[4])
      $0.firstByte = .milliseconds(ends[5])
    }.phases
    #expect(Self.sum(phases) == .milliseconds(42))
  }
}
