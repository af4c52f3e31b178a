/// The input of a serializer.
public struct ResponseContent: Sendable {
  /// The request as it was sent.
  public let request: TransferRequest
  /// The response.
  public let response: TransferResponse
  /// The decoded content.
  public let bytes: [UInt8]

  /// Creates the input of a serializer.
  public init(request: TransferRequest, response: TransferResponse, bytes: [UInt8]) {
    self.request = request
    self.response = response
    self.bytes = bytes
  }

  /// Whether such a response may have no content: status 204 or 205, or a response to HEAD.
  public var mayBeEmpty: Bool {
    response.status.code == 204 || response.status.code == 205 || response.request.method == .head
  }

  /// Whether there is no content and none is expected. Throws
  /// ``NetworkingError/Serialization/empty`` if expected content is missing.
  public func isRightlyEmpty() throws(NetworkingError.Serialization) -> Bool {
    guard bytes.isEmpty else { return false }
    guard mayBeEmpty else { throw .empty }
    return true
  }

  /// The `charset` of the content type, if it has one.
  public var charset: String? {
    guard let type = response.headerFields[.contentType] else { return nil }
    var parameters = ParameterScanner(type)
    while let (name, value) = parameters.next() { if name == "charset", !value.isEmpty { return value } }
    return nil
  }
}
