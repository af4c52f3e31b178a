import GarlandDiagnostics
import GarlandJSON
import GarlandResults

/// Describes a failed step in several lines, with everything that helps a user to find the cause.
struct FailureBlock {
  let mask: Mask
  let glyphs: Glyphs
  let label: StepLabel
  /// The terminal's width; nil if lines are not cut.
  let width: Int?

  /// The number of lines of a body that are shown by default.
  static let bodyLines = 20
  private static let differenceLines = 60
  private static let longestLine = 1_000
  /// The maximum size in bytes of a body that is compared with its excerpt, to find out whether the excerpt is the whole body. For a larger
  /// body, the excerpt counts as the whole body if it contains no `…`.
  private static let comparedBytes = 16 << 10

  /// Returns the lines that describe a failed step.
  ///
  /// - Parameters:
  ///   - result: the result of the failed step.
  ///   - showsExchange: whether the whole exchange is shown below these lines. If true, these lines omit the response.
  func lines(_ result: StepResult, showsExchange: Bool) -> [StyledText] {
    var lines = wrapped(headline(result))
    if result.failures.isEmpty, let reason = result.reason {
      lines += wrapped("  \("error", .error): \(mask.line(reason), .emphasis)")
      lines += location(of: result.step.range)
    }
    // Several failures can refer to the same body, which is shown only once, below the last of these failures.
    var shown: Set<String> = []
    let blocks = result.failures.indices.reversed().map { index in
      let failure = result.failures[index]
      guard !continuesCheck(at: index, of: result.failures) else { return self.head(failure) + difference(failure) }
      let excerpt = failure.excerpt.flatMap { shown.insert($0).inserted ? $0 : nil }
      return self.lines(failure, excerpt: excerpt, of: result.lastOwnExchange?.receivedBody)
    }
    for block in blocks.reversed() { lines += block }
    // The last exchange of a call may be that of a cleanup; only failed exchanges have a command.
    let wrong = result.step.isRequest ? nil : result.exchanges.last { $0.curlCommand != nil }
    if let exchange = wrong ?? result.lastOwnExchange {
      let requests = result.step.isRequest ? result.requestCount : 1
      if !showsExchange { lines += response(exchange, requests: requests, failures: result.failures) }
      if let command = exchange.curlCommand {
        lines.append("  \("request", .key)")
        // The command's lines are only indented, so that they can be copied. They are not shortened, since a shortened command would be
        // useless.
        lines += mask.lines(command).map { StyledText("    ") + StyledText($0) }
      }
    }
    return lines
  }

  /// Whether a failure comes from the same check as the failure before it, such as the second failed item of `each`.
  ///
  /// For such a failure, neither the source line nor the body is shown again: the line is the same, and another item of the body would give
  /// no new information.
  private func continuesCheck(at index: Int, of failures: [CheckFailure]) -> Bool {
    guard index > 0, let range = failures[index].range else { return false }
    let before = failures[index - 1]
    return before.kind == failures[index].kind && before.subject == failures[index].subject && before.range == range
  }

  private func headline(_ result: StepResult) -> StyledText {
    let sign = glyphs.mark(of: result)
    let mark = StyledText(sign.text, sign.style)
    let name = StyledText(label.name(result.step, iteration: result.iteration), .emphasis)
    var line = mark + " " + name + "  " + StyledText(label.action(result), .dim)
    if result.step.isRequest, let status = result.lastOwnExchange?.status {
      line += "  \(StyledText("\(status)", ExchangeText.style(ofStatus: status)))"
    }
    if !result.ownExchanges.isEmpty { line += "  \(Readable.duration(result.duration), .dim)" }
    if result.isFailureAllowed {
      line += "  \(result.step.quarantine.map(label.quarantine) ?? "(allowed to fail)", .warning)"
    }
    return line
  }

  private func lines(_ failure: CheckFailure, excerpt: String?, of body: Exchange.Body?) -> [StyledText] {
    var diagnostic = Diagnostic(
      DiagnosticCode(rawValue: failure.kind.rawValue), StepLabel.sentence(failure, mask: mask), at: failure.range)
    for help in mask.text(failure.help ?? "").split(separator: "\n") { diagnostic = diagnostic.help(String(help)) }
    var lines = render(diagnostic)
    lines += comparison(failure) + difference(failure)
    if let excerpt {
      // A value that is missing in the header fields is explained by showing these fields.
      let title = failure.subject.hasPrefix("headers.") ? "headers" : isPart(excerpt, of: body) ? "part of the body" : "body"
      lines.append("  \(title, .key)")
      lines += quoted(mask.lines(excerpt).map { StyledText($0) })
    }
    return lines
  }

  /// Whether an excerpt shows only a part of the body, such as its beginning, or the JSON value that an expectation refers to.
  private func isPart(_ excerpt: String, of body: Exchange.Body?) -> Bool {
    guard let body, body.isComplete, body.bytes.count <= FailureBlock.comparedBytes else { return excerpt.contains("…") }
    let text = mask.text(String(decoding: body.bytes, as: UTF8.self))
    if let one = try? JSONValue(parsing: text), let other = try? JSONValue(parsing: mask.text(excerpt)) { return one != other }
    return excerpt.contains("…") && excerpt != text
  }

  /// Returns the failure in one line, without its position in the document.
  private func head(_ failure: CheckFailure) -> [StyledText] {
    render(Diagnostic(DiagnosticCode(rawValue: failure.kind.rawValue), StepLabel.sentence(failure, mask: mask), at: nil))
  }

  private func difference(_ failure: CheckFailure) -> [StyledText] {
    guard !failure.difference.isEmpty else { return [] }
    var lines: [StyledText] = ["  \("difference", .key) \("(- expected, + actual)", .dim)"]
    for line in failure.difference.prefix(FailureBlock.differenceLines) {
      let style: StyledText.Style = line.hasPrefix("-") ? .failure : line.hasPrefix("+") ? .success : .plain
      lines.append(cut("    \(mask.line(line), style)"))
    }
    let hidden = failure.difference.count - FailureBlock.differenceLines
    if hidden > 0 { lines.append("    \("… (\(Readable.count(hidden, "more line")))", .dim)") }
    return lines
  }

  private func location(of range: SourceRange) -> [StyledText] {
    wrapped("  \("-->", .dim) \(mask.line(range.description))")
  }

  private func render(_ diagnostic: Diagnostic) -> [StyledText] {
    return mask.styled(mask.renderer(width: (width ?? 120) - 3).render(diagnostic)).lines.flatMap { line in
      let line = ("  " + line).trimmed
      // A source line and the marks below it must stay aligned.
      let isSource = line.plain.first { $0 != " " }.map { $0 == "|" || $0.isNumber } ?? true
      return isSource ? [cut(line)] : wrapped(line)
    }
  }

  /// Returns the lines `expected` and `actual`, one below the other.
  private func comparison(_ failure: CheckFailure) -> [StyledText] {
    // A difference already shows both values line by line.
    guard failure.difference.isEmpty else { return [] }
    var lines: [StyledText] = []
    if let expected = failure.expected { lines += labelled("expected", mask.lines(expected), .success) }
    if let actual = failure.actual { lines += labelled("actual  ", mask.lines(actual), .failure) }
    return lines
  }

  private func labelled(_ label: String, _ values: [String], _ style: StyledText.Style) -> [StyledText] {
    values.enumerated().flatMap { index, value in
      wrapped("  \(index == 0 ? label : String(repeating: " ", count: 8), .key)  \(value, style)").map(\.trimmed)
    }
  }

  private func response(_ exchange: Exchange, requests: Int, failures: [CheckFailure]) -> [StyledText] {
    var lines: [StyledText] = []
    let text = ExchangeText(mask: mask, glyphs: glyphs)
    if exchange.isIncoming, let hop = exchange.hops.first {
      var line: StyledText = "  \("received", .key)  \(mask.line("\(hop.method) \(hop.url)"), .url)"
      if let body = exchange.requestBody, body.size > 0 {
        line += "\(" \(glyphs.dot) \(BodyText(mask: mask).summary(body, fileVerb: "written to").plain)", .dim)"
      }
      lines += wrapped(line)
    } else if let hop = exchange.hops.last, let status = hop.status {
      var line: StyledText = "  \("response", .key)  \(text.statusLine(status, version: hop.timing.version))"
      line += "\(" \(glyphs.dot) \(Readable.duration(hop.timing.total))", .dim)"
      if let stream = exchange.stream { line += "\(" \(glyphs.dot) \(StreamWords.text(of: stream, mask))", .dim)" }
      if let body = exchange.responseBody, body.size > 0 {
        line += "\(" \(glyphs.dot) \(BodyText(mask: mask).summary(body, fileVerb: "written to").plain)", .dim)"
      }
      if requests > 1 { line += "\(" \(glyphs.dot) the last of \(Readable.count(requests, "request"))", .dim)" }
      lines += wrapped(line)
    }
    lines += redirects(exchange.hops.dropLast()).map { cut($0) }
    if let stream = exchange.stream, !stream.messages.isEmpty {
      lines.append("  \("messages", .key)")
      lines += quoted(StreamWords.messages(of: stream, mask))
    }
    let hasExcerpt = failures.contains { $0.excerpt != nil }
    if !hasExcerpt, let body = exchange.receivedBody, !body.bytes.isEmpty {
      lines += quoted(BodyText(mask: mask).lines(body, fileVerb: "written to", limit: FailureBlock.bodyLines))
    }
    return lines
  }

  /// Returns a line for each redirect. Repeated redirects to the same URL share one line.
  private func redirects(_ hops: ArraySlice<Exchange.Hop>) -> [StyledText] {
    var lines: [(hop: Exchange.Hop, count: Int)] = []
    for hop in hops {
      if let last = lines.last, (last.hop.method, last.hop.url, last.hop.status) == (hop.method, hop.url, hop.status) {
        lines[lines.count - 1].count += 1
      } else {
        lines.append((hop, 1))
      }
    }
    return lines.map { hop, count in
      let line: StyledText =
        "    \("redirected", .dim) \(hop.status.map { "\($0)" } ?? "–") \(mask.line("\(hop.method) \(hop.url)"), .url)"
      return count == 1 ? line : line + StyledText("  \(count) times", .dim)
    }
  }

  /// Returns the lines with a vertical line (gutter) before each, so that a server's text can't be mistaken for Garland's own output.
  private func quoted(_ lines: [StyledText]) -> [StyledText] {
    lines.map { cut("    \(glyphs.gutter, .dim) \($0)").trimmed }
  }

  /// Shortens a line of text from a server or a file to the terminal's width. The message of a failure is wrapped and not shortened, since
  /// it must be readable as a whole.
  private func cut(_ line: StyledText) -> StyledText {
    guard let width else { return line.truncated(to: FailureBlock.longestLine) }
    return line.truncated(to: max(20, width - 1))
  }

  private func wrapped(_ line: StyledText) -> [StyledText] {
    let limited = line.truncated(to: FailureBlock.longestLine)
    return width.map { limited.wrapped(to: max(20, $0 - 1), indentation: 4) } ?? [limited]
  }
}
