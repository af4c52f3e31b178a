extension Request {
  /// Waits for the response and serializes it. If the serializer fails and a retrier requests a retry, the
  /// request is sent again.
  final func serialized<Serializer: ResponseSerializer>(
    with serializer: Serializer, bytes: (TransferResponse) throws(NetworkingError) -> [UInt8]
  ) async -> (outcome: RequestOutcome, result: Result<Serializer.Output, NetworkingError>, duration: Duration) {
    var outcome = await outcome()
    while true {
      let (result, duration) = serializer.result(outcome.request, outcome.result, bytes: bytes)
      guard case .success = outcome.result else { return (outcome, result, duration) }
      guard case .failure(let error) = result else {
        tell(.serialized(duration, failure: nil))
        return (outcome, result, duration)
      }
      tell(.serialized(duration, failure: error))
      switch await retry(outcome, after: error) {
      case .success(let next): outcome = next
      case .failure(let error): return (outcome, .failure(error), duration)
      }
    }
  }
}
