/// The results of a background session's tasks. Each result is delivered once.
public struct BackgroundResults: AsyncSequence, Sendable {
  /// The result of a task.
  public typealias Element = BackgroundResult
  let store: BackgroundStore

  /// Creates a reader. If there are several readers, each result goes to only one of them.
  public func makeAsyncIterator() -> Iterator { Iterator(store: store) }

  /// A reader of the results.
  public struct Iterator: AsyncIteratorProtocol {
    let store: BackgroundStore

    /// Returns the next result and records it as delivered. Returns nil when no more results will
    /// come, or when the task is cancelled.
    public mutating func next() async -> BackgroundResult? { await store.next() }
  }
}
