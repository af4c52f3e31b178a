/// What a request ended with, for all who wait for it.
struct RequestOutcome: Sendable {
  /// The request as it was sent last; nil if it could not even be made.
  let request: TransferRequest?
  /// The response that was accepted, or why there is none.
  let result: Result<TransferResponse, NetworkingError>
  /// The response, also if it was not accepted.
  let response: TransferResponse?
  /// One for each attempt.
  let metrics: [TransferMetrics]
  let retryCount: Int

  static func failure(_ error: NetworkingError, request: TransferRequest? = nil) -> RequestOutcome {
    RequestOutcome(request: request, result: .failure(error), response: nil, metrics: [], retryCount: 0)
  }
}
