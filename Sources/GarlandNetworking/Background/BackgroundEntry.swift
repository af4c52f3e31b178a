/// A line of a background session's journal.
enum BackgroundEntry: Sendable, Hashable {
  /// The first line of the journal: the identifier of the session, and the number of the next task.
  case header(identifier: String, nextID: Int)
  case added(BackgroundTask)
  /// A download is complete. The temporary file is moved to the target path next.
  case received(id: Int, temporaryPath: String, BackgroundResult.Response)
  case ended(id: Int, BackgroundResult.Outcome)
  /// The result of the task was delivered to the program.
  case delivered(id: Int)
}
