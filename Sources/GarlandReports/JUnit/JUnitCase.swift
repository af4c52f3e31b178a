import GarlandDiagnostics
import GarlandResults

/// One `testcase` element.
struct JUnitCase {
  private let mask: Mask
  private let label: StepLabel
  private let block: FailureBlock
  private let exchangeText: ExchangeText
  /// Of the file that the last step stood in: most stand in the same.
  private var place: Place?

  /// What all steps of a file have in common, as attributes.
  private struct Place {
    let file: String
    /// What was masked then.
    let generation: Int
    let className: [UInt8]
    let fileName: [UInt8]
  }

  private static let bodyLines = 1_000

  init(mask: Mask) {
    self.mask = mask
    label = StepLabel(mask: mask, namesFile: false)
    let table = StepTable(steps: [], label: label, glyphs: .unicode, width: nil)
    block = FailureBlock(mask: mask, glyphs: .unicode, table: table, width: nil)
    exchangeText = ExchangeText(mask: mask, glyphs: .unicode)
  }

  mutating func append(_ result: StepResult, to bytes: inout [UInt8]) {
    let place = place(of: result.step.file)
    XMLText.append(markup: "    <testcase", to: &bytes)
    bytes += place.className
    XMLText.append(attribute: "name", label.name(result.step, iteration: result.iteration), to: &bytes)
    XMLText.append(markup: " time=\"", to: &bytes)
    Readable.append(seconds: result.duration, to: &bytes)
    XMLText.append(markup: "\"", to: &bytes)
    bytes += place.fileName
    XMLText.append(markup: " line=\"", to: &bytes)
    Readable.append(result.step.range.start.line, to: &bytes)
    guard result.outcome != .passed, let element = element(result) else { return XMLText.append(markup: "\"/>\n", to: &bytes) }
    bytes += Array("\">\n      <\(element.name)".utf8)
    if let type = element.type { XMLText.append(attribute: "type", type, to: &bytes) }
    XMLText.append(attribute: "message", element.message, to: &bytes)
    if element.hasText {
      bytes.append(UInt8(ascii: ">"))
      XMLText.append(block.lines(result, showsExchange: true).map(\.plain).joined(separator: "\n"), to: &bytes)
      bytes += Array("</\(element.name)>\n".utf8)
    } else {
      bytes += Array("/>\n".utf8)
    }
    if result.outcome.isProblem, !result.exchanges.isEmpty {
      var lines: [StyledText] = []
      for exchange in result.exchanges { lines += exchangeText.lines(exchange, parts: .everything, bodyLimit: JUnitCase.bodyLines) }
      bytes += Array("      <system-out>".utf8)
      XMLText.append(lines.map(\.plain).joined(separator: "\n"), to: &bytes)
      bytes += Array("</system-out>\n".utf8)
    }
    bytes += Array("    </testcase>\n".utf8)
  }

  /// An error that belongs to no step, as a case that could not be carried out.
  func bytes(of diagnostic: Diagnostic) -> [UInt8] {
    let message = mask.text(diagnostic.message)
    var bytes: [UInt8] = Array("    <testcase".utf8)
    XMLText.append(attribute: "classname", diagnostic.range.map { className(of: $0.file.name) } ?? "garland", to: &bytes)
    XMLText.append(attribute: "name", "\(diagnostic.code.rawValue): \(message)", to: &bytes)
    XMLText.append(attribute: "time", Readable.seconds(.zero), to: &bytes)
    if let range = diagnostic.range {
      XMLText.append(attribute: "file", mask.text(range.file.name), to: &bytes)
      XMLText.append(attribute: "line", "\(range.start.line)", to: &bytes)
    }
    bytes += Array(">\n      <error".utf8)
    XMLText.append(attribute: "type", diagnostic.code.rawValue, to: &bytes)
    XMLText.append(attribute: "message", message, to: &bytes)
    bytes.append(UInt8(ascii: ">"))
    XMLText.append(mask.text(mask.renderer().render(diagnostic).plain), to: &bytes)
    bytes += Array("</error>\n    </testcase>\n".utf8)
    return bytes
  }

  private func element(_ result: StepResult) -> (name: StaticString, type: String?, message: String, hasText: Bool)? {
    let explanation = label.explanation(result) ?? ""
    if result.isFailureAllowed, result.outcome.isProblem { return ("skipped", nil, "allowed to fail: \(explanation)", false) }
    return switch result.outcome {
    case .passed: nil
    case .failed: ("failure", result.failures.first?.kind.rawValue ?? "failed", explanation, true)
    case .error where result.failures.first?.kind == .file: ("error", CheckFailure.Kind.file.rawValue, explanation, true)
    case .error, .unreachable: ("error", result.outcome.rawValue, explanation, true)
    case .skipped, .blocked, .notRun: ("skipped", nil, explanation, false)
    }
  }

  /// `examples.shop.checkout`: readers group by what stands before the last dot.
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
    var fileName: [UInt8] = []
    XMLText.append(attribute: "file", mask.text(file), to: &fileName)
    let new = Place(file: file, generation: generation, className: className, fileName: fileName)
    place = new
    return new
  }
}
