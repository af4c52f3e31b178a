import GarlandDiagnostics
import GarlandResults

/// Draws the live view on a terminal: it processes events, decides when a frame is due, and writes
/// the frame.
struct LiveView {
  /// The time between the start of the run and the first frame. A run that ends sooner shows no
  /// live view, only its lines.
  private static let patience = Duration.milliseconds(100)
  /// The minimum time between frames, for at most fifteen frames in a second.
  private static let shortestFrame = Duration.nanoseconds(66_666_667)
  /// The maximum time between two frames while a step runs, because spinners and times change even without an event.
  private static let longestFrame = Duration.milliseconds(100)

  private let stream: ConsoleStream
  private let glyphs: Glyphs
  private let label: StepLabel
  /// Whether the view has only one row, because other programs write to the same terminal.
  ///
  /// If another program has just written text, a view of one row overwrites at most the last row of this text.
  private let isSingleRow: Bool
  private let isUnicode: Bool
  private(set) var state = LiveState()
  private(set) var loopLabels = LoopLabels()
  private var region = LiveRegion()
  private var pending: [String] = []
  private var lastFrame: Duration?
  private var needsFrame = false

  init(stream: ConsoleStream, glyphs: Glyphs, label: StepLabel, isSingleRow: Bool, isUnicode: Bool = true) {
    self.isUnicode = isUnicode
    self.stream = stream
    self.glyphs = glyphs
    self.label = label
    self.isSingleRow = isSingleRow
  }

  mutating func receive(_ event: RunEvent) {
    state.receive(event)
    loopLabels.receive(event, mask: label.mask)
    needsFrame = true
  }

  /// Adds a line that is written above the view and stays there. The line already contains the
  /// escape sequences for its colours.
  mutating func add(rendered line: String) { pending.append(line) }

  /// Returns the time until the next frame; nil if there is nothing to draw until the next event.
  func timeUntilFrame(at now: Duration) -> Duration? {
    guard let lastFrame else { return max(.zero, LiveView.patience - now) }
    if needsFrame || !pending.isEmpty { return max(.zero, lastFrame + LiveView.shortestFrame - now) }
    return state.runningCount > 0 ? max(.zero, lastFrame + LiveView.longestFrame - now) : nil
  }

  /// Draws a frame if one is due.
  mutating func draw(at now: Duration) {
    guard now >= LiveView.patience else { return }
    if let lastFrame, now < lastFrame + LiveView.shortestFrame { return }
    lastFrame = now
    needsFrame = false
    state.measureRates(at: now)
    if TerminalRestoration.takeSuspension() { region.forget() }
    let (columns, lines) = size()
    let height = isSingleRow ? 1 : max(1, min(lines - 1, 13))
    // The terminal echoes Ctrl-C as `^C` after the last row. It must not continue on a further row.
    let rows = LiveRows(label: label, glyphs: glyphs, columns: columns - 1, height: height, loopLabels: loopLabels).rows(state, at: now)
    let frame = region.frame(
      above: pending,
      rows: rows.map { row in
        let text = row.rendered(stream.colors)
        return LiveRegion.Row(text: isUnicode ? text : Glyphs.inASCII(text), width: row.width)
      }, columns: columns)
    pending = []
    // A signal may end the program while the frame that hides the cursor is written. So this is noted before.
    if region.isVisible { TerminalRestoration.cursorIsHidden(on: stream.target.fileDescriptor) }
    stream.write(frame)
    if !region.isVisible { TerminalRestoration.cursorIsHidden(on: nil) }
  }

  /// Writes the pending lines, and removes the view from the screen.
  mutating func end() {
    stream.write(region.end(above: pending, columns: size().columns))
    pending = []
    TerminalRestoration.cursorIsHidden(on: nil)
  }

  private func size() -> (columns: Int, lines: Int) {
    let (columns, lines) = stream.target.size()
    return (columns ?? stream.target.facts.width ?? 80, lines ?? stream.target.facts.height ?? 24)
  }
}
