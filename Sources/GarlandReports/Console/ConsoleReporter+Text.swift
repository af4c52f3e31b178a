import GarlandDiagnostics
import GarlandResults

extension ConsoleReporter {
  private static let verboseBodyLines = 200

  /// Returns the text that the console writes for a result: the heading, if there is one, the line of the result, and the details that the
  /// options request.
  func text(of result: StepResult, below heading: [StyledText] = []) -> [UInt8] {
    let details = details(result)
    let isGroup = !details.isEmpty && options.log == .github && options.verbosity == .verbose
    table.write(result, loopLabels, isGroup ? .plain : streams.results.colors, to: &row)
    // Most texts are only a line in which nothing has to be changed.
    if heading.isEmpty, details.isEmpty, options.isUnicode, options.log == nil { return row.bytes }
    let line = String(decoding: row.bytes, as: UTF8.self)
    let lines = rendered(heading) + [harmless(isGroup ? GitHubActions.group(line) : line)] + rendered(details)
    return Array((isGroup ? lines + [GitHubActions.endGroup] : lines).joined(separator: "\n").utf8)
  }

  private func details(_ result: StepResult) -> [StyledText] {
    guard options.verbosity == .verbose || options.show != nil else { return [] }
    let text = ExchangeText(mask: mask, glyphs: glyphs)
    var lines: [StyledText] = []
    if let (parts, limit) = shownParts {
      for exchange in result.exchanges { lines += text.lines(exchange, parts: parts, bodyLimit: limit) }
    }
    if options.verbosity == .verbose {
      for (name, value) in result.extracted { lines.append("\("= ", .dim)\(mask.line(name), .key): \(mask.line(value))") }
    }
    return lines.map { "    " + $0 }
  }

  private var shownParts: (parts: ExchangeText.Parts, limit: Int)? {
    if options.verbosity == .verbose { return (.everything, options.show == nil ? ConsoleReporter.verboseBodyLines : .max - 1) }
    return switch options.show {
    case .headers: (.heads, 0)
    case .body: (.responseBody, .max - 1)
    case .all: (.everything, .max - 1)
    case nil: nil
    }
  }

  /// Returns the lines after the last step: the failures with the steps that they blocked, and the summary.
  ///
  /// Text that a CI system would execute as a log command, such as `::error`, is changed; only Garland's own annotations remain commands.
  func closingLines() -> [String] {
    let blocks = failures.inPlanOrder
    var closing: [String] = []
    for (index, block) in blocks.enumerated() {
      closing += [""] + block.annotations
      var lines = block.lines
      if block.alike > 0 { lines.append("  \("alike", .key)     \(Readable.count(block.alike, "further item")), for the same reason") }
      // For the iterations of one step, only the last block names the blocked steps.
      if index + 1 == blocks.count || blocks[index + 1].step != block.step { lines += blockedLines(by: block.step) }
      closing += rendered(lines)
    }
    closing += rendered(lastLines(isFirst: closing.isEmpty))
    // A quiet console writes no lines before the closing lines, so no blank line is needed.
    return options.verbosity == .quiet && closing.first == "" ? Array(closing.dropFirst()) : closing
  }

  private func rendered(_ lines: [StyledText]) -> [String] { lines.map { harmless($0.rendered(streams.results.colors)) } }

  /// Returns the lines after the failures: the number of failures that are not shown, the blocked and skipped steps, the errors of the run,
  /// and the summary.
  ///
  /// - Parameter isFirst: whether no lines about failures precede these lines.
  private func lastLines(isFirst: Bool) -> [StyledText] {
    let summary = tally.summary
    var lines: [StyledText] = []
    if failures.omittedCount > 0 {
      let number = Readable.count(failures.omittedCount, "further failure")
      lines += ["", StyledText("\(number) not shown here; --report json=FILE has all of them.", .warning)]
    }
    if !memory.otherwiseBlocked.isEmpty {
      lines += ["", "\("Blocked", .key)"]
      lines += memory.otherwiseBlocked.map { "\("\(glyphs.blocked) ", .skip)\($0)" }
    }
    if options.verbosity == .verbose, !memory.skipped.isEmpty {
      lines += ["", "\("Skipped", .key)"]
      lines += memory.skipped.map { StyledText("\(glyphs.skipped) \($0)", .dim) }
    }
    let errors = (summary.refusal?.diagnostics.filter { $0.severity == .error } ?? []) + summary.runErrors
    for error in errors { lines += [""] + render(error) }
    if !isFirst || !lines.isEmpty || options.verbosity != .quiet { lines.append("") }
    if let load = summary.load {
      lines += LoadText(glyphs: glyphs).lines(LoadFigures(load: load, steps: steps, label: label)) + [""]
    }
    let width = streams.results.isTerminal ? streams.results.target.facts.width : nil
    lines += SummaryText(glyphs: glyphs, width: width).lines(
      summary, slowest: options.verbosity == .quiet ? [] : memory.slowest.entries,
      reruns: options.suggestsReruns && summary.load == nil ? memory.reruns : [],
      command: options.commandName,
      options: memory.rerunOptions)
    if summary.isFailedByFlaky {
      let more = summary.flaky > memory.flaky.count ? " and \(summary.flaky - memory.flaky.count) more" : ""
      lines.append(StyledText("The run fails because of --fail-flaky: \(memory.flaky.joined(separator: ", "))\(more)", .warning))
    }
    return lines
  }

  private func blockedLines(by step: Int) -> [StyledText] {
    guard let group = memory.blocked[step] else { return [] }
    let hidden = group.count - group.names.count
    let names = group.names.joined(separator: ", ") + (hidden > 0 ? " and \(Readable.count(hidden)) more" : "")
    return ["  \("blocked", .key)   \(names, .skip)"]
  }
}
