/// A running transfer, which can be cancelled or suspended.
public struct TransferHandle: Sendable {
  let transfer: Transfer
  let loop: EngineLoop

  /// Suspends a transfer from ``Engine/prepare(_:progress:completion:)`` before it begins. The transfer then waits for ``resume()``. When
  /// this method is called, no other code may have a reference to the transfer.
  package func suspendBeforeBegin() { transfer.isSuspended = true }

  /// Begins a transfer from ``Engine/prepare(_:progress:completion:)``.
  package func begin() { loop.start(transfer) }

  /// Makes the transfer keep its partial download if the transfer is cancelled later.
  package func keepPartial() { transfer.keepsPartial.store(true, ordering: .relaxed) }

  /// Ends the transfer with ``NetworkingError/Reason/cancelled``, unless it has ended already.
  public func cancel() { loop.cancel(transfer) }

  /// Ends the transfer with ``NetworkingError/Reason/cancelled`` if it has no connection yet.
  package func cancelUnlessConnected() { loop.cancelUnlessConnected(transfer) }

  /// Ends the transfer after the time limit `time` was reached. If the transfer's ``BodyTap`` has accepted a response, the transfer
  /// succeeds with the data that the tap has read; otherwise the transfer fails with a timeout error.
  package func conclude(after time: Duration) { loop.conclude(transfer, after: time) }

  /// Suspends the transfer until ``resume()``: nothing is sent or read, and a new transfer does not
  /// begin. The idle timeout stops and the deadline keeps running. The peer may close the connection after
  /// its own timeout.
  public func suspend() { loop.suspend(transfer) }

  /// Continues the transfer after ``suspend()``.
  public func resume() { loop.resume(transfer) }
}
