import GarlandDiagnostics
import Testing

@testable import GarlandPlanner

extension Plan {
  /// Returns the step with an id, in the first document that has it.
  func index(_ id: String) throws -> Int { try #require(steps.first { $0.step.id == id }).index }

  var ids: [String] { steps.map(\.step.id) }

  /// The dependencies as text, `a>b` for each step `b` that waits directly for `a`, ignoring joins.
  var pairs: [String] {
    var result: [String] = []
    for step in steps {
      for wait in waits(of: step.index) { result.append("\(steps[wait.step].step.id)>\(step.step.id)") }
    }
    return result
  }

  /// Whether the first step must end before the second one starts.
  func isBefore(_ first: String, _ second: String) throws -> Bool {
    let target = try index(second)
    return try graph.closure(of: [index(first)], .forward).contains(target) && first != second
  }
}

/// Formats diagnostics as plain lines, for comparison with a golden file.
func plainText(_ list: DiagnosticList) -> String {
  list.all.map { DiagnosticRenderer().render($0).plain }.joined(separator: "\n")
}
