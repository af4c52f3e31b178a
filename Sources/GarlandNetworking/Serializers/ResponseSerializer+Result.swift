extension ResponseSerializer {
  /// Serializes the result of a request. Returns the value or error, and the time that the serializer
  /// took.
  func result(
    _ request: TransferRequest?, _ result: Result<TransferResponse, NetworkingError>,
    bytes: (TransferResponse) throws(NetworkingError) -> [UInt8]
  ) -> (Result<Output, NetworkingError>, Duration) {
    switch result {
    case .failure(let error): return (.failure(error), .zero)
    case .success(let response):
      let clock = ContinuousClock()
      let start = clock.now
      let value = value(request ?? TransferRequest(url: response.url), response, bytes)
      return (value, start.duration(to: clock.now))
    }
  }

  private func value(
    _ request: TransferRequest, _ response: TransferResponse, _ bytes: (TransferResponse) throws(NetworkingError) -> [UInt8]
  ) -> Result<Output, NetworkingError> {
    do {
      return .success(try serialize(ResponseContent(request: request, response: response, bytes: try bytes(response))))
    } catch let error as NetworkingError {
      return .failure(error)
    } catch {
      let failure = (error as? NetworkingError.Serialization) ?? .custom(.init(error))
      var wrapped = NetworkingError(.serialization(failure), url: response.url, metrics: response.metrics)
      wrapped.partialResponse = response
      return .failure(wrapped)
    }
  }
}
