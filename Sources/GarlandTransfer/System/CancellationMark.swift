import Synchronization

/// A flag that any thread can set to cancel an operation on the engine's thread, even before that
/// thread has received the operation.
final class CancellationMark: Sendable {
  private let flag = Atomic<Bool>(false)

  var isSet: Bool { flag.load(ordering: .acquiring) }
  func set() { flag.store(true, ordering: .releasing) }
}
