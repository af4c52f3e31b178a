import GarlandWorkflow

/// What a request's URL is as a template: equal for two steps whose requests go to the same resource as far as can be known before they run.
struct URLIdentity: Hashable {
  /// Scheme, authority and path, with expressions as written.
  let resource: String
  /// The document, if there is an expression in it: in another document it can mean something else.
  let document: Int?
  /// The query as written; empty if there is none.
  let query: String

  /// Nil when the URL is another one each time, so that nothing can be said about it.
  init?(_ request: RequestTemplate, document: Int) {
    var parts = Parts()
    if let base = request.baseURL, !URLIdentity.isAbsolute(request.url) {
      parts.append(base)
      if parts.resource.hasSuffix("/") { parts.resource.removeLast() }
      parts.isInQuery = false
      if request.url.source.utf8.first != UInt8(ascii: "/") { parts.resource += "/" }
    }
    parts.append(request.url)
    if parts.isVolatile { return nil }
    resource = parts.resource
    self.document = parts.hasExpression ? document : nil
    var query = parts.query
    if let text = request.query?.range.text { query += "&\(text)" }
    if ["GET", "HEAD", "DELETE"].contains(request.method.value), let text = request.params?.range.text { query += "&\(text)" }
    self.query = query
  }

  private struct Parts {
    var resource = ""
    var query = ""
    var isInQuery = false
    var hasExpression = false
    var isVolatile = false

    mutating func append(_ url: URLTemplate) {
      for piece in url.pieces {
        switch piece {
        case .literal(let text): append(text)
        case .expression(let expression, _):
          hasExpression = true
          if URLIdentity.isVolatile(expression.source) { isVolatile = true }
          append(verbatim: "${\(expression.source)}")
        }
      }
    }

    private mutating func append(_ literal: String) {
      var rest = literal.utf8[...]
      if let fragment = rest.firstIndex(of: UInt8(ascii: "#")) { rest = rest[..<fragment] }
      if !isInQuery, let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
        append(verbatim: String(Substring(rest[..<mark])))
        isInQuery = true
        rest = rest[rest.utf8Index(after: mark)...]
      }
      append(verbatim: String(Substring(rest)))
    }

    private mutating func append(verbatim text: String) {
      if isInQuery { query += text } else { resource += text }
    }
  }

  /// A URL that begins with an expression is taken as whole, since that is what such an expression is for.
  private static func isAbsolute(_ url: URLTemplate) -> Bool {
    switch url.pieces.first {
    case .expression: true
    case .literal(let text): text.utf8.prefix(while: { $0 != UInt8(ascii: "/") }).last == UInt8(ascii: ":")
    case nil: false
    }
  }

  /// Whether an expression gives something else in each step, or in each turn of a loop.
  private static func isVolatile(_ source: String) -> Bool {
    for word in source.split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "." || $0 == "(") }) {
      if word == "item" || word == "index" || word.hasPrefix("item.") { return true }
      if word.hasPrefix("uuid(") || word.hasPrefix("random(") || word.hasPrefix("now(") { return true }
    }
    return false
  }
}

extension Substring.UTF8View {
  fileprivate func utf8Index(after index: Index) -> Index { self.index(after: index) }
}
