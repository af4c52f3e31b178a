import GarlandJSON
import GarlandText

/// Converts a request to JSON for routes that return it. The query, the header fields and a form occur twice: in their original order and
/// spelling, and grouped by name, so that they are easy to query.
enum RequestEcho {
  private static let partTextLimit = 8 << 10

  static func json(_ request: SandboxRequest) -> JSONValue {
    var object: JSONObject = [
      "method": .string(request.method), "target": .string(request.target), "path": .string(request.path),
      "query": query(request), "version": .string(request.version),
      "headers": .array(request.headers.map { [.string($0.name), .string($0.value)] }),
      "header": multimap(request.headers.map { ($0.name.asciiLowercased, $0.value) }),
      "cookies": multimap(request.cookies), "body": body(request.body),
    ]
    object["json"] = isWorthParsing(request) ? JSONText.decode(request.body.kept) ?? .null : .null
    object["form"] = request.form.map { form($0) } ?? .null
    object["multipart"] = multipart(request.body)
    object["connection"] = [
      "id": JSONValue(request.connection.id), "request": JSONValue(request.connection.requestNumber),
      "peer": .string("\(request.connection.peerAddress):\(request.connection.peerPort)"), "port": JSONValue(request.connection.localPort),
    ]
    object["sequence"] = JSONValue(request.sequence)
    return .object(object)
  }

  /// Returns the query as raw text, as pairs in order, and as an object in which the values of a repeated name are a list.
  static func query(_ request: SandboxRequest) -> JSONValue {
    [
      "raw": JSONValue(request.rawQuery), "pairs": .array(request.query.pairs.map { [.string($0.name), .string($0.value)] }),
      "values": multimap(request.query.pairs),
    ]
  }

  static func form(_ form: FormPairs) -> JSONValue {
    ["pairs": .array(form.pairs.map { [.string($0.name), .string($0.value)] }), "values": multimap(form.pairs)]
  }

  static func body(_ body: ReceivedBody) -> JSONValue {
    var object: JSONObject = ["size": JSONValue(body.size), "sha256": .string(body.sha256)]
    object["text"] = JSONValue(body.text)
    // Text is shown as text. A body that exceeds the limit is not shown, because a part of it would look like the whole.
    object["base64"] = body.text == nil && body.isWhole ? .string(Base64.encode(body.kept)) : .null
    if !body.trailers.isEmpty { object["trailers"] = .array(body.trailers.map { [.string($0.name), .string($0.value)] }) }
    return .object(object)
  }

  /// Returns an object with the parts of a multipart body, and with the mistake in the body (null for a valid body). Returns null for a
  /// body of any other type.
  static func multipart(_ body: ReceivedBody) -> JSONValue {
    guard let parts = body.parts else { return .null }
    return ["parts": .array(parts.map { part($0) }), "fault": JSONValue(body.multipartFault)]
  }

  static func multimap(_ pairs: [(name: String, value: String)]) -> JSONValue {
    var lists: [String: [String]] = [:]
    var order: [String] = []
    for (name, value) in pairs {
      if lists[name] == nil { order.append(name) }
      lists[name, default: []].append(value)
    }
    return .object(
      JSONObject(order.map { name in (name, lists[name]?.count == 1 ? JSONValue(lists[name]?.first) : JSONValue(lists[name] ?? [])) }))
  }

  private static func part(_ part: ReceivedPart) -> JSONValue {
    let isShown = part.isWhole && part.size <= partTextLimit
    return [
      "name": JSONValue(part.name), "filename": JSONValue(part.filename), "type": JSONValue(part.type),
      "headers": .array(part.headers.map { [.string($0.name), .string($0.value)] }), "size": JSONValue(part.size),
      "sha256": .string(part.sha256), "text": JSONValue(isShown ? String(validating: part.kept, as: UTF8.self) : nil),
    ]
  }

  private static func isWorthParsing(_ request: SandboxRequest) -> Bool {
    request.body.isWhole && request.body.size > 0 && (request.contentType?.isJSON ?? false)
  }
}
