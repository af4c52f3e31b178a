extension RequestTemplate {
  /// Returns the URL as far as it is known before a run, for plans and previews.
  ///
  /// The URL contains the values of variables, secrets and the environment. Expressions that need the result of a step, a loop item or
  /// random numbers stay as they are written.
  ///
  /// - Parameters:
  ///   - context: the context that provides the values.
  ///   - other: the context of another run. An expression whose value differs between the two contexts also stays as it is written.
  public func knownURL(in context: any EvaluationContext, and other: any EvaluationContext) -> String {
    let own = url.known(in: context, and: other)
    guard let baseURL, !URLJoining.isAbsolute(own), !own.hasPrefix("${") else { return own }
    let base = baseURL.known(in: context, and: other)
    // If the host is unknown, the path alone is more informative.
    return ExpressionScanner.hasExpression(base) ? own : URLJoining.join(base, own)
  }

  /// Returns the method as far as it is known without a run. An expression whose value is not known stays as it is written.
  public func knownMethod(in context: any EvaluationContext) -> String {
    guard let methodTemplate else { return method.value }
    return (try? methodTemplate.evaluateText(in: context).text) ?? methodTemplate.range.text
  }
}

extension URLTemplate {
  fileprivate func known(in context: any EvaluationContext, and other: any EvaluationContext) -> String {
    var text = ""
    for piece in pieces {
      switch piece {
      case .literal(let literal): text += literal
      case .expression(let expression, _):
        let part = URLTemplate(pieces: [piece], source: "", range: range)
        let value = try? part.evaluate(in: context).text
        let isFixed = value == (try? part.evaluate(in: other).text)
        text += (isFixed ? value : nil) ?? "${\(expression.source)}"
      }
    }
    return text
  }
}
