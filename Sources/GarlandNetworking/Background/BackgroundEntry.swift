/// A line of a background session's journal.
enum BackgroundEntry: Sendable, Hashable {
  /// The first line: the identifier of the session, and the number after the last one in use.
  case header(identifier: String, nextID: Int)
  case added(BackgroundTask)
  /// A download is complete, and its file will be moved to its place next.
  case received(id: Int, temporaryPath: String, BackgroundResult.Response)
  case ended(id: Int, BackgroundResult.Outcome)
  /// The result of the task was delivered to the program.
  case delivered(id: Int)
}
