import GarlandJSON

extension Workflow {
  /// Returns the text of a template if all its expressions are variables with constant values, so that the document alone determines the
  /// text. Returns nil for any other template.
  package func constantText(of template: Template) -> String? {
    switch template.content {
    case .constant(let value): return value.stringValue
    case .expression(let expression): return constantText(of: expression)
    case .text(let pieces):
      var text = ""
      for piece in pieces {
        switch piece {
        case .literal(let literal): text += literal
        case .expression(let expression):
          guard let value = constantText(of: expression) else { return nil }
          text += value
        }
      }
      return text
    }
  }

  /// Returns the text that an expression inserts if the expression is only a variable with a constant value. Returns nil for any other
  /// expression.
  private func constantText(of expression: Expression) -> String? {
    guard case .variable(let index) = expression.root.kind else { return nil }
    switch variables[index].value {
    case .constant(let value, _): return value.stringValue ?? value.numberValue?.text
    case .scalar(let template): return constantText(of: template)
    case .list, .object: return nil
    }
  }
}
