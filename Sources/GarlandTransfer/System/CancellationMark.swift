import Synchronization

/// A flag that any thread can set to cancel an operation, even before the operation has arrived at
/// its thread.
final class CancellationMark: Sendable {
  private let flag = Atomic<Bool>(false)

  var isSet: Bool { flag.load(ordering: .acquiring) }
  func set() { flag.store(true, ordering: .releasing) }
}
