import GarlandDiagnostics
import GarlandResults

/// The issues of a [Code Quality
/// report](https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format), which is a JSON
/// document that consists of an array.
struct CodeQualityIssues {
  private let mask: Mask
  private let label: StepLabel
  private let root: SourceRoot
  /// The number of issues with each fingerprint. GitLab shows only one issue for each fingerprint.
  private var uses: [String: Int] = [:]

  init(mask: Mask, root: SourceRoot) {
    self.root = root
    self.mask = mask
    label = StepLabel(mask: mask, namesFile: false)
  }

  /// Returns the bytes of a complete report with the given issues, each of which is a JSON object.
  static func document(of issues: [[UInt8]]) -> [UInt8] {
    var bytes = opening
    for (index, issue) in issues.enumerated() { bytes += (index == 0 ? [] : separator) + issue }
    return bytes + closing
  }

  static let opening: [UInt8] = Array("[".utf8)
  static let separator: [UInt8] = Array(",\n".utf8)
  static let closing: [UInt8] = Array("]\n".utf8)

  /// Returns the issue for a mistake or warning about a workflow file, as a JSON object.
  mutating func issue(_ diagnostic: Diagnostic) -> [UInt8] {
    let help = diagnostic.helps.first.map { ": \($0.message)" } ?? ""
    return issue(
      mask.line(diagnostic.message + help), check: diagnostic.code.rawValue, severity: diagnostic.severity == .error ? "major" : "minor",
      at: diagnostic.range, identity: [diagnostic.code.rawValue, diagnostic.message])
  }

  /// Returns the issue that reports that a run ended early, and that failures may therefore be missing from the report.
  mutating func issue(endedEarly reason: String) -> [UInt8] {
    let text = mask.line("the run ended early: \(reason)")
    return issue(text, check: "ended-early", severity: "minor", at: nil, identity: ["ended-early", text])
  }

  /// Returns the issues for the failures of a step.
  ///
  /// - Parameter isFlaky: whether the step passed when it was run again. The failures of such a step did not fail the run, so they have the
  ///   same severity as an allowed failure.
  mutating func issues(_ result: StepResult, isFlaky: Bool = false) -> [[UInt8]] {
    let name = label.name(result.step, iteration: result.iteration)
    let severity = result.isFailureAllowed || isFlaky ? "info" : "major"
    let subject = isFlaky ? "\(name): flaky" : name
    guard !result.failures.isEmpty else {
      let text = "\(subject): \(label.explanation(result) ?? result.outcome.rawValue)"
      return [issue(text, check: result.outcome.rawValue, severity: severity, at: result.step.range, identity: [name, text])]
    }
    return result.failures.map { failure in
      let text = "\(subject): \(StepLabel.sentence(failure, mask: mask))"
      return issue(text, check: failure.kind.rawValue, severity: severity, at: failure.range ?? result.step.range, identity: [name, text])
    }
  }

  private mutating func issue(
    _ text: String, check: String, severity: String, at range: SourceRange?, identity: [String]
  ) -> [UInt8] {
    let path = range.flatMap { root.path(of: $0.file.name) } ?? "."
    let print = Fingerprint.of([path] + identity)
    let count = uses[print, default: 0]
    uses[print] = count + 1
    var writer = JSONWriter(mask: mask)
    writer.object { json in
      json.member("description", text)
      json.word("check_name", check)
      json.word("fingerprint", count == 0 ? print : Fingerprint.of([print, "\(count)"]))
      json.word("severity", severity)
      json.object("location") { json in
        json.member("path", path)
        json.object("lines") { $0.member("begin", range?.start.line ?? 1) }
      }
    }
    return writer.bytes
  }
}
