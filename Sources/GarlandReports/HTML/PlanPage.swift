import GarlandDiagnostics
import GarlandResults

/// Writes the HTML page of `garland plan`: the graph, the steps and their definitions, in the form of the HTML report.
package struct PlanPage {
  /// The result of a step in an earlier run. The page shows this result next to the step.
  package struct Past: Sendable {
    /// The outcome of the step, such as passed or failed.
    package var outcome: Outcome
    /// The duration of the step in the earlier run.
    package var duration: Duration
    /// Whether the step was allowed to fail and did fail. Such a failure does not make the run fail.
    package var isFailureAllowed: Bool
    /// Whether the step passed after it had failed in the same run.
    package var isFlaky: Bool

    /// Creates the earlier result of a step.
    ///
    /// - Parameters:
    ///   - outcome: the outcome of the step.
    ///   - duration: the duration of the step.
    ///   - isFailureAllowed: whether the step failed, and was allowed to fail.
    ///   - isFlaky: whether the step passed after it had failed in the same run.
    package init(_ outcome: Outcome, _ duration: Duration, isFailureAllowed: Bool = false, isFlaky: Bool = false) {
      self.outcome = outcome
      self.duration = duration
      self.isFailureAllowed = isFailureAllowed
      self.isFlaky = isFlaky
    }
  }

  /// Returns the page of a plan.
  ///
  /// - Parameters:
  ///   - start: the steps of the plan and their dependencies.
  ///   - past: the result of each step in an earlier run, in the order of the steps; nil for unknown results.
  ///   - redactor: masks the secrets.
  ///   - generator: the program that creates the page, such as `garland 1.0`.
  package static func text(of start: RunStart, past: [Past?] = [], redactor: Redactor, generator: String) -> String {
    let mask = Mask(redactor)
    var bytes: [UInt8] = []
    let page = PageWriter { bytes += $0 }
    var files: [String] = []
    for step in start.steps where files.last != step.file { files.append(step.file) }
    let edges = start.dependencies.reduce(0) { $0 + $1.count }
    let name = files.count == 1 ? mask.line(files[0]) : Readable.count(files.count, "document")
    page.begin(
      PageWriter.Head(
        title: "Plan of \(name)", heading: "Plan: \(Readable.count(start.steps.count, "step"))",
        facts: [
          files.count > 3 ? name : files.map(mask.line).joined(separator: ", "),
          Readable.count(edges, "dependency", plural: "dependencies"),
        ],
        isGood: nil, generator: generator))
    let plan = PagePlan(start, format: ResultJSON(mask: mask, includesAllBodies: false), index: PageIndex(mask: mask))
    plan.writeDefinitions(to: page)
    page.beginIndex(Array("\"isPlan\":true,\"results\":[],\"notices\":[]".utf8))
    plan.writeSteps(to: page)
    page.beginList("past")
    for place in start.steps.indices {
      guard place < past.count, let known = past[place] else {
        page.line(Array("0".utf8))
        continue
      }
      let outcome = Outcome.allCases.firstIndex(of: known.outcome) ?? 0
      let mark = known.isFlaky ? ",0,1" : known.isFailureAllowed ? ",1" : ""
      page.line(Array("[\(outcome),\(Readable.microseconds(known.duration))\(mark)]".utf8))
    }
    page.endList()
    page.end()
    return String(decoding: bytes, as: UTF8.self)
  }
}
