/// How far a transfer is.
public struct TransferProgress: Sendable, Hashable {
  /// Bytes of the response's body so far, as they come over the wire.
  public var bytesReceived: Int
  /// Bytes the response's body will have; nil while unknown.
  public var bytesExpected: Int?
  /// Bytes of the request's body so far.
  public var bytesSent: Int
  /// Bytes the request's body has; nil when unknown.
  public var bytesToSend: Int?

  /// Every property is a parameter; see there.
  public init(bytesReceived: Int, bytesExpected: Int?, bytesSent: Int, bytesToSend: Int?) {
    self.bytesReceived = bytesReceived
    self.bytesExpected = bytesExpected
    self.bytesSent = bytesSent
    self.bytesToSend = bytesToSend
  }
}
