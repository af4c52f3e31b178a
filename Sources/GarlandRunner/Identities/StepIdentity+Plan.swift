import GarlandJSON
import GarlandPlanner
import GarlandResults
import GarlandText
import GarlandWorkflow

extension StepIdentity {
  /// Creates the identity of a planned step.
  ///
  /// - Parameter context: the values that are known before the run.
  convenience init(_ planned: PlannedStep, in context: StepContext) {
    let workflow = planned.workflow
    let target = planned.step.request?.url.text(knownIn: context) ?? planned.step.call?.path.value ?? ""
    self.init(
      index: planned.index, id: planned.step.id, file: workflow.file.name, workflow: workflow.shownName,
      summary: planned.step.description, tags: planned.step.tags, range: planned.step.idRange, verb: planned.step.action.verb,
      target: target,
      isCleanup: planned.runsAlways, isRequest: planned.step.action.isRequest,
      iterationColumns: planned.step.flow.loop.map(LoopLabel.columns) ?? 0,
      loopLimit: planned.step.flow.loop?.limit?.known(in: context),
      quarantine: planned.step.flow.quarantine.map { Quarantine(reason: $0.reason, until: "\($0.until)") })
  }
}

extension Setting<Int> {
  /// Returns the value of a setting if it is known before the run: a literal, or an expression that is only the name of a variable, an
  /// input or an environment variable. Returns nil for any other setting.
  fileprivate func known(in context: StepContext) -> Int? {
    switch content {
    case .constant(let value): value
    case .template(let template): template.expressions.first.map { $0.isName } == true ? try? resolve(in: context) : nil
    }
  }
}

extension URLTemplate {
  /// Returns the URL as it is known before the run: names of variables, inputs and environment variables are replaced by their values,
  /// unless these are secret.
  fileprivate func text(knownIn context: StepContext) -> String {
    guard pieces.contains(where: { $0.isName }) else { return source }
    return pieces.reduce(into: "") { text, piece in
      switch piece {
      case .literal(let literal): text += literal
      case .expression(let expression, let encoding):
        text += piece.isName ? expression.shown(encoding, in: context) ?? "${\(expression.source)}" : "${\(expression.source)}"
      }
    }
  }
}

extension URLTemplate.Piece {
  /// Whether the piece is an expression that consists only of the name of a variable, an input or an environment variable, such as
  /// `vars.base`. The value of such an expression is known before the run. Any other expression may have a different value each time.
  fileprivate var isName: Bool {
    if case .expression(let expression, _) = self { expression.isName } else { false }
  }
}

extension Expression {
  /// Whether the expression consists only of the name of a variable, an input or an environment variable.
  fileprivate var isName: Bool {
    guard !namesSteps else { return false }
    let words = source.split(separator: ".", omittingEmptySubsequences: false)
    guard words.count == 2, words[0] == "vars" || words[0] == "inputs" || words[0] == "env" else { return false }
    return words[1].utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") }
  }
}

extension Expression {
  /// Returns the expression's value as a part of a URL. Returns nil in these cases:
  ///
  /// - The value is missing, or may be secret.
  /// - The value is null, a list or a mapping.
  /// - The value contains a `@`.
  /// - The encoding is not `raw`, and the value contains a character that must be percent-encoded.
  fileprivate func shown(_ encoding: URLTemplate.Encoding, in context: StepContext) -> String? {
    guard case .plain(let value)? = try? evaluate(in: context) else { return nil }
    let text: String
    switch value {
    case .string(let string): text = string
    case .number(let number): text = number.text
    case .bool(let bool): text = bool ? "true" : "false"
    case .null, .array, .object: return nil
    }
    // A password in a URL is a secret, even if the document does not declare it.
    guard !text.utf8.contains(UInt8(ascii: "@")) else { return nil }
    return encoding == .raw || text.utf8.allSatisfy(PercentEncoding.unreserved.contains) ? text : nil
  }
}

extension StepDefinition {
  /// Creates the definition of a planned step: the positions of the step and of its expectations in the document.
  init(of planned: PlannedStep) {
    let step = planned.step
    let awaited = step.awaited.map { Check($0.check.subject, at: $0.range) }
    let expected = step.expectations.map { expectation in
      Check(expectation.check.subject, at: expectation.isDefault ? expectation.range : step.place(of: expectation.range))
    }
    // The results of a step refer to the checks of the first two groups by their positions, so these groups come first.
    let ofItems = step.action.expectationsOfItems.map { Check("\($0.path) \($0.expectation.check.subject)", at: $0.expectation.range) }
    self.init(step.range, checks: awaited + expected + ofItems + Self.checks(ofEndOf: step.request?.stream) + Self.checks(ofPoll: step))
  }

  /// Returns a list with the condition that ends a stream. The list is empty if the stream has no such condition, or if the step has no
  /// stream.
  private static func checks(ofEndOf stream: StreamTemplate?) -> [Check] {
    guard let stream else { return [] }
    let name = stream.format.rawValue
    let until = stream.until.map { Check("\(name).until", at: $0.range) } ?? stream.count.map { Check("\(name).count", at: $0.range) }
    return until.map { [$0] } ?? []
  }

  /// Returns the condition of a poll (`poll.until`) as a check. Returns an empty list for a step without such a condition. If a poll waits
  /// for expectations instead of a condition, these expectations are already among the other checks of the step.
  private static func checks(ofPoll step: Step) -> [Check] {
    guard let poll = step.flow.repetition.poll, case .condition = poll.until else { return [] }
    return [Check("poll.until", at: poll.untilRange)]
  }
}
