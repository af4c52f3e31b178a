import GarlandResults

/// Decides when repetitions begin. It has no clock: callers pass the time since the beginning of the load.
///
/// With a rate, each repetition has a time at which it should begin, whatever the server does. If all users are busy at that
/// time, the repetition begins late, as soon as a user is free. Without a rate, a user begins the next repetition when the
/// previous repetition of the same user has ended.
struct LoadSchedule {
  /// The next action of a load test.
  enum Decision: Equatable {
    /// Begins a repetition, whose planned time is the associated value.
    case begin(intended: Duration)
    /// Waits until the given time before the next decision.
    case wait(until: Duration)
    /// Waits until a repetition has ended before the next decision.
    case waitForEnd
    /// Ends the schedule: no further repetition begins.
    case done
  }

  let settings: LoadSettings
  /// The number of repetitions that have begun.
  private(set) var begun = 0
  /// The number of repetitions that have begun and not ended.
  private(set) var underWay = 0
  /// Whether the load was stopped, so that no further repetition begins.
  private(set) var isStopped = false

  private let phase: Double

  /// Creates the schedule of a load test, or of one of several threads that share a load test.
  ///
  /// - Parameters:
  ///   - settings: the settings, with this thread's part of the users, of the rate and of the repetitions.
  ///   - phase: the part of the time between two repetitions of this thread by which its repetitions begin later: 0 for the first of two
  ///     threads, 0.5 for the second. So all threads together begin their repetitions at equal intervals.
  init(_ settings: LoadSettings, phase: Double = 0) {
    self.settings = settings
    self.phase = phase
  }

  mutating func stop() { isStopped = true }

  mutating func ended() { underWay -= 1 }

  mutating func next(at now: Duration) -> Decision {
    guard !isStopped, settings.repetitions.map({ begun < $0 }) ?? true else { return .done }
    let intended = settings.rate.map { time(of: begun, rate: $0) }
    // A repetition that begins after its planned time is late; it is not skipped.
    if let duration = settings.duration, intended ?? now >= duration { return .done }
    if let intended, intended > now { return .wait(until: intended) }
    let users = users(at: now)
    guard underWay < users else {
      guard users < settings.users else { return .waitForEnd }
      return .wait(until: settings.ramp * Double(users) / Double(settings.users))
    }
    begun += 1
    underWay += 1
    return .begin(intended: intended ?? now)
  }

  /// Returns the number of users that may be active at a time. Without a rate, users join one after another during the ramp.
  ///
  /// - Parameter now: the time since the beginning of the load.
  private func users(at now: Duration) -> Int {
    guard settings.rate == nil, settings.ramp > .zero, now < settings.ramp else { return settings.users }
    // The moment at which a user joins is rounded to nanoseconds.
    let share = (now + .nanoseconds(1)) / settings.ramp
    return min(settings.users, 1 + Int(share * Double(settings.users)))
  }

  /// Returns the time at which a repetition should begin. During the ramp, the rate grows evenly.
  ///
  /// - Parameters:
  ///   - number: the number of the repetition, from 0.
  ///   - rate: the number of repetitions in a second after the ramp.
  private func time(of number: Int, rate: Double) -> Duration {
    let ramp = settings.ramp / .seconds(1)
    let number = Double(number) + phase
    let inRamp = rate * ramp / 2
    let seconds = number < inRamp ? (2 * ramp * number / rate).squareRoot() : ramp + (number - inRamp) / rate
    return .nanoseconds(Int64(min((seconds * 1e9).rounded(), 9e18)))
  }
}
