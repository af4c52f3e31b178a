/// The result of a request, which every waiting task receives.
struct RequestOutcome: Sendable {
  /// The request as it was last sent; nil if it could not be created.
  let request: TransferRequest?
  /// The response that the validators accepted, or the error of the request.
  let result: Result<TransferResponse, NetworkingError>
  /// The response, even if a validator refused it; nil if no response arrived.
  let response: TransferResponse?
  /// The metrics of each attempt.
  let metrics: [TransferMetrics]
  let retryCount: Int

  static func failure(_ error: NetworkingError, request: TransferRequest? = nil) -> RequestOutcome {
    RequestOutcome(request: request, result: .failure(error), response: nil, metrics: [], retryCount: 0)
  }
}
