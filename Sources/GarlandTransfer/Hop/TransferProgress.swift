/// The progress of a transfer's bodies.
public struct TransferProgress: Sendable, Hashable {
  /// The bytes of the request's body passed to the network.
  public let sent: Int64
  /// The size of the request's body; nil if unknown.
  public let toSend: Int64?
  /// The decoded bytes of the response's body.
  public let received: Int64
  /// The announced size of the response's body; nil if unknown or encoded.
  public let toReceive: Int64?
}
