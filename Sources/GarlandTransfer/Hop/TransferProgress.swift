/// The upload and download progress of a transfer.
public struct TransferProgress: Sendable, Hashable {
  /// The number of bytes of the request's body that were passed to the network.
  public let sent: Int64
  /// The size of the request's body; nil if unknown.
  public let toSend: Int64?
  /// The number of decoded bytes of the response's body.
  public let received: Int64
  /// The announced size of the response's body; nil if it is unknown or the body has a content coding.
  public let toReceive: Int64?
}
