import Synchronization

/// A text that a server's thread hands to a test.
final class Captured: Sendable {
  private let state = Mutex<[String]>([])

  func set(_ text: String) { state.withLock { $0 = [text] } }
  func add(_ text: String) { state.withLock { $0.append(text) } }
  var text: String { state.withLock { $0.first ?? "" } }
  var all: [String] { state.withLock { $0 } }
}
