import HTTPTypes

/// What became of a ``BackgroundTask``. It is told once, perhaps in a later process than the one that made the task.
public struct BackgroundResult: Sendable, Hashable {
  /// How it ended.
  public enum Outcome: Sendable, Hashable {
    /// A response arrived: of an upload whatever it was, of a download one with status 2xx.
    case finished(Response)
    /// None did, or a download was refused.
    case failed(Failure)
  }

  /// What is kept of a response.
  public struct Response: Sendable, Hashable {
    /// The status.
    public let status: Int
    /// The fields of its header.
    public let headerFields: HTTPFields
    /// Where the file is, if it was a download.
    public let path: String?
    /// The first 64 KiB of the content, if it was an upload.
    public let content: [UInt8]
  }

  /// What is kept of an error.
  public struct Failure: Sendable, Hashable {
    /// What kind it was, nil if a later version of this library has written one that this one does not know.
    public let kind: NetworkingError.Kind?
    /// Human words.
    public let description: String
    /// The status of the response that was refused.
    public let status: Int?
  }

  /// The task.
  public let task: BackgroundTask
  /// How it ended.
  public let outcome: Outcome
}
