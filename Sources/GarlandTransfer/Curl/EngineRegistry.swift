import Synchronization

/// The engines whose threads run, so that they can be stopped when the process exits.
final class EngineRegistry: Sendable {
  static let shared = EngineRegistry()
  private let running = Mutex<[ObjectIdentifier: EngineLoop]>([:])

  func add(_ loop: EngineLoop) { running.withLock { $0[ObjectIdentifier(loop)] = loop } }
  func remove(_ loop: EngineLoop) { running.withLock { $0[ObjectIdentifier(loop)] = nil } }

  func shutDownAll() {
    for loop in running.withLock({ Array($0.values) }) {
      loop.stop()
      loop.join()
    }
  }
}
