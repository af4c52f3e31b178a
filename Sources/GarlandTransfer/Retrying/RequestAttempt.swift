import HTTPTypes

/// One attempt at a request and what became of it: what a ``RequestRetrier`` decides on.
public struct RequestAttempt: Sendable {
  /// The request as it was sent, after the adapters.
  public let request: TransferRequest
  /// The response, if one arrived, whether it was accepted or not.
  public let response: TransferResponse?
  /// The error, if it failed. A response with status 503 that nobody validates has none.
  public let error: NetworkingError?
  /// How often the request was sent again before this attempt: 0 for the first.
  public let retryCount: Int
  /// Whether the body can be sent again. If not, the request is not retried, whatever retriers say.
  public let isBodyRepeatable: Bool

  /// All of it.
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

  /// The response's status, if there is one.
  public var status: HTTPResponse.Status? { response?.status }
}
