import GarlandDiagnostics

extension Expression {
  /// Returns the value of the expression.
  ///
  /// - Throws: if a value is undefined, has the wrong type or cannot be read. The error contains the source range of the sub-expression
  /// that causes it.
  public func evaluate(in context: any EvaluationContext) throws(EvaluationError) -> Value {
    if let value = try simpleValue(in: context) { return value }
    do {
      return try root.evaluateWhole(EvaluationFrame(context: context, expression: self))
    } catch {
      throw self.error(of: error)
    }
  }

  /// Evaluates an expression that consists of filters without a value before them, with `subject` as their input.
  package func evaluate(_ subject: Value, in context: any EvaluationContext) throws(EvaluationError) -> Value {
    var frame = EvaluationFrame(context: context, expression: self)
    frame.subject = subject
    do {
      return try root.evaluateWhole(frame)
    } catch {
      throw self.error(of: error)
    }
  }

  /// Evaluates an expression whose value is a list that is read item by item, such as the list for a loop. If the list contains the results
  /// of another loop, a missing result causes no error.
  func evaluateItems(in context: any EvaluationContext) throws(EvaluationError) -> Value {
    do {
      return try root.evaluate(EvaluationFrame(context: context, expression: self))
    } catch {
      throw self.error(of: error)
    }
  }

  func error(of failure: ExpressionFailure) -> EvaluationError {
    switch failure {
    case .outer(let error): return error
    case .guarded: return EvaluationError(Diagnostic(.undefined, "undefined", at: range), isUndefined: true)
    case .local(let details):
      var diagnostic = Diagnostic(details.code, details.message, at: location(details.range), label: details.label)
      if let help = details.help { diagnostic = diagnostic.help(help) }
      return EvaluationError(diagnostic, isUndefined: details.isUndefined)
    }
  }
}
