import GarlandResults

/// A report of a run, such as the lines on a console or a JSON file. Its functions are called on the pipeline's thread and may block,
/// unless ``isPrompt`` is true.
package protocol Reporter: AnyObject {
  /// The parts of the run's events, such as header fields and bodies, that the report reads.
  var detail: RunDetail { get }
  /// Receives the next event of the run.
  func receive(_ event: RunEvent)
  /// Writes all output that results from the events received so far.
  func flush()
  /// Returns the time after which the caller should call `flush()` even if no event arrives; nil for never. A live view needs these calls
  /// to redraw itself.
  func timeUntilFlush() -> Duration?
  /// Writes the remaining output and completes the report, or throws the reason why that failed. No other function is called afterwards.
  func finish() throws(ReportError)

  /// Whether the report can process events on the thread of the run instead of a separate thread. The run then waits while the report
  /// processes an event.
  var isPrompt: Bool { get }
  /// Writes as much output as possible without waiting. The caller calls this method instead of `flush()` if the report receives its events
  /// on the thread of the run.
  ///
  /// Default implementation: writes nothing and returns ``PromptFlush/mustWait``. The caller then flushes the report on a separate thread.
  func flushWithoutWaiting() -> PromptFlush
}

extension Reporter {
  /// Default implementation: has no effect, since the report has no buffered output.
  package func flush() {}
  /// Default implementation: returns nil, for a report that needs no redrawing.
  package func timeUntilFlush() -> Duration? { nil }
  /// Default implementation: false, so the report receives events only on a separate thread.
  package var isPrompt: Bool { false }
  /// Default implementation: returns ``PromptFlush/mustWait``, because writing may block. The caller then flushes on a separate thread.
  package func flushWithoutWaiting() -> PromptFlush { .mustWait }
}

/// A report that reads only the results of steps, and that is completed when the run has ended. During the run, the report writes only to
/// memory or to a file on disk. Such a write never blocks, so the report needs no thread of its own.
package protocol ResultReporter: Reporter {}

extension ResultReporter {
  /// Default implementation: no details, such as header fields or bodies. A ``ResultReporter`` needs only results, and the results of
  /// failed steps contain all details in any case.
  package var detail: RunDetail { [] }
  /// Default implementation: true, so the report processes events on the thread of the run. The report never blocks this thread.
  package var isPrompt: Bool { true }
  /// Default implementation: has no effect, since the report writes nothing before the end of the run.
  package func flushWithoutWaiting() -> PromptFlush { .done }
}

/// The result of writing a report's output without waiting for the reader.
package enum PromptFlush: Sendable, Hashable {
  /// All output was written.
  case done
  /// Only a part of the output was written, since the pipe is full. The pipeline tries again later.
  case waits
  /// Only a part of the output was written. The rest needs a separate thread: too much output is waiting, or the report cannot write
  /// without blocking.
  case mustWait
}
