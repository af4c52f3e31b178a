import Dispatch
import Synchronization

/// A text that a server's thread hands to a test.
package final class Captured: Sendable {
  private let state = Mutex<[String]>([])

  package init() {}

  package func set(_ text: String) { state.withLock { $0 = [text] } }
  package func add(_ text: String) { state.withLock { $0.append(text) } }
  package var text: String { state.withLock { $0.first ?? "" } }
  package var all: [String] { state.withLock { $0 } }
}

/// Things that several threads add to a list.
package final class Collected<Value: Sendable>: Sendable {
  private let state = Mutex<[Value]>([])

  package init() {}

  package func add(_ value: Value) { state.withLock { $0.append(value) } }
  package var all: [Value] { state.withLock { $0 } }
}

/// Something that happens once, and that a test waits for.
package final class TestGate: Sendable {
  private let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
  private let semaphore = DispatchSemaphore(value: 0)

  package init() {}

  package func open() {
    continuation.finish()
    semaphore.signal()
  }
  /// For threads.
  package func block() { semaphore.wait() }
  package func wait() async { for await _ in stream {} }
}
