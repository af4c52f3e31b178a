import Synchronization

/// Stops all running engines when the process exits.
final class EngineRegistry: Sendable {
  static let shared = EngineRegistry()
  private let running = Mutex<[ObjectIdentifier: @Sendable () -> Void]>([:])

  /// Adds an engine. The closure `stop` must shut the engine down, and must return only after the engine has ended.
  func add(_ id: ObjectIdentifier, _ stop: @escaping @Sendable () -> Void) { running.withLock { $0[id] = stop } }
  func remove(_ id: ObjectIdentifier) { running.withLock { $0[id] = nil } }

  func shutDownAll() {
    for stop in running.withLock({ Array($0.values) }) { stop() }
  }
}
