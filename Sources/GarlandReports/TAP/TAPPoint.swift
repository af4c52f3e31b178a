import GarlandDiagnostics
import GarlandResults

/// Formats the test points of a TAP report. The number of a test point is not known yet: the text contains ``numberMark`` instead of it.
struct TAPPoint {
  /// The byte that is later replaced by the number of the test point. It occurs nowhere else in a
  /// report.
  static let numberMark: UInt8 = 0x1A
  static let numberText = "\u{1A}"

  let label: StepLabel
  private var mask: Mask { label.mask }

  init(label: StepLabel) { self.label = label }

  /// Returns the test point for the result of a step, with its YAML block and the given duration.
  func text(_ result: StepResult, duration: Duration) -> String {
    let isOK = !result.outcome.isProblem
    let name = "\(label.name(result.step, iteration: result.iteration, fileSeparator: ": ")) \(label.action(result))"
    var text = Self.line(isOK: isOK, name, directive: directive(of: result))
    var yaml = TAPDiagnostics(mask: mask)
    if result.outcome.isProblem { yaml.add(result, label) }
    if result.isFlaky, let explanation = label.explanation(result) { yaml.text("message", explanation) }
    if result.outcome.isProblem || result.outcome == .passed { yaml.number("duration_ms", Readable.milliseconds(duration)) }
    text += yaml.block
    return text
  }

  /// Returns the test point of an error that belongs to no step.
  func text(_ diagnostic: Diagnostic) -> String {
    var yaml = TAPDiagnostics(mask: mask)
    yaml.text("message", diagnostic.message)
    yaml.text("code", diagnostic.code.rawValue)
    yaml.place(diagnostic.range)
    return Self.line(isOK: false, mask.line(diagnostic.message), directive: nil) + yaml.block
  }

  /// Returns the test point of an expectation of a load test.
  func text(_ expectation: LoadFigures.Expectation) -> String {
    var yaml = TAPDiagnostics(mask: mask)
    if !expectation.isMet {
      yaml.text("message", expectation.words)
      yaml.text("severity", "fail")
    }
    return Self.line(isOK: expectation.isMet, "--expect \(expectation.text)", directive: nil) + yaml.block
  }

  private func directive(of result: StepResult) -> String? {
    let explanation = label.explanation(result) ?? ""
    if let permission = label.permission(result) { return "TODO \(permission)" }
    switch result.outcome {
    case .passed, .failed, .error, .unreachable: return nil
    case .skipped: return "SKIP \(result.reason.map(mask.line) ?? explanation)"
    case .blocked, .notRun: return "SKIP \(explanation)"
    }
  }

  private static func line(isOK: Bool, _ name: String, directive: String?) -> String {
    // A `#` begins a directive. TAP 14 has an escape for it, which prove, Automake and node-tap know. But tap4j (Jenkins), Meson and tap.py
    // end a name at any `#`: they cut `[\#2]`, and would count a failure named `\#todo` as expected. Names therefore have another character
    // in its place, which is valid TAP, too.
    let name = escaped(name.replacing("#", with: "\u{FF03}").replacing(numberText, with: ""))
    return "\(isOK ? "ok" : "not ok") \(numberText) - \(name)\(directive.map { " # \(escaped($0))" } ?? "")\n"
  }

  /// Escapes `\` and `#` in a text as the section "Escaping" of TAP 14 requires. The text is the description of a test point, a directive
  /// with its reason, or the reason after `Bail out!`.
  static func escaped(_ text: String) -> String { text.replacing("\\", with: "\\\\").replacing("#", with: "\\#") }
}
