/// What a serializer gets.
public struct ResponseContent: Sendable {
  /// The request as it was sent.
  public let request: TransferRequest
  /// The response.
  public let response: TransferResponse
  /// Its content, decoded.
  public let bytes: [UInt8]

  /// All of it.
  public init(request: TransferRequest, response: TransferResponse, bytes: [UInt8]) {
    self.request = request
    self.response = response
    self.bytes = bytes
  }

  /// Whether such a response comes without content: 204, 205, and the answer to HEAD.
  public var mayBeEmpty: Bool {
    response.status.code == 204 || response.status.code == 205 || response.request.method == .head
  }

  /// Throws ``NetworkingError/Serialization/empty`` if there is no content where there should be. True if there is none and that is right.
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
