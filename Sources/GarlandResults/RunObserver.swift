/// Something that follows a run: a console, a report file, a test.
public protocol RunObserver: Sendable {
  /// Called in the order of events, from the thread the run goes on: it must not block. What is slow belongs behind a queue.
  func receive(_ event: RunEvent)
}
