import HTTPTypes

/// The result of a ``BackgroundTask``. The result is delivered once, possibly in a later process than the process that created the task.
public struct BackgroundResult: Sendable, Hashable {
  /// The response to a task's request, or the error with which the task failed.
  public enum Outcome: Sendable, Hashable {
    /// A response arrived: for an upload with any status, for a download with status 2xx.
    case finished(Response)
    /// The task failed: no response arrived, or the response to a download was refused.
    case failed(Failure)
  }

  /// The properties of a response that the journal (file) of a background session stores.
  public struct Response: Sendable, Hashable {
    /// The status code of the response.
    public let status: Int
    /// The header fields of the response.
    public let headerFields: HTTPFields
    /// The path of the downloaded file; nil for an upload.
    public let path: String?
    /// The first 64 KiB of the content of an upload's response.
    public let content: [UInt8]
  }

  /// The properties of an error that the journal (file) of a background session stores.
  public struct Failure: Sendable, Hashable {
    /// The kind of error; nil if a later version of this library wrote a kind that this version
    /// does not know.
    public let kind: NetworkingError.Kind?
    /// The error message.
    public let description: String
    /// The status of the refused response; nil if no response was refused.
    public let status: Int?
  }

  /// The background task that has ended.
  public let task: BackgroundTask
  /// The response to the task's request, or the error with which the task failed.
  public let outcome: Outcome
}
