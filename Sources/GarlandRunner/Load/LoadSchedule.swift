import GarlandResults

/// Decides when repetitions begin. A value that knows no clock: it is given the time since the beginning.
///
/// With a rate, each repetition has a time at which it begins, whatever the server does; if all users are busy then, it begins late, as soon
/// as one is free. Without a rate, a user begins the next repetition when one has ended.
struct LoadSchedule {
  /// The next thing to do.
  enum Decision: Equatable {
    /// Begin a repetition, which should have begun at this time.
    case begin(intended: Duration)
    /// Decide again at this time.
    case wait(until: Duration)
    /// Decide again when a repetition has ended.
    case waitForEnd
    /// No further repetition begins.
    case done
  }

  let settings: LoadSettings
  /// How many repetitions have begun.
  private(set) var begun = 0
  /// How many of them have not ended.
  private(set) var underWay = 0
  /// Whether no further one begins, whatever the settings say.
  private(set) var isStopped = false

  init(_ settings: LoadSettings) { self.settings = settings }

  mutating func stop() { isStopped = true }

  mutating func ended() { underWay -= 1 }

  mutating func next(at now: Duration) -> Decision {
    guard !isStopped, settings.repetitions.map({ begun < $0 }) ?? true else { return .done }
    let intended = settings.rate.map { time(of: begun, rate: $0) }
    // A repetition whose time is over before it has begun is late, and not left out.
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

  /// The number of users at a time: without a rate, they come one after another while the ramp lasts.
  private func users(at now: Duration) -> Int {
    guard settings.rate == nil, settings.ramp > .zero, now < settings.ramp else { return settings.users }
    // The moment at which one comes is rounded to nanoseconds.
    let share = (now + .nanoseconds(1)) / settings.ramp
    return min(settings.users, 1 + Int(share * Double(settings.users)))
  }

  /// The time at which a repetition should begin, counted from 0. While the ramp lasts, the rate grows evenly.
  private func time(of number: Int, rate: Double) -> Duration {
    let ramp = settings.ramp / .seconds(1)
    let number = Double(number)
    let inRamp = rate * ramp / 2
    let seconds = number < inRamp ? (2 * ramp * number / rate).squareRoot() : ramp + (number - inRamp) / rate
    return .nanoseconds(Int64(min((seconds * 1e9).rounded(), 9e18)))
  }
}
