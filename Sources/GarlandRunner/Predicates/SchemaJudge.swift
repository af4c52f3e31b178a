import GarlandDiagnostics
import GarlandJSON
import GarlandWorkflow

/// Validates values against JSON Schemas.
enum SchemaJudge {
  /// The maximum number of failures that are reported for a value.
  static let limit = 20

  static func mismatches(_ template: SchemaTemplate, _ value: JSONValue, at range: SourceRange) -> [Mismatch] {
    do throws(JSONSchemaEvaluationError) {
      return try template.schema.validate(value, limit: limit).map { mismatch($0, value, range, template) }
    } catch {
      var mismatch = Mismatch("can't be validated: \(error)", at: range)
      mismatch.isUnfit = true
      return [mismatch]
    }
  }

  private static func mismatch(_ failure: JSONSchemaFailure, _ value: JSONValue, _ range: SourceRange, _ template: SchemaTemplate)
    -> Mismatch
  {
    let pointer = failure.instanceLocation
    let place = pointer.tokens.isEmpty ? "" : "at \(pointer), "
    var mismatch = Mismatch("does not match the schema: \(place)\(failure.message)", at: range)
    if let found = try? pointer.value(in: value) { mismatch.actual = Shown.value(found, limit: Shown.line) }
    let location = template.shown(failure.schemaLocation)
    // The schema `false` has no keyword.
    let keyword = failure.keyword.isEmpty ? "nothing" : failure.keyword
    mismatch.expected = location.isEmpty ? keyword : "\(keyword), at \(location)"
    mismatch.place = elements(of: pointer, in: value)
    if !failure.causes.isEmpty {
      mismatch.difference = failure.causes.prefix(8).map { "· \($0.description)" }
    }
    return mismatch
  }

  private static func elements(of pointer: JSONPointer, in root: JSONValue) -> [JSONPathElement] {
    var current: JSONValue? = root
    return pointer.tokens.map { token in
      if case .array? = current, let index = Int(token) {
        current = current?[index]
        return .index(index)
      }
      current = current?[token]
      return .name(token)
    }
  }
}
