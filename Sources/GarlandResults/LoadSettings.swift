/// How a run sends load: how often its plan is repeated, by whom, and how long.
public struct LoadSettings: Sendable, Hashable {
  /// Repetitions that begin in a second, whatever the server does; nil if each user begins the next when one has ended.
  public var rate: Double?
  /// The most repetitions under way at once.
  public var users: Int
  /// How many repetitions there are; nil if only time limits them.
  public var repetitions: Int?
  /// How long repetitions begin; nil if only their number limits them.
  public var duration: Duration?
  /// How long it takes until the rate, or the number of users, is reached.
  public var ramp: Duration

  /// Creates settings; every property is a parameter.
  public init(rate: Double? = nil, users: Int, repetitions: Int? = nil, duration: Duration? = nil, ramp: Duration = .zero) {
    self.rate = rate
    self.users = users
    self.repetitions = repetitions
    self.duration = duration
    self.ramp = ramp
  }

  /// A repetition that begins so much later than it should is late.
  public static let lateFrom = Duration.milliseconds(10)

  /// The part of one of several machines that share the load.
  ///
  /// - Parameters:
  ///   - number: the number of the machine, from 1.
  ///   - count: how many there are.
  /// - Returns: nil if there is nothing to do for it: there are fewer users, or repetitions, than machines.
  public func part(_ number: Int, of count: Int) -> LoadSettings? {
    func share(_ whole: Int) -> Int { whole / count + (number <= whole % count ? 1 : 0) }
    var part = self
    part.rate = rate.map { $0 / Double(count) }
    part.users = rate == nil ? share(users) : max(1, share(users))
    part.repetitions = repetitions.map(share)
    return part.users == 0 || part.repetitions == 0 ? nil : part
  }
}
