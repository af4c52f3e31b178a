import GarlandDiagnostics
import GarlandResults

/// The rows of the live view, fitted to the terminal.
///
/// ```
/// ━━━━━━━━━━━────────── 45/120 steps  ✓ 40  ✗ 2  ⊘ 3  4 running  71 waiting  12.4 s
///   ⠹ each_user  348/400  ━━━━━━━━━━━━━━──  29/s  1.8 s left
///   ⠹ cover      PUT /books/${create.id}/cover  ↑ ━━━━━───── 45%  12.3 MiB/s  4 s left
///   ⠹ slow       GET /slow                                                       1.2 s
///   ◌ read_back  waits for cover
/// ```
struct LiveRows {
  let label: StepLabel
  let glyphs: Glyphs
  let columns: Int
  /// The maximum number of rows in the live view.
  let height: Int
  var loopLabels = LoopLabels()

  /// The minimum number of bytes for which a transfer shows its progress. Smaller transfers show only their time.
  private static let largeTransfer = 256 << 10
  private static let mostRunning = 8
  private static let mostWaiting = 3
  private static let mostLoops = 3

  func rows(_ state: LiveState, at now: Duration) -> [StyledText] {
    guard columns >= 8, height >= 1 else { return [] }
    if state.sendsLoad {
      let stopping = state.interruption.map { StyledText("stopping (\($0))  ", .warning) } ?? StyledText()
      let line = state.load.map { LoadText(glyphs: glyphs).line($0) } ?? StyledText(Readable.elapsed(now), .dim)
      return [(stopping + line).truncated(to: columns - 1).trimmed]
    }
    var rows = [counts(state, at: now)]
    let loops = state.runningLoops(min(LiveRows.mostLoops, (height - 1) / 2))
    let room = height - 1 - loops.count
    let shown = state.oldestRunning(min(LiveRows.mostRunning, room))
    let hidden = state.runningCount - shown.count
    // The last row shows the number of hidden transfers instead of a transfer.
    let listed = hidden > 0 && shown.count == room ? Array(shown.dropLast()) : shown
    let names = listed.map { label.name($0.step, iteration: $0.iteration) }
    let waiting = state.waiting(for: listed, limit: min(LiveRows.mostWaiting, room - listed.count - (hidden > 0 ? 1 : 0)))
    let widest = (names + (loops.map(\.step) + waiting.map(\.step)).map { label.name($0) }).map { DisplayWidth.of($0) }.max() ?? 0
    let nameWidth = min(widest, 32, max(8, columns / 3))
    for loop in loops { rows.append(row(loop, nameWidth: nameWidth, at: now)) }
    for (entry, name) in zip(listed, names) { rows.append(row(entry, name: name, nameWidth: nameWidth, at: now)) }
    let more = state.runningCount - listed.count
    if more > 0, rows.count < height { rows.append("  \("\(glyphs.ellipsis) and \(Readable.count(more)) more", .dim)") }
    for entry in waiting { rows.append(row(entry, nameWidth: nameWidth)) }
    return rows.prefix(height).map { $0.truncated(to: columns - 1).trimmed }
  }

  private func counts(_ state: LiveState, at now: Duration) -> StyledText {
    // The parts of the line in order. If there is not enough room, the part with the highest number is left out first.
    var parts: [(text: StyledText, dispensability: Int)] = []
    parts.append((StyledText("\(Readable.count(state.endedSteps))/\(Readable.count(state.steps.count)) steps", .emphasis), 0))
    func count(_ number: Int, _ sign: String, _ style: StyledText.Style, _ dispensability: Int) {
      if number > 0 { parts.append((StyledText("\(sign) \(Readable.count(number))", style), dispensability)) }
    }
    let problems = [Outcome.failed, .error, .unreachable].reduce(0) { $0 + state.counts[$1, default: 0] }
    count(state.counts[.passed, default: 0], glyphs.passed, .success, 3)
    count(problems, glyphs.failed, .failure, 1)
    count(state.counts[.blocked, default: 0], glyphs.blocked, .skip, 4)
    count(state.counts[.skipped, default: 0] + state.counts[.notRun, default: 0], glyphs.skipped, .dim, 6)
    if state.allowedFailures > 0 { parts.append((StyledText("\(state.allowedFailures) allowed", .warning), 7)) }
    if let signal = state.interruption {
      parts.append((StyledText("stopping (\(signal))", .warning), 1))
    }
    if state.runningCount > 0 { parts.append(("\(Readable.count(state.runningCount)) running", 2)) }
    let waiting = state.waitingSteps + state.readySteps
    if waiting > 0 { parts.append((StyledText("\(Readable.count(waiting)) waiting", .dim), 5)) }
    parts.append((StyledText(Readable.elapsed(now), .dim), 2))

    func width() -> Int { parts.reduce(0) { $0 + $1.text.width + 2 } - 2 }
    while width() > columns - 1, parts.count > 1 {
      guard let worst = parts.indices.max(by: { parts[$0].dispensability <= parts[$1].dispensability }) else { break }
      parts.remove(at: worst)
    }
    let left = columns - 1 - width() - 2
    var line = left >= 6 ? bar(state.endedSteps, of: state.steps.count, width: min(left, 24), style: .success) + " " : StyledText()
    for (index, part) in parts.enumerated() { line += index == 0 ? part.text : "  " + part.text }
    return line
  }

  private func row(_ entry: LiveState.Running, name: String, nameWidth: Int, at now: Duration) -> StyledText {
    let frame = Readable.microseconds(max(.zero, now - entry.startedAt)) / 100_000 % glyphs.spinner.count
    let sign = entry.pause == nil ? StyledText(glyphs.spinner[frame], .note) : StyledText(glyphs.paused, .skip)
    let shown = loopLabels.shortened(name, label: entry.iteration.map(label.mask.line), ofStep: entry.step.index, to: nameWidth)
    let head: StyledText = "  \(sign) \(StyledText(shown).padded(to: nameWidth))  "
    var tail: StyledText
    if let pause = entry.pause {
      let left = Readable.elapsed(max(.zero, pause.until - now))
      tail = "\(label.mask.line(pause.reason), .skip)\(", again in \(left)", .dim)"
      return head + tail
    }
    tail = entry.progress.flatMap { transfer($0, entry.rate) } ?? StyledText(Readable.elapsed(now - entry.startedAt), .dim)
    let room = columns - 1 - head.width - tail.width - 2
    guard room >= 8 else { return head + tail }
    let action = entry.target.map { label.action(entry.step, method: $0.method, url: $0.url) } ?? label.action(entry.step)
    return head + StyledText(action, .dim).shortened(to: room).padded(to: room) + "  " + tail
  }

  /// Returns the row of a loop, such as `⠹ each_user  348/400  ━━━━━━━━━━━━━━──  29/s  1.8 s left`. The rate is the average over all items
  /// so far.
  private func row(_ loop: LiveState.Loop, nameWidth: Int, at now: Duration) -> StyledText {
    let elapsed = max(.zero, now - loop.startedAt)
    let sign = glyphs.spinner[Readable.microseconds(elapsed) / 100_000 % glyphs.spinner.count]
    let name = StyledText(label.name(loop.step), .emphasis).shortened(to: nameWidth).padded(to: nameWidth)
    let whole = Readable.count(loop.itemCount)
    let done = StyledText(Readable.count(loop.endedCount)).padded(to: DisplayWidth.of(whole), .trailing)
    var line: StyledText = "  \(sign, .note) \(name)  \(done)/\(whole)"
    if columns >= 80 { line += "  " + bar(loop.endedCount, of: loop.itemCount, width: columns >= 100 ? 16 : 10, style: .success) }
    let seconds = Double(Readable.microseconds(elapsed)) / 1_000_000
    guard loop.endedCount > 0, seconds >= 0.5 else { return line }
    let rate = Double(loop.endedCount) / seconds
    // The columns have a constant width, so that they do not flicker.
    let words: StyledText = "  " + StyledText(LiveRows.words(forRate: rate)).padded(to: columns >= 80 ? 8 : 0, .trailing)
    guard line.width + words.width < columns else { return line }
    line += words
    let left = Double(loop.itemCount - loop.endedCount) / rate
    guard left < 86_400 else { return line }
    let rest: StyledText = "  " + StyledText("\(Readable.elapsed(.milliseconds(Int(left * 1_000)))) left", .dim)
    return line.width + rest.width < columns ? line + rest : line
  }

  /// Returns a rate of items per second in words, such as `29/s`, `2.5/s` or `4.0/min`.
  private static func words(forRate rate: Double) -> String {
    func oneDigit(_ value: Double) -> String { "\(Int(value * 10 + 0.5) / 10).\(Int(value * 10 + 0.5) % 10)" }
    if rate >= 10 { return "\(Readable.count(Int(rate + 0.5)))/s" }
    return rate >= 0.1 ? "\(oneDigit(rate))/s" : "\(oneDigit(rate * 60))/min"
  }

  /// Returns the progress of a transfer as text. Returns nil if the transfer is so small that its progress is not shown.
  private func transfer(_ progress: TransferProgress, _ rate: TransferRate) -> StyledText? {
    if let items = progress.items { return StyledText("\(glyphs.download) \(StreamWords.text(of: items))") }
    let sends = progress.bytesSent > progress.bytesReceived
    let done = sends ? progress.bytesSent : progress.bytesReceived
    let whole = sends ? progress.bytesToSend : progress.bytesExpected
    guard max(done, whole ?? 0) >= LiveRows.largeTransfer else { return nil }
    var text: StyledText = "\(sends ? glyphs.upload : glyphs.download, .note) "
    if let whole {
      // The columns have a constant width, so that they do not flicker.
      if columns >= 70 { text += bar(done, of: whole, width: columns >= 100 ? 16 : 10, style: .note) + " " }
      text += StyledText("\(Readable.percent(done, of: whole))%").padded(to: 4, .trailing)
    } else {
      text += StyledText(Readable.size(done))
    }
    if columns >= 60, let speed = rate.bytesPerSecond {
      text += "  " + StyledText(Readable.rate(bytes: Int(min(speed, 1e18)), in: .seconds(1))).padded(to: 10, .trailing)
      if let whole, let left = rate.timeLeft(for: whole - done) {
        text += "  " + StyledText("\(Readable.elapsed(left)) left", .dim).padded(to: 11, .trailing)
      }
    }
    return text
  }

  private func row(_ entry: LiveState.Waiting, nameWidth: Int) -> StyledText {
    let name = StyledText(label.name(entry.step), .dim).shortened(to: nameWidth).padded(to: nameWidth)
    let needed = entry.dependencies.prefix(4).map { label.name($0) }.joined(separator: ", ")
    let more = entry.dependencies.count > 4 ? " and \(entry.dependencies.count - 4) more" : ""
    return "  \(glyphs.waiting, .dim) \(name)  \("waits for \(needed)\(more)", .dim)"
  }

  private func bar(_ part: Int, of whole: Int, width: Int, style: StyledText.Style) -> StyledText {
    let filled = whole > 0 ? Int(Double(width) * min(1, max(0, Double(part) / Double(whole)))) : 0
    var bar = StyledText(String(repeating: glyphs.barDone, count: filled), style)
    bar.append(String(repeating: glyphs.barLeft, count: width - filled), .dim)
    return bar
  }
}
