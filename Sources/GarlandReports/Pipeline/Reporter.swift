import GarlandResults

/// One report of a run: a console, a file. It lives on the pipeline's thread and may block.
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
}

extension Reporter {
  /// Nothing to do.
  public func flush() {}
  /// For ever.
  public func timeUntilFlush() -> Duration? { nil }
}
