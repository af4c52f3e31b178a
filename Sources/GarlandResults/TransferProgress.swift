/// The bytes and items that a running transfer has sent and received so far.
public struct TransferProgress: Sendable, Hashable {
  /// The items of a response that is read item by item, such as events: their name, how many have arrived so far, and how many the step
  /// reads in total.
  public struct Items: Sendable, Hashable {
    /// The number of items that have arrived so far.
    public var count: Int
    /// The name of the items, such as `events`.
    public var name: String
    /// The number of items that the step reads; nil if it is not known in advance.
    public var expected: Int?

    /// Creates the progress of a response that is read item by item. Each parameter sets the property with the same name.
    public init(count: Int, name: String, expected: Int?) {
      self.count = count
      self.name = name
      self.expected = expected
    }
  }

  /// The number of bytes of the response's body that were received so far, before decoding.
  public var bytesReceived: Int
  /// The size of the response's body in bytes; nil while unknown.
  public var bytesExpected: Int?
  /// The number of bytes of the request's body that were sent so far.
  public var bytesSent: Int
  /// The size of the request's body in bytes; nil when unknown.
  public var bytesToSend: Int?
  /// The items of a response that is read item by item; nil for any other response.
  public var items: Items?

  /// Creates the progress of a transfer; every property is a parameter.
  public init(bytesReceived: Int, bytesExpected: Int?, bytesSent: Int, bytesToSend: Int?, items: Items? = nil) {
    self.bytesReceived = bytesReceived
    self.bytesExpected = bytesExpected
    self.bytesSent = bytesSent
    self.bytesToSend = bytesToSend
    self.items = items
  }
}
