import GarlandResults

/// One report of a run: a console, a file. It lives on the pipeline's thread and may block, unless it says that it never does (``isPrompt``).
public protocol Reporter: AnyObject {
  /// What of the run it looks at.
  var detail: RunDetail { get }
  /// The next event.
  func receive(_ event: RunEvent)
  /// All events that had come so far were received; what is ready should leave.
  func flush()
  /// How long it can go without an event before `flush()` should be called again; nil for ever. A live view redraws by this.
  func timeUntilFlush() -> Duration?
  /// The last call, after which everything is written, or an error tells why not.
  func finish() throws(ReportError)

  /// Whether it may be told on the thread that a run goes on, where everything else has to wait meanwhile: `receive` takes microseconds and waits for
  /// nobody, and what it has to write it writes in ``flushWithoutWaiting()``. Asked once, before the first event. Default: false.
  var isPrompt: Bool { get }
  /// Takes the place of `flush()` as long as the report is told on the thread that a run goes on: writes what leaves without waiting. Default: the report
  /// needs a thread of its own.
  func flushWithoutWaiting() -> PromptFlush
}

extension Reporter {
  /// Nothing to do.
  public func flush() {}
  /// For ever.
  public func timeUntilFlush() -> Duration? { nil }
  /// False.
  public var isPrompt: Bool { false }
  /// It needs a thread of its own.
  public func flushWithoutWaiting() -> PromptFlush { .mustWait }
}

/// A report that looks at nothing beyond the results of steps, and is written when the run has ended: what comes goes to memory, or to a file on the disk, and
/// nobody waits for that. So it needs no thread of its own.
public protocol ResultReporter: Reporter {}

extension ResultReporter {
  /// Nothing beyond the results: what went wrong is told in full anyway.
  public var detail: RunDetail { [] }
  /// True.
  public var isPrompt: Bool { true }
  /// There is nothing to write before the end.
  public func flushWithoutWaiting() -> PromptFlush { .done }
}
