import HTTPTypes

/// A transfer of a ``BackgroundSession``, as its journal has it.
public struct BackgroundTask: Sendable, Hashable, Identifiable {
  /// What is transferred.
  public enum Work: Sendable, Hashable {
    /// The content of a file is sent. Its path is absolute.
    case upload(file: String)
    /// The response becomes a file. The target's path is absolute, and its beginning is kept and continued.
    case download(DownloadTarget)
  }

  /// Its number, which no other task of the same identifier ever has.
  public let id: Int
  /// What is transferred.
  public let work: Work
  /// The method.
  public let method: HTTPRequest.Method
  /// The URL.
  public let url: String
  /// The fields of the header. They are in the journal, which only its user can read.
  public let headerFields: HTTPFields
  /// What the program wants to know it by, also in a later process.
  public let tag: String?
  /// How urgent it is.
  public let priority: TransferPriority
  /// When it was made, in seconds since 1970: the session's deadline counts from then.
  public let created: Int64
  /// When it may begin at the earliest, in seconds since 1970.
  public let earliestBegin: Int64?
}
