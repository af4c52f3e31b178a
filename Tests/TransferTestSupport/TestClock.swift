import GarlandTransfer
import Synchronization

/// A clock on which nobody waits: it notes for how long somebody wanted to.
package final class TestClock: Sendable {
  private let state = Mutex((elapsed: Duration.zero, waits: [Duration]()))
  private let start = ContinuousClock.now

  package init() {}

  package var waits: [Duration] { state.withLock { $0.waits } }

  package func advance(by duration: Duration) { state.withLock { $0.elapsed += duration } }

  package var session: SessionClock {
    SessionClock(
      now: { [self] in start.advanced(by: state.withLock { $0.elapsed }) },
      sleep: { [self] duration in
        state.withLock { state in
          state.waits.append(duration)
          state.elapsed += duration
        }
      }, secondsSince1970: { 1_000_000 })
  }
}
