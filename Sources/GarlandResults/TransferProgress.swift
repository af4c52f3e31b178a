/// The progress of a transfer.
public struct TransferProgress: Sendable, Hashable {
  /// The bytes of the response's body received so far, before decoding.
  public var bytesReceived: Int
  /// The size of the response's body in bytes; nil while unknown.
  public var bytesExpected: Int?
  /// The bytes of the request's body sent so far.
  public var bytesSent: Int
  /// The size of the request's body in bytes; nil when unknown.
  public var bytesToSend: Int?

  /// Creates a progress; every property is a parameter.
  public init(bytesReceived: Int, bytesExpected: Int?, bytesSent: Int, bytesToSend: Int?) {
    self.bytesReceived = bytesReceived
    self.bytesExpected = bytesExpected
    self.bytesSent = bytesSent
    self.bytesToSend = bytesToSend
  }
}
