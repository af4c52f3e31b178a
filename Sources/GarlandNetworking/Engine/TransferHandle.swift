/// A running transfer, to be cancelled.
public struct TransferHandle: Sendable {
  let transfer: Transfer
  let loop: EngineLoop

  /// Ends the transfer with ``NetworkingError/Reason/cancelled``, unless it has ended already.
  public func cancel() { loop.cancel(transfer) }
}
