/// What became of a background session's tasks, each told once.
public struct BackgroundResults: AsyncSequence, Sendable {
  /// A result.
  public typealias Element = BackgroundResult
  let store: BackgroundStore

  /// One reader. Several share the results.
  public func makeAsyncIterator() -> Iterator { Iterator(store: store) }

  /// One reader's place.
  public struct Iterator: AsyncIteratorProtocol {
    let store: BackgroundStore

    /// The next result, which is written down as told. Nil when there will be no more, or the task is cancelled.
    public mutating func next() async -> BackgroundResult? { await store.next() }
  }
}
