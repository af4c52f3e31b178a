/// A running transfer, which can be cancelled or suspended.
public struct TransferHandle: Sendable {
  let transfer: Transfer
  let loop: EngineLoop

  /// Suspends a transfer from ``Engine/prepare(_:progress:completion:)``, known only to the caller,
  /// so that it waits for ``resume()``.
  package func suspendBeforeBegin() { transfer.isSuspended = true }

  /// Begins a transfer from ``Engine/prepare(_:progress:completion:)``.
  package func begin() { loop.start(transfer) }

  /// Keeps the partial download when the transfer is cancelled.
  package func keepPartial() { transfer.keepsPartial.store(true, ordering: .relaxed) }

  /// Ends the transfer with ``NetworkingError/Reason/cancelled``, unless it has ended already.
  public func cancel() { loop.cancel(transfer) }

  /// Ends the transfer with ``NetworkingError/Reason/cancelled`` if it has no connection yet.
  package func cancelUnlessConnected() { loop.cancelUnlessConnected(transfer) }

  /// Ends the transfer in good order with what its tap has read. If no tap reads a body yet, the transfer
  /// fails with a timeout of `time`.
  package func conclude(after time: Duration) { loop.conclude(transfer, after: time) }

  /// Suspends the transfer until ``resume()``: nothing is sent or read, and a new transfer does not
  /// begin. The idle timeout stops, the deadline keeps running, and the peer may time out.
  public func suspend() { loop.suspend(transfer) }

  /// Continues the transfer after ``suspend()``.
  public func resume() { loop.resume(transfer) }
}
