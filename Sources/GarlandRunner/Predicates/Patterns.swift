import GarlandJSON
import GarlandWorkflow

/// Compiles regular expressions that the document contains, or that an expression computes during
/// the run.
enum Patterns {
  struct Mistake: Error {
    let message: String
  }

  static func expression(
    _ template: PatternTemplate, in context: any EvaluationContext
  ) throws(EvaluationError) -> Result<RegularExpression, Mistake> {
    switch template.content {
    case .constant(let expression): return .success(expression)
    case .template(let template):
      let text = try template.evaluateText(in: context)
      do throws(RegularExpressionError) {
        return .success(try RegularExpression(text.text))
      } catch {
        return .failure(Mistake(message: text.isSecret ? "the secret value is not a regular expression" : error.description))
      }
    }
  }
}
