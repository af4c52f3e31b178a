import GarlandJSON
import GarlandPlanner
import GarlandWorkflow

/// The extracted values of a step that passed in an earlier run. Another run can use them instead of sending the step's request again.
package struct KeptStep: Sendable {
  let extracted: [Value?]

  init(_ extracted: [Value?]) { self.extracted = extracted }

  /// Reads the values from JSON in the format that ``json`` returns. Returns nil for any other JSON.
  package init?(_ json: JSONValue) {
    guard let items = json.arrayValue else { return nil }
    extracted = items.map { item in
      item["value"].map { Value($0, isSecret: item["secret"]?.boolValue ?? true) }
    }
  }

  /// The extracted values of the step as JSON, so that another process can read them. A value is marked as secret if any part of it is
  /// secret.
  package var json: JSONValue {
    .array(
      extracted.map { value in
        guard let value else { return .null }
        return ["value": value.json, "secret": .bool(value.isTainted)]
      })
  }
}

extension PlannedStep {
  /// Whether another run can use the extracted values of this step without sending its request again. True if the step only reads data or
  /// fetches credentials, and other steps use only its extracted values.
  var isKeepable: Bool {
    guard case .request(let request) = step.action, request.methodTemplate == nil, request.download == nil,
      !runsAlways, step.flow.loop == nil, !step.expectsError, neededByOthers.subtracting(.extracts).isEmpty
    else { return false }
    if ["GET", "HEAD", "OPTIONS", "QUERY"].contains(request.method.value) { return true }
    return !step.extractions.isEmpty && step.extractions.allSatisfy(\.isSecret)
  }

  /// The document and the name of the step in the form that the command line uses, such as `smoke.yaml#login`.
  package var address: String { "\(workflow.file.name)#\(step.id)" }
}
