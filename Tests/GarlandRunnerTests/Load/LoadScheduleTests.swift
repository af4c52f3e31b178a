import GarlandResults
import Testing

@testable import GarlandRunner

/// Tests of the times at which repetitions begin.
@Suite struct LoadScheduleTests {
  /// Begins repetitions that take `time` each. Returns the actual and the planned time of each beginning.
  private static func begins(
    _ settings: LoadSettings, _ numbers: RepetitionNumbers? = nil, of place: WorkerPlace = WorkerPlace(index: 0, count: 1),
    part: (number: Int, count: Int) = (1, 1), taking time: Duration
  ) -> [(at: Duration, intended: Duration)] {
    var schedule = LoadSchedule(settings, numbers, of: place, part: part)
    var now = Duration.zero
    var ends: [Duration] = []
    var begins: [(at: Duration, intended: Duration)] = []
    while begins.count < 10_000 {
      while let end = ends.first, end <= now {
        ends.removeFirst()
        schedule.ended()
      }
      switch schedule.next(at: now) {
      case .begin(_, let intended):
        begins.append((now, intended))
        ends.append(now + time)
      case .wait(let until): now = min(until, ends.first ?? until)
      case .waitForEnd: now = ends.first ?? now
      case .done: return begins
      }
    }
    return begins
  }

  private static func milliseconds(_ times: [Duration]) -> [Int] { times.map { Int($0 / .milliseconds(1)) } }

  @Test func `in a load test with a rate, each repetition begins at its scheduled time`() {
    let begins = Self.begins(LoadSettings(rate: 4, users: 10, repetitions: 5), taking: .milliseconds(10))
    #expect(Self.milliseconds(begins.map(\.at)) == [0, 250, 500, 750, 1_000])
  }

  @Test(arguments: [Duration.zero, .seconds(2)])
  func `the shards of a load test with a rate begin repetitions at the times of the whole load`(ramp: Duration) {
    let whole = Self.begins(LoadSettings(rate: 10, users: 100, duration: .seconds(5), ramp: ramp), taking: .milliseconds(1))
    let parts = (1...4).flatMap { number in
      Self.begins(
        LoadSettings(rate: 2.5, users: 25, duration: .seconds(5), ramp: ramp), part: (number, 4), taking: .milliseconds(1))
    }
    #expect(Self.milliseconds(parts.map(\.at).sorted()) == Self.milliseconds(whole.map(\.at)))
  }

  @Test func `if no user of a load test is free, a repetition begins late, but its scheduled time is unchanged`() {
    let begins = Self.begins(LoadSettings(rate: 2, users: 1, repetitions: 4), taking: .seconds(1))
    #expect(Self.milliseconds(begins.map(\.at)) == [0, 1_000, 2_000, 3_000])
    #expect(Self.milliseconds(begins.map(\.intended)) == [0, 500, 1_000, 1_500])
  }

  @Test func `a load test has as many repetitions as its rate times its duration, even if repetitions are slow`() {
    for time in [Duration.milliseconds(1), .seconds(7)] {
      #expect(Self.begins(LoadSettings(rate: 20, users: 5, duration: .seconds(10)), taking: time).count == 200)
    }
  }

  @Test func `the rate of a load test increases evenly during the ramp-up time`() {
    let begins = Self.begins(LoadSettings(rate: 100, users: 50, duration: .seconds(20), ramp: .seconds(10)), taking: .milliseconds(1))
    #expect(begins.count == 1_500)
    #expect(begins.count { $0.at < .seconds(5) } == 125)
    #expect(begins.count { $0.at < .seconds(10) } == 500)
  }

  @Test func `in a load test without a rate, each user begins a repetition when the user's previous repetition ends`() {
    let begins = Self.begins(LoadSettings(users: 3, repetitions: 7), taking: .seconds(1))
    #expect(Self.milliseconds(begins.map(\.at)) == [0, 0, 0, 1_000, 1_000, 1_000, 2_000])
    #expect(begins.allSatisfy { $0.at == $0.intended })
  }

  @Test func `in a load test without a rate, no repetition begins after the duration of the load test`() {
    let begins = Self.begins(LoadSettings(users: 1, duration: .seconds(10)), taking: .seconds(3))
    #expect(Self.milliseconds(begins.map(\.at)) == [0, 3_000, 6_000, 9_000])
  }

  @Test func `in a load test without a rate, the users start one after another during the ramp-up time`() {
    let begins = Self.begins(LoadSettings(users: 4, repetitions: 4, ramp: .seconds(8)), taking: .seconds(100))
    #expect(Self.milliseconds(begins.map(\.at)) == [0, 2_000, 4_000, 6_000])
  }

  @Test func `after a load test is stopped, no repetition begins`() {
    var schedule = LoadSchedule(LoadSettings(users: 3, repetitions: 7))
    #expect(schedule.next(at: .zero) == .begin(1, intended: .zero))
    schedule.stop()
    #expect(schedule.next(at: .zero) == .done)
    #expect(schedule.underWay == 1)
  }

  @Test func `during the ramp-up time, the users of all threads of a load test join one after another`() {
    let settings = LoadSettings(users: 5, repetitions: 5, ramp: .seconds(5))
    let numbers = RepetitionNumbers(limit: nil)
    let joins = (0..<2).map { index in
      var schedule = LoadSchedule(settings, numbers, of: WorkerPlace(index: index, count: 2))
      return (0..<5).map { second in
        var count = 0
        while case .begin = schedule.next(at: .seconds(second)) { count += 1 }
        return count
      }
    }
    #expect(joins == [[1, 0, 1, 0, 1], [0, 1, 0, 1, 0]])
  }

  @Test func `the threads of a load test together begin no more than the given number of repetitions`() {
    let settings = LoadSettings(users: 7, repetitions: 10)
    let numbers = RepetitionNumbers(limit: 10)
    let begins = (0..<3).map { index in
      Self.begins(settings, numbers, of: WorkerPlace(index: index, count: 3), taking: .seconds(1)).count
    }
    #expect(begins.reduce(0, +) == 10)
  }

  @Test func `the shards of a load test divide its rate, users and repetitions`() throws {
    let whole = LoadSettings(rate: 100, users: 7, repetitions: 10)
    let parts = try (1...3).map { try whole.part($0, of: 3) }
    #expect(parts.map(\.users) == [3, 2, 2])
    #expect(parts.map(\.repetitions) == [4, 3, 3])
    #expect(parts.reduce(0) { $0 + ($1.rate ?? 0) }.rounded() == 100)
  }

  @Test(arguments: [
    (LoadSettings(users: 2, repetitions: 10), "user"), (LoadSettings(users: 5, repetitions: 2), "repetition"),
    (LoadSettings(rate: 100, users: 1, repetitions: 2), "repetition"),
    (LoadSettings(rate: 1, users: 1, duration: .seconds(2)), "repetition"),
    (LoadSettings(rate: 1, users: 1, duration: .milliseconds(2_500), ramp: .seconds(1)), "repetition"),
  ])
  func `a load test with fewer users or repetitions than shards is refused on every shard`(settings: LoadSettings, noun: String) {
    for number in 1...3 {
      do throws(IndivisibleLoad) {
        let part = try settings.part(number, of: 3)
        Issue.record("\(part)")
      } catch {
        #expect(error.noun == noun && error.number == 2)
      }
    }
  }

  @Test(arguments: [(2_001, Duration.zero), (2_501, .seconds(1))])
  func `each shard of a load test with a rate and a duration begins a repetition`(milliseconds: Int, ramp: Duration) throws {
    let settings = LoadSettings(rate: 1, users: 1, duration: .milliseconds(milliseconds), ramp: ramp)
    for number in 1...3 {
      let part = try settings.part(number, of: 3)
      #expect(Self.begins(part, part: (number, 3), taking: .milliseconds(1)).count == 1)
    }
  }

  @Test func `with a rate, each shard of a load test has a user, even if there are more shards than users`() throws {
    let settings = LoadSettings(rate: 100, users: 1, duration: .seconds(60))
    #expect(try (1...3).map { try settings.part($0, of: 3).users } == [1, 1, 1])
  }
}
