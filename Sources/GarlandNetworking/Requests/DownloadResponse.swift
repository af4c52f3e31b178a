/// What became of a download.
public struct DownloadResponse<Value: Sendable>: Sendable {
  /// The request as it was sent last; nil if it could not be made.
  public let request: TransferRequest?
  /// The response, if one arrived.
  public let response: TransferResponse?
  /// Where the file is, if it is in its place.
  public let path: String?
  /// What was measured, for each attempt.
  public let metrics: [TransferMetrics]
  /// How often it was sent again.
  public let retryCount: Int
  /// How long the serializer took, reading the file included.
  public let serializationDuration: Duration
  /// The value, or why there is none.
  public let result: Result<Value, NetworkingError>

  /// The value. Throws why there is none.
  public var value: Value { get throws(NetworkingError) { try result.get() } }

  /// Why there is no value.
  public var error: NetworkingError? { if case .failure(let error) = result { error } else { nil } }

  /// What it can be continued with, if it broke off and what came was kept.
  public var resumeData: ResumeData? { error?.resumeData }

  /// The status, if a response arrived.
  public var status: Int? { response?.status.code }
}
