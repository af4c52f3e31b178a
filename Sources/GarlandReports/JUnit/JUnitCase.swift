import GarlandDiagnostics
import GarlandResults

/// Creates the `testcase` elements of a JUnit report.
struct JUnitCase {
  private let mask: Mask
  private let label: StepLabel
  private let block: FailureBlock
  private let exchangeText: ExchangeText
  /// The XML attributes that the previous step shares with all steps of its document. If the next step is in the same document, which is
  /// usual, these attributes are used again.
  private var place: Place?

  /// The attributes of a JUnit test case that are the same for all steps of a file.
  private struct Place {
    let file: String
    /// The redactor's counter at the time when these attributes were masked. Each new secret changes the counter; the attributes must then
    /// be masked again.
    let generation: Int
    let className: [UInt8]
  }

  private static let bodyLines = 1_000

  init(mask: Mask) {
    self.mask = mask
    label = StepLabel(mask: mask, namesFile: false)
    block = FailureBlock(mask: mask, glyphs: .unicode, label: label, width: nil)
    exchangeText = ExchangeText(mask: mask, glyphs: .unicode)
  }

  /// Appends the test case of a result.
  ///
  /// - Parameters:
  ///   - result: the result of a step or of a loop's item.
  ///   - time: the duration that the test case has.
  ///   - bytes: the text of the report.
  mutating func append(_ result: StepResult, time: Duration, to bytes: inout [UInt8]) {
    let place = place(of: result.step.file)
    XMLText.append(markup: "    <testcase", to: &bytes)
    bytes += place.className
    XMLText.append(attribute: "name", label.name(result.step, iteration: result.iteration), to: &bytes)
    XMLText.append(markup: " time=\"", to: &bytes)
    Readable.append(seconds: time, to: &bytes)
    let attempts = result.exchanges.count > 1 ? repeatedAttempts(of: result) : []
    let element = result.outcome == .passed ? nil : element(result)
    guard element != nil || !attempts.isEmpty || !result.earlier.isEmpty else { return XMLText.append(markup: "\"/>\n", to: &bytes) }
    XMLText.append(markup: "\">\n", to: &bytes)
    if let element { append(element, of: result, to: &bytes) }
    for earlier in result.earlier { append(earlier, before: result, to: &bytes) }
    for (number, attempt) in attempts { append(attempt, number: number, of: result, to: &bytes) }
    if result.outcome.isProblem, !result.exchanges.isEmpty {
      var lines: [StyledText] = []
      for exchange in result.exchanges { lines += exchangeText.lines(exchange, parts: .everything, bodyLimit: JUnitCase.bodyLines) }
      bytes += Array("      <system-out>".utf8)
      XMLText.append(lines.map(\.plain).joined(separator: "\n"), to: &bytes)
      bytes += Array("</system-out>\n".utf8)
    }
    bytes += Array("    </testcase>\n".utf8)
  }

  private struct Element {
    var name: StaticString
    var type: String?
    var message: String
    var hasText: Bool
  }

  private func append(_ element: Element, of result: StepResult, to bytes: inout [UInt8]) {
    bytes += Array("      <\(element.name)".utf8)
    if let type = element.type { XMLText.append(attribute: "type", type, to: &bytes) }
    XMLText.append(attribute: "message", element.message, to: &bytes)
    guard element.hasText else { return XMLText.append(markup: "/>\n", to: &bytes) }
    bytes.append(UInt8(ascii: ">"))
    XMLText.append(block.lines(result, showsExchange: true).map(\.plain).joined(separator: "\n"), to: &bytes)
    bytes += Array("</\(element.name)>\n".utf8)
  }

  // MARK: Attempts

  /// Returns each exchange after which the step made another attempt, with its position counted from 1. The next exchange has a label such
  /// as `attempt 2`.
  private func repeatedAttempts(of result: StepResult) -> [(number: Int, exchange: Exchange)] {
    let own = Array(result.ownExchanges)
    return zip(own, own.dropFirst()).enumerated().compactMap { index, pair in
      pair.1.label?.hasPrefix("attempt ") == true ? (index + 1, pair.0) : nil
    }
  }

  /// Appends the element for an earlier result of a step that ran again, such as `flakyFailure` or `rerunError`.
  private func append(_ earlier: StepResult, before result: StepResult, to bytes: inout [UInt8]) {
    let name = (result.isFlaky ? "flaky" : "rerun") + (earlier.outcome == .failed ? "Failure" : "Error")
    bytes += Array("      <\(name)".utf8)
    XMLText.append(attribute: "type", earlier.failures.first?.kind.rawValue ?? earlier.outcome.rawValue, to: &bytes)
    XMLText.append(attribute: "message", label.explanation(earlier) ?? "", to: &bytes)
    bytes += Array(">\n        <stackTrace>".utf8)
    XMLText.append(block.lines(earlier, showsExchange: true).map(\.plain).joined(separator: "\n"), to: &bytes)
    bytes += Array("</stackTrace>\n        <system-out>".utf8)
    var lines: [StyledText] = []
    for exchange in earlier.exchanges { lines += exchangeText.lines(exchange, parts: .everything, bodyLimit: JUnitCase.bodyLines) }
    XMLText.append(lines.map(\.plain).joined(separator: "\n"), to: &bytes)
    bytes += Array("</system-out>\n      </\(name)>\n".utf8)
  }

  private func append(_ attempt: Exchange, number: Int, of result: StepResult, to bytes: inout [UInt8]) {
    let name = (result.outcome == .passed ? "flaky" : "rerun") + (attempt.error == nil ? "Failure" : "Error")
    let status = attempt.status.map { "status is \($0)" }
    let reason = attempt.error.map(mask.line) ?? status ?? "no response"
    bytes += Array("      <\(name)".utf8)
    XMLText.append(attribute: "type", attempt.error == nil ? "status" : "transport", to: &bytes)
    XMLText.append(attribute: "message", "attempt \(number): \(reason)", to: &bytes)
    bytes += Array(">\n        <stackTrace>".utf8)
    let place = mask.line(result.step.range.description)
    let action = attempt.target.map { mask.line("\($0.method) \($0.url)") } ?? label.action(result)
    XMLText.append("attempt \(number): \(reason)\n\(action)\n--> \(place)", to: &bytes)
    bytes += Array("</stackTrace>\n        <system-out>".utf8)
    let lines = exchangeText.lines(attempt, parts: .everything, bodyLimit: JUnitCase.bodyLines)
    XMLText.append(lines.map(\.plain).joined(separator: "\n"), to: &bytes)
    bytes += Array("</system-out>\n      </\(name)>\n".utf8)
  }

  /// Returns the XML of a `<testcase>` element that contains an `<error>`, for a diagnostic that belongs to no step.
  func bytes(of diagnostic: Diagnostic) -> [UInt8] {
    let message = mask.text(diagnostic.message)
    var bytes: [UInt8] = Array("    <testcase".utf8)
    XMLText.append(attribute: "classname", diagnostic.range.map { className(of: $0.file.name) } ?? "garland", to: &bytes)
    XMLText.append(attribute: "name", "\(diagnostic.code.rawValue): \(message)", to: &bytes)
    XMLText.append(attribute: "time", Readable.seconds(.zero), to: &bytes)
    bytes += Array(">\n      <error".utf8)
    XMLText.append(attribute: "type", diagnostic.code.rawValue, to: &bytes)
    XMLText.append(attribute: "message", message, to: &bytes)
    bytes.append(UInt8(ascii: ">"))
    XMLText.append(mask.text(mask.renderer().render(diagnostic).plain), to: &bytes)
    bytes += Array("</error>\n    </testcase>\n".utf8)
    return bytes
  }

  /// Returns the XML of a `<testcase>` element for an expectation of a load test.
  func bytes(of expectation: LoadFigures.Expectation) -> [UInt8] {
    var bytes: [UInt8] = Array("    <testcase".utf8)
    XMLText.append(attribute: "classname", "garland", to: &bytes)
    XMLText.append(attribute: "name", "--expect \(expectation.text)", to: &bytes)
    XMLText.append(attribute: "time", Readable.seconds(.zero), to: &bytes)
    guard !expectation.isMet else { return bytes + Array("/>\n".utf8) }
    bytes += Array(">\n      <failure".utf8)
    XMLText.append(attribute: "type", CheckFailure.Kind.expectation.rawValue, to: &bytes)
    XMLText.append(attribute: "message", expectation.words, to: &bytes)
    bytes += Array("/>\n    </testcase>\n".utf8)
    return bytes
  }

  private func element(_ result: StepResult) -> Element? {
    let explanation = label.explanation(result) ?? ""
    if let permission = label.permission(result) {
      return Element(name: "skipped", message: "\(permission): \(explanation)", hasText: false)
    }
    return switch result.outcome {
    case .passed: nil
    case .failed: Element(name: "failure", type: result.failures.first?.kind.rawValue ?? "failed", message: explanation, hasText: true)
    case .error where result.failures.first?.kind == .file:
      Element(name: "error", type: CheckFailure.Kind.file.rawValue, message: explanation, hasText: true)
    case .error, .unreachable: Element(name: "error", type: result.outcome.rawValue, message: explanation, hasText: true)
    case .skipped, .blocked, .notRun: Element(name: "skipped", message: explanation, hasText: false)
    }
  }

  /// Returns the `classname` attribute for a file, such as `examples.shop.checkout`. Programs that read the report group its test cases by
  /// the text before the last dot.
  private func className(of file: String) -> String {
    var parts = mask.text(file).split(separator: "/").filter { $0 != "." && $0 != ".." }
    if let last = parts.last, let dot = last.lastIndex(of: "."), dot != last.startIndex { parts[parts.count - 1] = last[..<dot] }
    return parts.map { $0.split(separator: ".").joined(separator: "_") }.joined(separator: ".")
  }

  private mutating func place(of file: String) -> Place {
    let generation = mask.generation
    if let place, place.generation == generation, place.file == file { return place }
    var className: [UInt8] = []
    XMLText.append(attribute: "classname", self.className(of: file), to: &className)
    let new = Place(file: file, generation: generation, className: className)
    place = new
    return new
  }
}
