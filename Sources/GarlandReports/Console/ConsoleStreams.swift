/// The streams to which the console report writes results, notices and bodies.
struct ConsoleStreams {
  /// The stream for the lines of the steps, the failures and the summary.
  let results: ConsoleStream
  /// The stream for messages that are not results of the run, such as warnings: standard error.
  let diagnostics: ConsoleStream
  let standardOutput: ConsoleStream

  /// Creates the streams.
  ///
  /// - Parameter showsOnStandardError: whether the results go to standard error.
  init(_ standardOutput: ConsoleOutput, _ standardError: ConsoleOutput, showsOnStandardError: Bool) {
    self.standardOutput = ConsoleStream(standardOutput)
    diagnostics = ConsoleStream(standardError)
    results = showsOnStandardError ? diagnostics : self.standardOutput
  }

  /// Whether ``flushWithoutWaiting()`` can write to both streams without waiting.
  var arePrompt: Bool { results.isPrompt && diagnostics.isPrompt }

  func flush() {
    diagnostics.flush()
    results.flush()
  }

  /// Writes as much of the collected output as possible without waiting. The order of the output is the same as with ``flush()``.
  func flushWithoutWaiting() -> PromptFlush {
    switch diagnostics.flushWithoutWaiting() {
    case .done: results.flushWithoutWaiting()
    // Later output must not precede output that is still waiting.
    case .waits: results.isFull ? .mustWait : .waits
    case .mustWait: .mustWait
    }
  }
}
