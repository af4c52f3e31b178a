import HTTPTypes

/// An attempt to perform a request, and its result. A `RequestRetrier` decides whether another attempt follows.
public struct RequestAttempt: Sendable {
  /// The request as it was sent, after the adapters changed it.
  public let request: TransferRequest
  /// The response, even if a validator refused it; nil if no response arrived.
  public let response: TransferResponse?
  /// The error; nil if the attempt did not fail. Without validators, a response with status 503 is not a
  /// failure.
  public let error: NetworkingError?
  /// The number of retries before this attempt; 0 for the first.
  public let retryCount: Int
  /// Whether the body can be sent again. If false, the request is never retried.
  public let isBodyRepeatable: Bool

  /// Creates an attempt at a request.
  public init(
    request: TransferRequest, response: TransferResponse? = nil, error: NetworkingError? = nil, retryCount: Int = 0,
    isBodyRepeatable: Bool = true
  ) {
    self.request = request
    self.response = response
    self.error = error
    self.retryCount = retryCount
    self.isBodyRepeatable = isBodyRepeatable
  }

  /// The status of the response; nil if no response arrived.
  public var status: HTTPResponse.Status? { response?.status }
}
