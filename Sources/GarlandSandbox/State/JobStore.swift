/// Jobs that complete after a number of polls.
struct JobStore: Sendable {
  struct Job: Sendable {
    let id: Int
    let pollsNeeded: Int
    let fails: Bool
    var polls = 0

    var state: String {
      if polls >= pollsNeeded { return fails ? "failed" : "done" }
      return polls == 0 ? "pending" : "running"
    }

    var isOver: Bool { polls >= pollsNeeded }
  }

  static let limit = 10_000
  private(set) var jobs: [Int: Job] = [:]
  private var last = 0

  mutating func create(polls: Int, fails: Bool) throws(Refusal) -> Job {
    guard jobs.count < Self.limit else { throw Refusal(507, "there are more than \(Self.limit) jobs") }
    last += 1
    let job = Job(id: last, pollsNeeded: polls, fails: fails)
    jobs[last] = job
    return job
  }

  /// Returns a job, and advances its progress by one poll. Returns nil if there is no job with this id.
  mutating func poll(_ id: Int) -> Job? {
    jobs[id]?.polls += 1
    return jobs[id]
  }

  mutating func remove(_ id: Int) -> Bool { jobs.removeValue(forKey: id) != nil }
}
