import GarlandDiagnostics
import GarlandJSON
import GarlandWorkflow

/// The input is a text with `${…}` in it, or, without one, the inside of one. It is compiled against a document with everything that can be
/// named, and evaluated a few times with values that follow from the input.
struct ExpressionFuzzing: Sendable {
  static let shared = ExpressionFuzzing()

  static let document = """
    garland: 1
    inputs: { n: { type: number, default: 1 }, tenant: { type: string, default: x } }
    vars: { user: alice, count: 3, price: 9.50, flag: true, none: null, list: [1, 2, 3], names: [a, b], map: { key: value, other: [1] } }
    secrets: [TOKEN, UNSET]
    defaults: { base_url: http://h }
    steps:
      create: { post: "/${env.USER}/${env.UNSET ?? 1}", bearer: "${secrets.TOKEN}${secrets.UNSET}", extract: { id: $.id, items: "$.items[*]" } }
      each: { get: "/${inputs.n}/${inputs.tenant}", for_each: "${create.items}", extract: { id: $.id } }

    """

  /// Nil only if the document above is wrong, which each input then tells.
  let workflow: Workflow?

  init() {
    workflow =
      WorkflowDecoder.decode(
        name: "names.yaml", bytes: Array(ExpressionFuzzing.document.utf8), directory: "/project", options: .init(files: FuzzFiles.access)
      ).workflow
  }

  func violation(of input: [UInt8]) -> String? {
    guard let workflow else { return "the document that gives names is wrong" }
    let text = String(decoding: input, as: UTF8.self)
    var found = DiagnosticList()
    let template = workflow.template(text.contains("${") ? text : "${\(text)}", name: "fuzz", into: &found)
    guard (template == nil) == found.hasErrors else {
      return "an expression \(template == nil ? "is refused without" : "passes with") an error"
    }
    if let violation = DiagnosticRules.violation(in: found, of: input) { return violation }
    guard let template else { return nil }
    for round in 0..<3 {
      let context = FuzzContext(workflow, seed: InputSplit.hash(input) &+ UInt64(round))
      do throws(EvaluationError) {
        let value = try template.evaluate(in: context)
        if case .expression(let expression) = template.content, !expression.admits(value) {
          return "checked to be \(expression.kindWords), and is \(value.kind): \(value.json.jsonText())"
        }
        if case .text = template.content, value.kind != JSONValue.Kind.string { return "a text with expressions in it is no text" }
        _ = value.masked
      } catch {
        guard !error.diagnostic.message.isEmpty else { return "an error without words" }
      }
      if case .expression(let expression) = template.content { _ = expression.operands(in: context) }
    }
    return nil
  }
}
