/// The settings of a load test: how often the plan is repeated, by how many concurrent users, and for how long.
public struct LoadSettings: Sendable, Hashable {
  /// The number of repetitions of the workflow that begin per second, however slowly the server responds. If nil, each user begins a
  /// repetition when the user's previous repetition has ended.
  public var rate: Double?
  /// The maximum number of repetitions of the workflow that run at the same time.
  public var users: Int
  /// The total number of repetitions; nil if only ``duration`` limits the load test.
  public var repetitions: Int?
  /// The time after which no further repetition begins; nil if only ``repetitions`` limits the load test.
  public var duration: Duration?
  /// The duration of the first phase of the load test, in which the rate or the number of users grows to its full value.
  public var ramp: Duration

  /// Creates settings; every property is a parameter.
  public init(rate: Double? = nil, users: Int, repetitions: Int? = nil, duration: Duration? = nil, ramp: Duration = .zero) {
    self.rate = rate
    self.users = users
    self.repetitions = repetitions
    self.duration = duration
    self.ramp = ramp
  }

  /// The minimum delay of a repetition that counts as late. The delay is the time from the planned to the actual start of the repetition.
  public static let lateFrom = Duration.milliseconds(10)

  /// Returns the settings for one of several machines that share the load.
  ///
  /// - Parameters:
  ///   - number: the number of the machine, from 1.
  ///   - count: the number of machines.
  /// - Throws: an error, whatever the `number`, if one of the machines would have no repetition. Without a rate, also if one of the
  ///   machines would have no user.
  public func part(_ number: Int, of count: Int) throws(IndivisibleLoad) -> LoadSettings {
    if rate == nil, users < count { throw IndivisibleLoad(number: users, noun: "user") }
    if let repetitions, repetitions < count { throw IndivisibleLoad(number: repetitions, noun: "repetition") }
    if let rate, let duration {
      let begun = (0..<count).count { time(of: Double($0) / Double(count), rate: rate / Double(count)) < duration }
      if begun < count { throw IndivisibleLoad(number: begun, noun: "repetition") }
    }
    func share(_ whole: Int) -> Int { whole / count + (number <= whole % count ? 1 : 0) }
    var part = self
    part.rate = rate.map { $0 / Double(count) }
    part.users = max(1, share(users))
    part.repetitions = repetitions.map(share)
    return part
  }

  /// Returns the time at which a repetition should begin in a load test with a rate. During the ramp (the first part of a load test), the
  /// rate grows evenly from 0.
  ///
  /// - Parameters:
  ///   - number: the number of the repetition, from 0. It has a fraction if several machines begin repetitions one after another.
  ///   - rate: the number of repetitions per second after the ramp.
  package func time(of number: Double, rate: Double) -> Duration {
    let ramp = self.ramp / .seconds(1)
    let inRamp = rate * ramp / 2
    let seconds = number < inRamp ? (2 * ramp * number / rate).squareRoot() : ramp + (number - inRamp) / rate
    return .nanoseconds(Int64(min((seconds * 1e9).rounded(), 9e18)))
  }
}

/// The reason why a load test can't be divided among several machines: there are fewer users or repetitions than machines.
public struct IndivisibleLoad: Error {
  /// The number of users or repetitions of the load test. It is smaller than the number of machines.
  public let number: Int
  /// The unit of ``number``, in the singular: `user` or `repetition`.
  public let noun: String
}
