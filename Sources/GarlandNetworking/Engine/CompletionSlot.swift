import Synchronization

/// A continuation on its way to a completion that is made before it.
final class CompletionSlot: Sendable {
  typealias Continuation = CheckedContinuation<Result<TransferResponse, NetworkingError>, Never>
  private let continuation = Mutex<Continuation?>(nil)

  func set(_ continuation: Continuation) {
    self.continuation.withLock { $0 = continuation }
  }

  func resume(with result: Result<TransferResponse, NetworkingError>) {
    continuation.withLock { $0.take() }?.resume(returning: result)
  }
}
