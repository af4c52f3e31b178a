/// The status of a ``Reachability``, now and after each change. The sequence ends when the waiting
/// task is cancelled.
public struct ReachabilityChanges: AsyncSequence, Sendable {
  /// A status that differs from the previous status.
  public typealias Element = ReachabilityStatus
  /// The sequence never fails. If the kernel does not report routes, the sequence ends after the
  /// status ``ReachabilityStatus/unknown(_:)``.
  public typealias Failure = Never
  let subject: Reachability

  /// Starts to observe changes of the reachability status.
  public func makeAsyncIterator() -> Iterator { Iterator(subject: subject) }

  /// Observes changes of the reachability, and returns each new ``ReachabilityStatus``.
  public struct Iterator: AsyncIteratorProtocol {
    private let subject: Reachability
    private var last: ReachabilityStatus?
    private var news: AsyncStream<Void>.Iterator
    private let observation: Result<NetworkObservation, ReachabilityError>

    init(subject: Reachability) {
      self.subject = subject
      // One buffered change is enough: the reader checks the current status.
      let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
      news = stream.makeAsyncIterator()
      observation = Result { () throws(ReachabilityError) in try NetworkMonitor.shared.observe { continuation.yield() } }
    }

    /// Returns the next status; nil if the task was cancelled, or after the kernel has refused to report changes.
    public mutating func next() async -> ReachabilityStatus? { await next(isolation: nil) }

    /// Returns the next status on the caller's actor; nil if the task was cancelled, or after the kernel has refused to
    /// report changes.
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
