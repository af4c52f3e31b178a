/// A running transfer, to be cancelled.
public struct TransferHandle: Sendable {
  let transfer: Transfer
  let loop: EngineLoop

  /// Has a transfer that ``Engine/prepare(_:progress:completion:)`` has made, and that nobody else knows yet, wait for ``resume()`` once it begins.
  package func suspendBeforeBegin() { transfer.isSuspended = true }

  /// Begins a transfer that ``Engine/prepare(_:progress:completion:)`` has made.
  package func begin() { loop.start(transfer) }

  /// Has a transfer that is cancelled keep what came of a download.
  package func keepPartial() { transfer.keepsPartial.store(true, ordering: .relaxed) }

  /// Ends the transfer with ``NetworkingError/Reason/cancelled``, unless it has ended already.
  public func cancel() { loop.cancel(transfer) }

  /// Ends the transfer with ``NetworkingError/Reason/cancelled`` if it has no connection yet.
  package func cancelUnlessConnected() { loop.cancelUnlessConnected(transfer) }

  /// Stops the transfer where it is, until ``resume()``: nothing is sent or read, and one that has not begun does not begin. The idle timeout
  /// stands still, the deadline does not, and the peer may lose its patience.
  public func suspend() { loop.suspend(transfer) }

  /// Lets the transfer go on after ``suspend()``.
  public func resume() { loop.resume(transfer) }
}
