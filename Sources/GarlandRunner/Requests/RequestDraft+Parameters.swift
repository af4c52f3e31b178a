import GarlandDiagnostics
import GarlandJSON
import GarlandText
import GarlandTransfer
import GarlandWorkflow

/// Adds parameters to the query or the body of a request.
extension RequestDraft {
  mutating func add(_ parameters: ParametersTemplate, _ context: some EvaluationContext) throws(RequestRefusal) {
    let value = try value(parameters.value, context)
    // If an expression determines the method, only now is it known whether the parameters are a body.
    if template.methodTemplate != nil, let body = template.body, !body.isDefault, parameters.options.encoding == .url,
      !URLEncodedParameters(parameters.options).goesIntoQuery(for: built.transfer.method)
    {
      throw refusal(
        "params",
        "with the method \(built.transfer.method.rawValue), `params` becomes the body of the request, but the step also has the body "
          + "`\(body.key.value)`; to send the parameters in the URL, write `query`",
        at: parameters.range)
    }
    switch parameters.options.encoding {
    case .url:
      let text = try encode(value, parameters, context)
      if URLEncodedParameters(parameters.options).goesIntoQuery(for: built.transfer.method) {
        if !text.isEmpty { built.transfer.url = URLEncodedParameters.appending(text, toQueryOf: built.transfer.url) }
      } else {
        setBody(Array(text.utf8), type: "application/x-www-form-urlencoded; charset=utf-8")
      }
    case .json: setBody(value.json.jsonBytes(), type: "application/json")
    case .plist: setBody(try propertyList(value.json, at: parameters.range), type: "application/x-plist")
    }
  }

  /// Returns parameters in the form `a=1&b=2`.
  func encode(_ value: Value, _ parameters: ParametersTemplate, _ context: some EvaluationContext) throws(RequestRefusal) -> String {
    // The text is copied while it grows, and in its final form.
    try requireRoom(for: 6 * value.json.weight, at: parameters.range)
    do throws(ParameterEncodingError) {
      let encoding = URLEncodedParameters(parameters.options)
      // The encoded forms of a secret in a URL are also secrets.
      value.forEachSecret { secret in
        context.secretRegistry.register(secret: PercentEncoding.encode(secret, keeping: PercentEncoding.queryComponent))
      }
      return try encoding.encode(value.json)
    } catch {
      throw refusal("params", "\(error)", at: parameters.range)
    }
  }

  func propertyList(_ value: JSONValue, at range: SourceRange) throws(RequestRefusal) -> [UInt8] {
    try requireRoom(for: 4 * value.weight, at: range)
    do throws(ParameterEncodingError) {
      return try PropertyListParameters().encode(value)
    } catch {
      throw refusal("plist", "\(error)", at: range)
    }
  }
}
