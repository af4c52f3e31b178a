/// How far a transfer's bodies have come.
public struct TransferProgress: Sendable, Hashable {
  /// Bytes of the request's body that were handed to the network.
  public let sent: Int64
  /// Bytes of the request's body in all, nil if unknown.
  public let toSend: Int64?
  /// Bytes of the response's body that were received, decoded.
  public let received: Int64
  /// Bytes of the response's body in all as announced, nil if unknown or if the body is encoded.
  public let toReceive: Int64?
}
