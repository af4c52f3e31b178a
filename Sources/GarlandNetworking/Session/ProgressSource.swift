import Synchronization

/// Sends the upload or download progress of a body to any number of `AsyncStream`s. A slow reader misses intermediate values but never the
/// last value.
final class ProgressSource: Sendable {
  private struct State {
    var last: RequestProgress?
    var listeners: [Int: AsyncStream<RequestProgress>.Continuation] = [:]
    var lastID = 0
    var isFinished = false
  }
  private let state = Mutex(State())

  func update(_ completed: Int64, of total: Int64?) {
    let progress = RequestProgress(completed: completed, total: total)
    state.withLock { state in
      guard state.last != progress else { return }
      state.last = progress
      for listener in state.listeners.values { listener.yield(progress) }
    }
  }

  func finish() {
    let listeners = state.withLock { state in
      state.isFinished = true
      defer { state.listeners = [:] }
      return state.listeners.values.map { $0 }
    }
    for listener in listeners { listener.finish() }
  }

  /// Returns a stream of the request's progress. The stream begins with the last value and continues with later values.
  func stream() -> AsyncStream<RequestProgress> {
    let (stream, continuation) = AsyncStream.makeStream(of: RequestProgress.self, bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state in
      if let last = state.last { continuation.yield(last) }
      if state.isFinished { return 0 }
      state.lastID += 1
      state.listeners[state.lastID] = continuation
      return state.lastID
    }
    if id == 0 {
      continuation.finish()
    } else {
      continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.listeners[id] = nil } }
    }
    return stream
  }
}

/// The upload or download progress of a body.
public struct RequestProgress: Sendable, Hashable {
  /// The number of bytes that were sent, or that were received and decoded.
  public let completed: Int64
  /// The total number of bytes to send or to receive; nil if unknown.
  public let total: Int64?

  /// Creates a progress value.
  public init(completed: Int64, total: Int64?) {
    self.completed = completed
    self.total = total
  }

  /// The transferred fraction of the total, from 0 to 1; nil if the total is unknown.
  public var fraction: Double? {
    total.map { $0 > 0 ? min(1, Double(completed) / Double($0)) : 1 }
  }
}
