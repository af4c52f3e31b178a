import GarlandResults

/// A report of a run: a console, a file. It lives on the pipeline's thread and may block, unless
/// ``isPrompt`` is true.
public protocol Reporter: AnyObject {
  /// The details of the run that the report reads.
  var detail: RunDetail { get }
  /// The next event.
  func receive(_ event: RunEvent)
  /// Writes all output of the events received so far.
  func flush()
  /// Returns how long `flush()` need not be called without an event; nil for ever. A live view
  /// redraws by this.
  func timeUntilFlush() -> Duration?
  /// The last call, which writes the rest, or throws the reason why it can't.
  func finish() throws(ReportError)

  /// Whether the report may receive events on the thread of the run, which has to wait meanwhile:
  /// `receive` takes microseconds and never blocks, and output is written in
  /// ``flushWithoutWaiting()``. Read once, before the first event. Default: false.
  var isPrompt: Bool { get }
  /// Takes the place of `flush()` as long as the report receives events on the thread of the run:
  /// writes as much as it can without waiting. Default: the report needs a thread of its own.
  func flushWithoutWaiting() -> PromptFlush
}

extension Reporter {
  /// Default: nothing to write.
  public func flush() {}
  /// Default: for ever.
  public func timeUntilFlush() -> Duration? { nil }
  /// False.
  public var isPrompt: Bool { false }
  /// Default: the report needs a thread of its own.
  public func flushWithoutWaiting() -> PromptFlush { .mustWait }
}

/// A report that reads only the results of steps, and is written when the run has ended. Its data
/// goes to memory, or to a file on the disk, which never blocks. So it needs no thread of its own.
public protocol ResultReporter: Reporter {}

extension ResultReporter {
  /// Only results: failures are complete in any case.
  public var detail: RunDetail { [] }
  /// True.
  public var isPrompt: Bool { true }
  /// Default: there is nothing to write before the end.
  public func flushWithoutWaiting() -> PromptFlush { .done }
}
