import GarlandResults
import Synchronization

/// Decides when the repetitions of the workflow begin in a load test. The type has no clock: callers pass the time since the beginning of
/// the load test.
///
/// With a rate, each repetition has a fixed time at which it should begin, even if the server is slow. If all users are busy at that time,
/// the repetition begins late, as soon as a user is free. Without a rate, a user begins the next repetition when the previous repetition of
/// the same user has ended.
struct LoadSchedule {
  /// The next action of a load test.
  enum Decision: Equatable {
    /// Begins a repetition of the workflow.
    ///
    /// - Parameters:
    ///   - number: the number of the repetition on this machine, from 1.
    ///   - intended: the time at which the repetition should begin.
    case begin(_ number: Int, intended: Duration)
    /// Waits until the given time before the next decision.
    case wait(until: Duration)
    /// Waits until a repetition of the workflow has ended, and then decides again.
    case waitForEnd
    /// Ends the schedule: no further repetition begins.
    case done
  }

  let settings: LoadSettings
  /// The number of repetitions that this schedule has begun so far, including those that have ended.
  private(set) var begun = 0
  /// The number of repetitions that have begun and not ended.
  private(set) var underWay = 0
  /// Whether the load was stopped, so that no further repetition begins.
  private(set) var isStopped = false

  private let numbers: RepetitionNumbers
  private let place: WorkerPlace
  /// With a rate, the part of an interval between two repetitions by which all repetitions begin later.
  private let phase: Double

  /// Creates the schedule of a load test, or of one of several threads that share the users of a load test.
  ///
  /// - Parameters:
  ///   - settings: the settings of the whole load test.
  ///   - numbers: the object that gives each repetition its number. All threads share this object. Nil if there is only one thread.
  ///   - place: the thread to which the schedule belongs. A load test with a rate has only one thread.
  ///   - part: the number of this machine, and the number of all machines that share the load. With a rate, the repetitions of all machines
  ///     begin one after another, and not at the same times.
  init(
    _ settings: LoadSettings, _ numbers: RepetitionNumbers? = nil, of place: WorkerPlace = WorkerPlace(index: 0, count: 1),
    part: (number: Int, count: Int) = (1, 1)
  ) {
    self.settings = settings
    phase = Double(part.number - 1) / Double(part.count)
    self.numbers = numbers ?? RepetitionNumbers(limit: settings.repetitions)
    self.place = place
  }

  mutating func stop() { isStopped = true }

  mutating func ended() { underWay -= 1 }

  mutating func next(at now: Duration) -> Decision {
    guard !isStopped, numbers.areLeft else { return .done }
    let intended = settings.rate.map { settings.time(of: Double(begun) + phase, rate: $0) }
    // A repetition that begins after its planned time is late; it is not skipped.
    if let duration = settings.duration, intended ?? now >= duration { return .done }
    if let intended, intended > now { return .wait(until: intended) }
    let users = users(at: now)
    guard underWay < users else {
      guard users < place.share(of: settings.users) else { return .waitForEnd }
      return .wait(until: settings.ramp * Double(place.overall(users)) / Double(settings.users))
    }
    guard let number = numbers.take() else { return .done }
    begun += 1
    underWay += 1
    return .begin(number, intended: intended ?? now)
  }

  /// Returns the number of this thread's users that may be active at the time `now`. If the load test has a ramp but no rate, the users of
  /// all threads become active one after another during the ramp. Otherwise, all users may be active from the beginning.
  ///
  /// - Parameter now: the time since the beginning of the load.
  private func users(at now: Duration) -> Int {
    guard settings.rate == nil, settings.ramp > .zero, now < settings.ramp else { return place.share(of: settings.users) }
    // The moment at which a user joins is rounded to nanoseconds.
    let share = (now + .nanoseconds(1)) / settings.ramp
    return place.share(of: min(settings.users, 1 + Int(share * Double(settings.users))))
  }
}

/// The position of a thread among the threads that share the users of a load test. The users are dealt to the threads in turn: the first of
/// two threads gets the users 0, 2 and 4.
struct WorkerPlace {
  /// The index of this thread among the threads of the load test.
  let index: Int
  /// The number of threads of the load test.
  let count: Int

  /// Returns the number of users that this thread simulates if the load test has `users` users.
  func share(of users: Int) -> Int { max(0, (users - index + count - 1) / count) }

  /// Returns a user's index among the users of all threads.
  ///
  /// - Parameter user: the user's index among the users of this thread.
  func overall(_ user: Int) -> Int { user * count + index }
}

/// Assigns numbers to the repetitions of a load test on this machine. The threads of the test take the numbers from this shared object.
final class RepetitionNumbers: Sendable {
  private let limit: Int
  private let taken = Atomic(0)

  /// Creates the numbers from 1 to `limit`; without an end if `limit` is nil.
  init(limit: Int?) { self.limit = limit ?? .max }

  /// Whether a further repetition may begin.
  var areLeft: Bool { taken.load(ordering: .relaxed) < limit }

  /// Returns the number of the next repetition; nil if all repetitions have begun.
  func take() -> Int? {
    let number = taken.add(1, ordering: .relaxed).newValue
    return number <= limit ? number : nil
  }
}
