import GarlandJSON
import GarlandTransfer
import GarlandResults
import GarlandText
import GarlandWorkflow
import HTTPTypes

/// The changes that turn a page's request into the request for the next page. Most often, a cursor changes.
struct PageChanges: Sendable {
  private var query: String?
  private var form: String?
  private var json: JSONValue?
  private var fields: [(name: HTTPField.Name, values: [String], isSecret: Bool)] = []

  /// Evaluates a template. Returns nil if the value of an expression in the template is undefined, null or empty, since there is no next
  /// page in this case.
  init?(_ template: PageTemplate, in context: any EvaluationContext) throws(EvaluationError) {
    for header in template.headers {
      guard let field = try Self.field(header, in: context) else { return nil }
      fields.append(field)
    }
    if let parameters = template.query {
      guard let text = try Self.text(parameters, in: context) else { return nil }
      query = text
    }
    if let parameters = template.form {
      guard let text = try Self.text(parameters, in: context) else { return nil }
      form = text
    }
    if let members = template.json {
      guard let value = try Self.value(of: members, in: context) else { return nil }
      json = value.json
    }
  }

  // MARK: Evaluating

  /// Returns the value of an expression; nil if the value is undefined, null or empty. Literal text is returned unchanged.
  static func value(of template: Template, in context: any EvaluationContext) throws(EvaluationError) -> Value? {
    if let constant = template.constant { return .plain(constant) }
    do throws(EvaluationError) {
      let value = try template.evaluate(in: context)
      return value.json.isNull || value.json.stringValue?.isEmpty == true ? nil : value
    } catch {
      guard error.isUndefined else { throw error }
      return nil
    }
  }

  private static func value(of template: ValueTemplate, in context: any EvaluationContext) throws(EvaluationError) -> Value? {
    switch template {
    case .constant(let value, _): return .plain(value)
    case .scalar(let template): return try value(of: template, in: context)
    case .list(let items, _):
      var values: [Value] = []
      for item in items {
        guard let value = try value(of: item, in: context) else { return nil }
        values.append(value)
      }
      return .list(of: values)
    case .object(let members, _):
      var values: [(key: String, value: Value)] = []
      for member in members {
        guard let value = try value(of: member.value, in: context) else { return nil }
        values.append((try member.key.evaluateText(in: context).text, value))
      }
      return .object(of: values)
    }
  }

  private static func text(_ parameters: ParametersTemplate, in context: any EvaluationContext) throws(EvaluationError) -> String? {
    guard let value = try value(of: parameters.value, in: context) else { return nil }
    // The encoded forms of a secret in a URL are also secrets.
    value.forEachSecret { secret in
      context.secretRegistry.register(secret: PercentEncoding.encode(secret, keeping: PercentEncoding.queryComponent))
    }
    do throws(ParameterEncodingError) {
      return try URLEncodedParameters(parameters.options).encode(value.json)
    } catch {
      throw EvaluationError(.init(.wrongType, "\(error)", at: parameters.range))
    }
  }

  private static func field(
    _ header: HeaderTemplate, in context: any EvaluationContext
  ) throws(EvaluationError) -> (name: HTTPField.Name, values: [String], isSecret: Bool)? {
    let written = try header.nameTemplate?.evaluateText(in: context).text ?? header.name.value
    guard let name = HTTPField.Name(written), name != .contentLength, name != .transferEncoding else {
      throw EvaluationError(.init(.badHeader, "`\(written)` is not allowed as the name of a header here", at: header.name.range))
    }
    var values: [String] = []
    var isSecret = false
    for template in header.values {
      guard let value = try value(of: template, in: context) else { return nil }
      let text = value.json.stringValue ?? value.json.jsonText()
      guard HTTPField.isValidValue(text) else {
        throw EvaluationError(
          .init(.badHeader, "has a line break or a control character, which is not allowed in a header", at: template.range))
      }
      if value.isTainted { isSecret = true }
      values.append(text)
    }
    return (name, values, isSecret)
  }

  // MARK: Applying

  /// Changes a page's request into the request for the next page. Throws if the changes concern a form or a JSON body, but the request has
  /// no such body.
  func apply(to request: inout TransferRequest, _ pagination: Pagination) throws(CheckFailure) {
    for field in fields {
      request.headerFields[field.name] = nil
      for value in field.values { request.headerFields.append(HTTPField(name: field.name, value: value)) }
      if field.values.isEmpty { request.removedFields.insert(field.name) } else { request.removedFields.remove(field.name) }
      if field.isSecret { request.credentialFields.insert(field.name) }
    }
    if let query { request.url = Self.replacing(query, inQueryOf: request.url) }
    if let form {
      guard case .bytes(let bytes) = request.body, let text = String(validating: bytes, as: UTF8.self) else {
        throw Self.failure("`next.form` changes the form that the request sends, but the request has none", pagination)
      }
      request.body = .bytes(Array(Self.replacing(form, in: text).utf8))
    }
    if let json {
      guard case .bytes(let bytes) = request.body, let body = try? JSONValue(parsing: bytes) else {
        throw Self.failure("`next.json` changes the JSON body of the request, but the request has none", pagination)
      }
      request.body = .bytes(body.patched(with: json).jsonBytes())
    }
  }

  private static func failure(_ message: String, _ pagination: Pagination) -> CheckFailure {
    CheckFailure(.value, subject: "paginate", message: message, at: pagination.range)
  }

  /// Returns a URL in which the given parameters replace the parameters with the same names.
  static func replacing(_ parameters: String, inQueryOf url: String) -> String {
    let base = url.prefix { $0 != "#" }
    let fragment = url[base.endIndex...]
    guard let mark = base.firstIndex(of: "?") else { return "\(base)?\(parameters)\(fragment)" }
    return "\(base[...mark])\(replacing(parameters, in: String(base[base.index(after: mark)...])))\(fragment)"
  }

  /// Returns query parameters, such as `a=1&b=2`, with `parameters` added at the end. Existing parameters with the same names are removed.
  static func replacing(_ parameters: String, in text: String) -> String {
    let names = Set(parameters.split(separator: "&").map(name))
    let kept = text.split(separator: "&", omittingEmptySubsequences: false).filter { !$0.isEmpty && !names.contains(name($0)) }
    return (kept + [parameters[...]]).joined(separator: "&")
  }

  private static func name(_ pair: Substring) -> [UInt8] {
    PercentEncoding.decode(pair.prefix { $0 != "=" }.replacing("+", with: " "))
  }
}

extension JSONValue {
  /// Applies the merge patch `patch` (RFC 7396) to a copy of the JSON value, and returns the copy.
  fileprivate func patched(with patch: JSONValue) -> JSONValue {
    guard case .object(let changes) = patch else { return patch }
    var result = objectValue ?? [:]
    for (name, change) in changes {
      if change.isNull { result[name] = nil } else { result[name] = (result[name] ?? .null).patched(with: change) }
    }
    return .object(result)
  }
}
