extension RequestTemplate {
  /// The URL as far as it is known without a run: with the values of variables, secrets and the environment, and with the expressions as they are written that
  /// need a step, an item or chance.
  ///
  /// - Parameters:
  ///   - context: Where the values come from.
  ///   - isVolatile: Whether an expression, as it is written, is another one each time.
  public func knownURL(in context: any EvaluationContext, isVolatile: (String) -> Bool) -> String {
    let own = url.known(in: context, isVolatile)
    guard let baseURL, !URLJoining.isAbsolute(own), !own.hasPrefix("${") else { return own }
    let base = baseURL.known(in: context, isVolatile)
    // Where the host is not known, the path alone says more.
    return base.contains("${") ? own : URLJoining.join(base, own)
  }

  /// The method as far as it is known without a run.
  public func knownMethod(in context: any EvaluationContext) -> String {
    guard let methodTemplate else { return method.value }
    return (try? methodTemplate.evaluateText(in: context).text) ?? methodTemplate.range.text
  }
}

extension URLTemplate {
  fileprivate func known(in context: any EvaluationContext, _ isVolatile: (String) -> Bool) -> String {
    var text = ""
    for piece in pieces {
      switch piece {
      case .literal(let literal): text += literal
      case .expression(let expression, _):
        let part = URLTemplate(pieces: [piece], source: "", range: range)
        let value = isVolatile(expression.source) ? nil : try? part.evaluate(in: context).text
        text += value ?? "${\(expression.source)}"
      }
    }
    return text
  }
}
