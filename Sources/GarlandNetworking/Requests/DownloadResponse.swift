/// The result of a download.
public struct DownloadResponse<Value: Sendable>: Sendable {
  /// The request as it was last sent; nil if it could not be created.
  public let request: TransferRequest?
  /// The response; nil if no response arrived.
  public let response: TransferResponse?
  /// The path of the file; nil if the file was not moved to its target path.
  public let path: String?
  /// The metrics of each attempt.
  public let metrics: [TransferMetrics]
  /// The number of retries before this response.
  public let retryCount: Int
  /// The time that the serializer took, including reading the file.
  public let serializationDuration: Duration
  /// The converted content of the file, or the error of the request.
  public let result: Result<Value, NetworkingError>

  /// The value. Throws the error if there is no value.
  public var value: Value { get throws(NetworkingError) { try result.get() } }

  /// The error; nil if there is a value.
  public var error: NetworkingError? { if case .failure(let error) = result { error } else { nil } }

  /// The resume data; nil unless the download was interrupted and can be resumed.
  public var resumeData: ResumeData? { error?.resumeData }

  /// The status of the response; nil if no response arrived.
  public var status: Int? { response?.status.code }

  /// Creates a response from its parts, for example to test a view.
  public init(
    request: TransferRequest?, response: TransferResponse?, path: String?, metrics: [TransferMetrics] = [], retryCount: Int = 0,
    serializationDuration: Duration = .zero, result: Result<Value, NetworkingError>
  ) {
    self.request = request
    self.response = response
    self.path = path
    self.metrics = metrics
    self.retryCount = retryCount
    self.serializationDuration = serializationDuration
    self.result = result
  }

  /// Returns a copy of this response in which the result of `transform` replaces the value. A response with an error keeps its error.
  public func map<Other: Sendable>(_ transform: (Value) -> Other) -> DownloadResponse<Other> { with(result.map(transform)) }

  /// Returns a copy of this response whose value is replaced by the value that `transform` returns, or by the error that `transform`
  /// throws.
  public func tryMap<Other: Sendable>(_ transform: (Value) throws -> Other) -> DownloadResponse<Other> {
    with(result.tryMap(transform, of: response))
  }

  /// Returns a copy of this response whose error is replaced by the error that `transform` returns. A response with a value keeps its
  /// value.
  public func mapError(_ transform: (NetworkingError) -> NetworkingError) -> DownloadResponse { with(result.mapError(transform)) }

  /// Returns a copy of this response whose error is replaced by the error that `transform` returns or throws. A response with a value keeps its
  /// value.
  public func tryMapError(_ transform: (NetworkingError) throws -> NetworkingError) -> DownloadResponse {
    with(result.tryMapError(transform, of: response))
  }

  private func with<Other: Sendable>(_ result: Result<Other, NetworkingError>) -> DownloadResponse<Other> {
    DownloadResponse<Other>(
      request: request, response: response, path: path, metrics: metrics, retryCount: retryCount,
      serializationDuration: serializationDuration, result: result)
  }
}

extension DownloadResponse: CustomStringConvertible {
  /// A description such as `GET https://example.com/ (200): VALUE`. For a failed request, it ends with the error.
  public var description: String { result.description(of: request, response) }
}
