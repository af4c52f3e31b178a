extension Request {
  /// The maximum number of times that one attempt is sent again after a challenge. The limit stops a handler that would answer every
  /// challenge.
  private static let answerLimit = 5

  /// Answers the authentication challenges of the request's origin with a closure, instead of the session's handler.
  @discardableResult
  public func authenticate(
    answering answer: @escaping @Sendable (_ challenge: ReceivedChallenge) async -> ChallengeAnswer
  ) -> Self {
    authenticate(using: ChallengeResponder(answer))
  }

  /// Answers the challenges of the request's origin with a handler, instead of the session's handler.
  @discardableResult
  public func authenticate(using handler: any ChallengeHandler) -> Self {
    change { $0.challengeHandler = handler }
    return self
  }

  /// Sends a request. After each challenge, sends it again with the credential that the challenge
  /// handler returns.
  final func sendAnswering(_ request: TransferRequest, _ options: RequestOptions) async -> Result<TransferResponse, NetworkingError> {
    guard let handler = options.challengeHandler ?? session.configuration.challengeHandler else {
      return await sendWhenConnected(request, options)
    }
    var request = request
    var failures = 0
    while true {
      let result = await sendWhenConnected(request, options)
      guard case .success(let response) = result, failures < Self.answerLimit, request.body.isRepeatable, !isCancelled,
        let challenge = ReceivedChallenge(response, to: request, failures: failures)
      else { return result }
      switch await handler.answer(challenge) {
      case .deliver: return result
      case .cancel:
        refuse(response)
        return .failure(NetworkingError(.cancelled, url: response.url, metrics: response.metrics))
      case .use(let credential):
        refuse(response)
        request.credential = credential
        request.headerFields[.authorization] = nil
        failures += 1
      }
    }
  }
}
