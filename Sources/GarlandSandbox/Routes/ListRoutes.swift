import GarlandJSON

/// Routes for a list that is divided into pages.
enum ListRoutes {
  static let routes = [
    Route("GET", "/pages", "Items from 1 to ?total=25 in pages of ?size=10; `next` and a Link field name the page after ?page=1", pages),
    Route(
      "POST", "/pages",
      "The same items by a `cursor`, which the answer gives and the next request has: in JSON, in `variables` of GraphQL, in a form, in the query or in X-Cursor",
      cursor),
  ]

  static let cursor: Route.PureHandler = { request throws(Refusal) in
    let total = try request.queryInteger("total", default: 25, in: 0...1_000_000)
    let size = try request.queryInteger("size", default: 10, in: 1...1_000)
    let body = JSONText.decode(request.body.kept)
    let given =
      request.headers.first("X-Cursor") ?? request.query["cursor"] ?? request.form?["cursor"] ?? body?["cursor"]?.stringValue
      ?? body?["variables"]?["cursor"]?.stringValue
    let first = try given.map { text throws(Refusal) in
      guard text.hasPrefix("after-"), let number = Int(text.dropFirst("after-".count)), (0...total).contains(number) else {
        throw Refusal(400, "the cursor is unknown")
      }
      return number
    }
    let start = first ?? 0
    let end = min(start + size, total)
    return .json([
      "items": .array((start..<end).map { JSONValue($0 + 1) }), "cursor": JSONValue(end < total ? "after-\(end)" : nil),
    ])
  }

  static let pages: Route.PureHandler = { request throws(Refusal) in
    let total = try request.queryInteger("total", default: 25, in: 0...1_000_000)
    let size = try request.queryInteger("size", default: 10, in: 1...1_000)
    let count = max(1, (total + size - 1) / size)
    let page = try request.queryInteger("page", default: 1, in: 1...1_000_000)
    let first = min((page - 1) * size, total)
    let items = (first..<min(first + size, total)).map { JSONValue($0 + 1) }
    func url(_ page: Int) -> String { "\(request.origin)/pages?page=\(page)&size=\(size)&total=\(total)" }
    var links = ["<\(url(1))>; rel=\"first\"", "<\(url(count))>; rel=\"last\""]
    if page > 1 { links.append("<\(url(page - 1))>; rel=\"prev\"") }
    if page < count { links.append("<\(url(page + 1))>; rel=\"next\"") }
    return .json(
      [
        "items": .array(items), "page": JSONValue(page), "pages": JSONValue(count), "total": JSONValue(total),
        "next": JSONValue(page < count ? url(page + 1) : nil),
      ], headers: [HeaderField("Link", links.joined(separator: ", "))])
  }
}
