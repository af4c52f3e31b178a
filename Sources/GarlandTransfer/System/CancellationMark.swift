import Synchronization

/// That somebody's task was cancelled, for work that may not have come in yet.
final class CancellationMark: Sendable {
  private let flag = Atomic<Bool>(false)

  var isSet: Bool { flag.load(ordering: .acquiring) }
  func set() { flag.store(true, ordering: .releasing) }
}
