import GarlandDiagnostics
import GarlandJSON

/// Converts values of expressions to text.
enum Rendering {
  /// Returns the text that an expression inserts into a longer text. Throws an error for null, a list or a mapping.
  static func text(of value: Value, for expression: Expression) throws(EvaluationError) -> String {
    switch value {
    case .plain(let value), .secret(let value): return try text(of: value, at: expression.range)
    case .list, .object, .sparse: return try text(of: value.json, at: expression.range)
    }
  }

  /// Converts a text, a number or a boolean to text. Throws an error for null, a list or a mapping.
  static func text(of value: JSONValue, at range: SourceRange) throws(EvaluationError) -> String {
    switch value {
    case .string(let text): return text
    case .number(let number): return number.text
    case .bool(let value): return value ? "true" : "false"
    case .null, .array, .object:
      throw EvaluationError(
        Diagnostic(.notText, "\(Words.kind(value.kind)) can't be inserted into a text", at: range)
          .help("convert the value to JSON with `| json`"))
    }
  }
}
