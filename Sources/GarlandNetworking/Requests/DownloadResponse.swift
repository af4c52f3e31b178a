/// The result of a download.
public struct DownloadResponse<Value: Sendable>: Sendable {
  /// The request as last sent; nil if it could not be created.
  public let request: TransferRequest?
  /// The response, if one arrived.
  public let response: TransferResponse?
  /// The path of the file, if it is in its place.
  public let path: String?
  /// The metrics of each attempt.
  public let metrics: [TransferMetrics]
  /// The number of retries.
  public let retryCount: Int
  /// The time that the serializer took, including reading the file.
  public let serializationDuration: Duration
  /// The value, or the error.
  public let result: Result<Value, NetworkingError>

  /// The value. Throws the error if there is no value.
  public var value: Value { get throws(NetworkingError) { try result.get() } }

  /// The error if there is no value.
  public var error: NetworkingError? { if case .failure(let error) = result { error } else { nil } }

  /// The resume data, if the download was interrupted and its partial file was kept.
  public var resumeData: ResumeData? { error?.resumeData }

  /// The status, if a response arrived.
  public var status: Int? { response?.status.code }
}
