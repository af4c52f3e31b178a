/// The status of a ``Reachability``, now and whenever it changes. It ends when the task that waits is cancelled.
public struct ReachabilityChanges: AsyncSequence, Sendable {
  /// A status that differs from the one before.
  public typealias Element = ReachabilityStatus
  /// Nothing goes wrong on the way: a kernel that does not tell is ``ReachabilityStatus/unknown(_:)``.
  public typealias Failure = Never
  let subject: Reachability

  /// Begins to listen.
  public func makeAsyncIterator() -> Iterator { Iterator(subject: subject) }

  /// Listens.
  public struct Iterator: AsyncIteratorProtocol {
    private let subject: Reachability
    private var last: ReachabilityStatus?
    private var news: AsyncStream<Void>.Iterator
    private let observation: Result<NetworkObservation, ReachabilityError>

    init(subject: Reachability) {
      self.subject = subject
      // One is enough: whoever wakes up looks at what there is then.
      let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
      news = stream.makeAsyncIterator()
      observation = Result { () throws(ReachabilityError) in try NetworkMonitor.shared.observe { continuation.yield() } }
    }

    /// The next status, nil when the task was cancelled.
    public mutating func next() async -> ReachabilityStatus? { await next(isolation: nil) }

    /// The same, on the caller's actor.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(Never) -> ReachabilityStatus? {
      if case .failure(let error) = observation {
        if last != nil { return nil }
        last = .unknown(error)
        return last
      }
      while true {
        if last != nil, await news.next(isolation: actor) == nil { return nil }
        let status = await subject.status
        if Task.isCancelled { return nil }
        if status == last { continue }
        last = status
        return status
      }
    }
  }
}
