import GarlandDiagnostics
import GarlandResults

/// Shows a run to a user: lines as steps end, a live view on a terminal, and at the end the problems and a summary.
///
/// - Lines, failures and the summary go to standard output. Notices and the live view go to standard error.
/// - If both streams are terminals (usually the same terminal), all output goes to only one of the streams, so that each frame of the live
///   view is a single write.
/// - If standard output is a pipe, the live view has a single row, because the program that reads the pipe may write to the same terminal
///   between two frames.
package final class ConsoleReporter: Reporter {
  let options: ConsoleOptions
  let mask: Mask
  let glyphs: Glyphs
  let streams: ConsoleStreams
  private let clock: @Sendable () -> Duration

  private var origin = Duration.zero
  private var live: LiveView?
  private var order: PlanOrder?
  private(set) var label: StepLabel
  private(set) var table: StepTable
  private(set) var memory = RunMemory()
  private(set) var tally = RunTally()
  private(set) var failures: FailureBlocks
  private(set) var bodyAlone: (step: String, body: Exchange.Body)?
  private(set) var groupIsOpen = false
  private(set) var steps: [StepIdentity] = []
  /// The display of a load test's measurements; nil for any other run.
  private var load: LoadView?
  /// Whether the console writes nothing. True in a run that sends no requests.
  private var isMute = false
  private var scrolled = 0
  /// The row of the result that ended last, whose memory the next row uses.
  var row = RowBuilder()

  private struct LoadView {
    static let pause = Duration.milliseconds(9_900)
    let settings: LoadSettings
    /// The time at which the console next shows the measurements of the load test, counted from the start of the run. Used only without a
    /// live view.
    var nextFigures = LoadView.pause
  }

  /// Creates a reporter that writes to a console.
  ///
  /// - Parameters:
  ///   - options: the content and form of the output.
  ///   - standardOutput: receives the lines of the steps, the failures and the summary, unless the options specify another stream.
  ///   - standardError: receives notices and the live view.
  ///   - redactor: masks the secrets. Text is masked before it is shortened to the width of the terminal.
  ///   - clock: returns the time since an arbitrary moment. The time must never decrease.
  package init(
    options: ConsoleOptions, standardOutput: ConsoleOutput, standardError: ConsoleOutput, redactor: Redactor,
    clock: @escaping @Sendable () -> Duration
  ) {
    self.options = options
    self.clock = clock
    mask = Mask(redactor)
    glyphs = options.isUnicode ? .unicode : .ascii
    let showsOnStandardError = options.destination == .standardError || options.bodyAloneOf != nil
    streams = ConsoleStreams(standardOutput, standardError, showsOnStandardError: showsOnStandardError)
    failures = FailureBlocks(limit: options.failureLimit)
    label = StepLabel(mask: mask, namesFile: false)
    table = StepTable(steps: [], label: label, glyphs: glyphs, width: nil)
  }

  /// The parts of the events that the console reads. Complete exchanges are needed only if the console shows them. Progress and the other
  /// events of a running step are needed only for a live view.
  package var detail: RunDetail {
    var detail: RunDetail = []
    if options.verbosity == .verbose { detail.formUnion([.fields, .bodies, .extracts]) }
    switch options.show {
    case .headers: detail.formUnion(.fields)
    case .body: detail.formUnion(.bodies)
    case .all: detail.formUnion([.fields, .bodies])
    case nil: break
    }
    if options.bodyAloneOf != nil { detail.formUnion(.bodies) }
    if liveStream != nil { detail.formUnion([.lifecycle, .progress]) }
    return detail
  }

  /// Receives the next event of the run.
  package func receive(_ event: RunEvent) {
    tally.receive(event)
    if case .runStarted(let start) = event { begin(start) }
    guard !isMute else { return }
    live?.receive(event)
    if live == nil, table.width != nil { memory.loopLabels.receive(event, mask: mask) }
    switch event {
    case .stepEnded(let result): end(result)
    // Files that the run could not write, and the reason why it did not begin, are shown below the
    // steps.
    case .notice(let diagnostic) where diagnostic.severity == .error: break
    case .notice(let diagnostic): add(render(diagnostic), to: streams.diagnostics)
    case .loadProgressed(let progress): show(progress)
    case .interrupted(let signal, _):
      let next = signal.hasPrefix("SIG") ? "A second signal ends the run at once." : "Then the run starts again."
      let line: StyledText =
        "\("Interrupted by \(signal):", .warning) cancelling running steps; steps with a cleanup finish and are cleaned up. \(next)"
      add(
        streams.diagnostics.target.facts.width.map { line.wrapped(to: max(20, $0 - 1), indentation: 2) } ?? [line], to: streams.diagnostics)
    case .runStarted, .stepReady, .stepStarted, .stepProgressed, .stepWaits, .runEnded: break
    }
  }

  /// Draws a frame of the live view if one is due, and writes the collected output.
  package func flush() {
    live?.draw(at: now)
    streams.flush()
  }

  /// Whether the console can write on the thread of the run, without a thread of its own. This is true if the console shows no exchanges
  /// and no live view, and if writing never blocks.
  ///
  /// The value is false for a terminal, since writing to a terminal may block, for example after Ctrl-S.
  package var isPrompt: Bool { detail.isEmpty && streams.arePrompt }

  /// Writes as much of the collected output as possible without waiting. Like ``flush()``, it writes notices before results.
  package func flushWithoutWaiting() -> PromptFlush { streams.flushWithoutWaiting() }

  /// Returns the time until the next frame, or nil without a live view.
  package func timeUntilFlush() -> Duration? { live?.timeUntilFrame(at: now) }

  /// Removes the live view and writes failures and the summary.
  package func finish() throws(ReportError) {
    guard !isMute else { return }
    order?.drain { add(rendered: $0, to: streams.results) }
    live?.end()
    live = nil
    if groupIsOpen { streams.results.add(GitHubActions.endGroup) }
    for line in closingLines() { streams.results.add(line) }
    streams.flush()
    try printBodyAlone()
    for (stream, name) in [(streams.standardOutput, "standard output"), (streams.diagnostics, "standard error")] {
      if let reason = stream.failure { throw .cannotWrite(path: name, reason: reason) }
    }
  }

  private var now: Duration { clock() - origin }

  private var isQuiet: Bool { options.verbosity == .quiet }

  /// The terminal for the live view, or nil if no live view is shown.
  private var liveStream: ConsoleStream? {
    guard options.isLive, options.verbosity != .quiet else { return nil }
    return [streams.results, streams.diagnostics].first { $0.isTerminal }
  }

  private func begin(_ start: RunStart) {
    origin = clock()
    isMute = start.sendsNothing
    guard !isMute else { return }
    steps = start.steps
    memory.rerunOptions = start.rerunOptions
    load = start.load.map { LoadView(settings: $0) }
    let hasManyFiles = start.steps.contains { $0.file != start.steps.first?.file }
    label = StepLabel(mask: mask, namesFile: hasManyFiles)
    let width = streams.results.isTerminal ? streams.results.target.size().columns ?? streams.results.target.facts.width : nil
    let stream = liveStream
    // On a terminal with a live view, lines scroll as steps end; otherwise they are written in plan order.
    let scrolls = stream?.isTerminal == true && streams.results.isTerminal
    if !isQuiet, !scrolls, options.order == .plan, load == nil { order = PlanOrder(firstIterations: start.firstIterations) }
    let lineLabel = order == nil ? label : StepLabel(mask: mask, namesFile: false)
    table = StepTable(steps: start.steps, label: lineLabel, glyphs: glyphs, width: width)
    if let stream {
      let isSingleRow = stream !== streams.results && streams.results.target.isPipe
      live = LiveView(stream: stream, glyphs: glyphs, label: label, isSingleRow: isSingleRow, isUnicode: options.isUnicode)
    }
    if !isQuiet, order == nil || !hasManyFiles {
      let lines = hasManyFiles ? ["\(Readable.count(fileCount(start.steps), "file")), \(Readable.count(start.steps.count, "step"))"] : []
      add(lines.map { StyledText($0, .emphasis) } + (hasManyFiles ? [] : heading(start.steps, ofFileAt: 0)), to: streams.results)
      if let load { add([StyledText("Load: \(LoadFigures.plan(load.settings))", .dim)], to: streams.results) }
    }
  }

  /// Writes a line with the measurements of a load test, at most every ten seconds. Writes nothing if a live view shows the measurements,
  /// or with `--quiet`.
  private func show(_ progress: LoadProgress) {
    guard !isQuiet, live == nil, let load, progress.elapsed >= load.nextFigures else { return }
    self.load?.nextFigures = progress.elapsed + LoadView.pause
    add([LoadText(glyphs: glyphs).line(progress)], to: streams.results)
  }

  private func fileCount(_ steps: [StepIdentity]) -> Int {
    var count = 0
    var last: String?
    for step in steps where step.file != last {
      count += 1
      last = step.file
    }
    return count
  }

  /// Returns the heading of a file, such as `Bookshop smoke test  examples/bookshop.yaml  5 steps`. For GitHub, the heading is the command
  /// that begins a group of lines that can be folded.
  private func heading(_ steps: [StepIdentity], ofFileAt index: Int) -> [StyledText] {
    guard index < steps.count else { return [] }
    let first = steps[index]
    let count = steps[index...].prefix { $0.file == first.file }.count
    let workflow = mask.line(first.workflow)
    let file = mask.line(first.file)
    let number = Readable.count(count, "step")
    // For a document without a name, `workflow` is the name of its file.
    let place = workflow == file ? number : "\(file)  \(number)"
    guard options.log == .github, options.verbosity != .verbose else {
      let heading: StyledText = "\(workflow, .emphasis)  \(place, .dim)"
      return [table.width.map { heading.truncated(to: max(1, $0 - 1)) } ?? heading]
    }
    let opening = StyledText(GitHubActions.group("\(workflow)  \(place)"))
    groupIsOpen = true
    return index > 0 ? [StyledText(GitHubActions.endGroup), opening] : [opening]
  }

  /// The labels of the loop items that were reported so far. If all labels of a loop begin or end with the same text, the console writes
  /// `…` instead of this text.
  var loopLabels: LoopLabels { live?.loopLabels ?? memory.loopLabels }

  private func end(_ result: StepResult) {
    // The step that caused a failure must be known before the line is written.
    memory.remember(result, label: label)
    if result.outcome.isProblem { failures.add(result) { block(of: result) } }
    if let wanted = options.bodyAloneOf, wanted == result.step.id || wanted == "\(result.step.file)#\(result.step.id)" {
      bodyAlone = wholeBody(of: result).map { (label.name(result.step, iteration: result.iteration), $0) }
    }
    // In a load test, steps are shown as rows of a table at the end.
    guard !isQuiet, load == nil else { return }
    guard order == nil else {
      let heading = startsFile(result) ? heading(steps, ofFileAt: result.step.index) : []
      let text = text(of: result, below: heading)
      order?.add(text, step: result.step.index, iteration: result.iterationIndex, endsStep: result.endsStep) {
        add(rendered: $0, to: streams.results)
      }
      return
    }
    guard options.verbosity == .verbose || result.outcome.isProblem || !streams.results.isTerminal || live == nil || scrolls() else {
      return
    }
    add(rendered: text(of: result), to: streams.results)
  }

  /// Returns the body of the last response, or nil if the body was cut off or the run did not wait for the end of the body.
  private func wholeBody(of result: StepResult) -> Exchange.Body? {
    guard result.outcome == .passed || result.outcome == .failed, let last = result.lastOwnExchange, last.error == nil else { return nil }
    return last.receivedBody
  }

  /// Returns whether a result is the first of its workflow file, in plan order. Always false in a run of one file.
  private func startsFile(_ result: StepResult) -> Bool {
    let index = result.step.index
    guard label.namesFile, index < steps.count, (result.iterationIndex ?? 0) == 0 else { return false }
    return index == 0 || steps[index - 1].file != steps[index].file
  }

  private func scrolls() -> Bool {
    guard steps.count <= options.scrollLimit, scrolled < options.scrollLimit else {
      if scrolled >= 0, scrolled < .max {
        add(
          [StyledText("The run has more than \(Readable.count(options.scrollLimit)) steps; only steps with problems are listed.", .dim)],
          to: streams.results)
      }
      scrolled = .max
      return false
    }
    scrolled += 1
    return true
  }

  private func block(of result: StepResult) -> FailureBlocks.Block {
    let width = streams.results.isTerminal ? streams.results.target.facts.width : nil
    let block = FailureBlock(mask: mask, glyphs: glyphs, label: label, width: width)
    let annotations =
      options.log.map { log in Annotation.all(of: result, label: label, mask: mask, root: options.sourceRoot).map(log.command) } ?? []
    return FailureBlocks.Block(
      step: result.step.index, iteration: result.iterationIndex ?? 0, lines: block.lines(result, showsExchange: false),
      annotations: annotations)
  }

  func render(_ diagnostic: Diagnostic) -> [StyledText] {
    let width = streams.diagnostics.target.facts.width ?? 120
    return mask.styled(mask.renderer(width: width).render(diagnostic)).lines
  }

  func harmless(_ line: String) -> String {
    let line = options.isUnicode ? line : Glyphs.inASCII(line)
    return options.log?.harmless(line) ?? line
  }

  /// Adds lines to the output. If a live view is shown and `stream` is a terminal, the lines appear above the live view. Otherwise they are
  /// written directly to `stream`.
  private func add(_ lines: [StyledText], to stream: ConsoleStream) {
    for line in lines { add(rendered: Array(harmless(line.rendered(stream.colors)).utf8), to: stream) }
  }

  private func add(rendered text: [UInt8], to stream: ConsoleStream) {
    if live != nil, stream.isTerminal {
      for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
        live?.add(rendered: String(decoding: line, as: UTF8.self))
      }
    } else {
      stream.add(text)
    }
  }
}
