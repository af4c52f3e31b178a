import Synchronization

/// Marks an operation as cancelled, even before it has arrived.
final class CancellationMark: Sendable {
  private let flag = Atomic<Bool>(false)

  var isSet: Bool { flag.load(ordering: .acquiring) }
  func set() { flag.store(true, ordering: .releasing) }
}
