import HTTPTypes

/// A transfer of a ``BackgroundSession`` as its journal describes it.
public struct BackgroundTask: Sendable, Hashable, Identifiable {
  /// The transfer that a task makes: the upload of a file, or a download to a file.
  public enum Work: Sendable, Hashable {
    /// Sends the content of a file, given by its absolute path.
    case upload(file: String)
    /// Saves the response as a file. The target's path is absolute. A partial file is kept, and the
    /// next attempt continues it.
    case download(DownloadTarget)
  }

  /// The number of the task. It is unique among the tasks of all sessions that have the same identifier.
  public let id: Int
  /// The transfer that the task makes: the upload of a file, or a download to a file.
  public let work: Work
  /// The method of the request.
  public let method: HTTPRequest.Method
  /// The URL of the request.
  public let url: String
  /// The header fields. They are stored in the journal of the session, a file that only the user of the program can read.
  public let headerFields: HTTPFields
  /// The name by which the program recognises the task, also in a later process.
  public let tag: String?
  /// The priority of the task among tasks that wait for a connection.
  public let priority: TransferPriority
  /// The time of creation in seconds since 1970. The deadline is counted from this time.
  public let created: Int64
  /// The earliest time at which the task may begin, in seconds since 1970; nil if the task may begin at once.
  public let earliestBegin: Int64?
}
