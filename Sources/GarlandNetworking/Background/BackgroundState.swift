/// The state that a journal describes: open tasks and undelivered results.
///
/// The type does not access the journal's file. It accepts entries in any order, since a damaged journal may lack entries. An entry that
/// does not fit the state is ignored.
struct BackgroundState: Sendable, Hashable {
  /// A download that is complete, and whose file is about to be moved to its target path.
  struct Placement: Sendable, Hashable {
    let temporaryPath: String
    let response: BackgroundResult.Response
  }

  /// The unfinished tasks, by their numbers.
  private(set) var tasks: [Int: BackgroundTask] = [:]
  private(set) var placements: [Int: Placement] = [:]
  /// The undelivered results, in the order in which the tasks ended.
  private(set) var results: [BackgroundResult] = []
  private(set) var nextID = 1
  private(set) var identifier: String?

  /// The unfinished tasks, ordered by the time of their creation.
  var orderedTasks: [BackgroundTask] { tasks.values.sorted { $0.id < $1.id } }

  mutating func apply(_ entry: BackgroundEntry) {
    switch entry {
    case .header(let identifier, let next):
      self.identifier = identifier
      nextID = max(nextID, next)
    case .added(let task):
      tasks[task.id] = task
      nextID = max(nextID, task.id + 1)
    case .received(let id, let path, let response):
      if tasks[id] != nil { placements[id] = Placement(temporaryPath: path, response: response) }
    case .ended(let id, let outcome):
      placements[id] = nil
      if let task = tasks.removeValue(forKey: id) { results.append(BackgroundResult(task: task, outcome: outcome)) }
    case .delivered(let id): results.removeAll { $0.task.id == id }
    }
  }

  /// Returns the fewest journal entries that restore this state.
  func entries(identifier: String) -> [BackgroundEntry] {
    var entries: [BackgroundEntry] = [.header(identifier: identifier, nextID: nextID)]
    for result in results { entries += [.added(result.task), .ended(id: result.task.id, result.outcome)] }
    for task in orderedTasks {
      entries.append(.added(task))
      if let placement = placements[task.id] {
        entries.append(.received(id: task.id, temporaryPath: placement.temporaryPath, placement.response))
      }
    }
    return entries
  }
}

/// A line of a background session's journal.
enum BackgroundEntry: Sendable, Hashable {
  /// The first line of the journal: the identifier of the session, and the number of the next task.
  case header(identifier: String, nextID: Int)
  case added(BackgroundTask)
  /// A download is complete. The temporary file is moved to the target path next.
  case received(id: Int, temporaryPath: String, BackgroundResult.Response)
  case ended(id: Int, BackgroundResult.Outcome)
  /// The program has received the task's result, so the result is not delivered again.
  case delivered(id: Int)
}
