public import HTTPTypes

/// The input of a serializer.
public struct ResponseContent: Sendable {
  /// The request as it was sent.
  public let request: TransferRequest
  /// The response whose body is serialized.
  public let response: TransferResponse
  /// The content of the response, after its content coding was decoded.
  public var bytes: [UInt8]
  /// The statuses for which a response without content is not an error.
  public var emptyStatuses = defaultEmptyStatuses
  /// The request methods for which a response without content is not an error.
  public var emptyMethods = defaultEmptyMethods

  /// The default of ``emptyStatuses``: 204 and 205.
  public static let defaultEmptyStatuses: Set<Int> = [204, 205]
  /// The default of ``emptyMethods``: HEAD.
  public static let defaultEmptyMethods: Set<HTTPRequest.Method> = [.head]

  /// Creates the input of a serializer.
  public init(request: TransferRequest, response: TransferResponse, bytes: [UInt8]) {
    self.request = request
    self.response = response
    self.bytes = bytes
  }

  /// Whether the serializer must accept a response without content: ``emptyStatuses`` contains the status of this response, or
  /// ``emptyMethods`` contains the method of its request.
  public var mayBeEmpty: Bool {
    emptyStatuses.contains(response.status.code) || emptyMethods.contains(response.request.method)
  }

  /// Returns true if the response is empty and is allowed to be empty (see ``mayBeEmpty``); false if it has content. Throws
  /// ``NetworkingError/Serialization/empty`` if it is empty but must have content.
  public func isRightlyEmpty() throws(NetworkingError.Serialization) -> Bool {
    guard bytes.isEmpty else { return false }
    guard mayBeEmpty else { throw .empty }
    return true
  }

  /// The `charset` of the content type; nil if the content type has no `charset`.
  public var charset: String? {
    guard let type = response.headerFields[.contentType] else { return nil }
    var parameters = ParameterScanner(type)
    while let (name, value) = parameters.next() { if name == "charset", !value.isEmpty { return value } }
    return nil
  }
}
