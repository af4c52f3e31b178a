import GarlandNetworking
import GarlandSandbox
import Synchronization

/// A session and a server for one test.
func withSandbox(
  _ configuration: SessionConfiguration = .ephemeral, _ body: (Session, Sandbox) async throws -> Void
) async throws {
  let sandbox = try await Sandbox.start()
  let session = Session(configuration)
  do {
    try await body(session, sandbox)
  } catch {
    session.cancelAndInvalidate()
    await sandbox.stop()
    throw error
  }
  session.cancelAndInvalidate()
  await sandbox.stop()
}

/// A clock on which nobody waits: it notes for how long somebody wanted to.
final class TestClock: Sendable {
  private let state = Mutex((elapsed: Duration.zero, waits: [Duration]()))
  private let start = ContinuousClock.now

  var waits: [Duration] { state.withLock { $0.waits } }

  func advance(by duration: Duration) { state.withLock { $0.elapsed += duration } }

  var session: SessionClock {
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

/// Things that several threads add to a list.
final class Collected<Value: Sendable>: Sendable {
  private let state = Mutex<[Value]>([])
  func add(_ value: Value) { state.withLock { $0.append(value) } }
  var all: [Value] { state.withLock { $0 } }
}
