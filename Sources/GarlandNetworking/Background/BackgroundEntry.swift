/// A line of a background session's journal.
enum BackgroundEntry: Sendable, Hashable {
  /// The first: whose journal it is, and the number behind the last that was given.
  case header(identifier: String, nextID: Int)
  case added(BackgroundTask)
  /// A download is complete, and its file is about to be moved to its place.
  case received(id: Int, temporaryPath: String, BackgroundResult.Response)
  case ended(id: Int, BackgroundResult.Outcome)
  /// Its result was handed to the program.
  case delivered(id: Int)
}
