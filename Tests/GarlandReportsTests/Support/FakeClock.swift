import Synchronization

/// A clock that tests set.
final class FakeClock: Sendable {
  private let time = Mutex(Duration.seconds(100))

  var now: Duration { time.withLock { $0 } }

  func advance(_ duration: Duration) { time.withLock { $0 += duration } }
}
