import DequeModule
import Synchronization

/// Threads for blocking work. The number of threads is limited, and a thread exists only while there is work.
final class ThreadQueue: Sendable {
  private struct State {
    var running = 0
    var waiting = Deque<@Sendable () -> Void>()
  }

  private let name: String
  private let limit: Int
  private let state = Mutex(State())

  init(name: String, limit: Int) {
    self.name = name
    self.limit = limit
  }

  /// Runs `work` on a thread as soon as a thread is free.
  func run(_ work: @escaping @Sendable () -> Void) {
    let mustStart = state.withLock { state in
      guard state.running < limit else {
        state.waiting.append(work)
        return false
      }
      state.running += 1
      return true
    }
    guard mustStart else { return }
    let refusal = WorkerThread.start(name: name) { [self] in
      var work = work
      while true {
        work()
        let next = state.withLock { state in
          let next = state.waiting.popFirst()
          if next == nil { state.running -= 1 }
          return next
        }
        guard let next else { return }
        work = next
      }
    }
    precondition(refusal == nil, "no thread could be started: \(refusal ?? "")")
  }
}
