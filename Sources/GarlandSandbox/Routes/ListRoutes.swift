import GarlandJSON

/// A list that comes in pages.
enum ListRoutes {
  static let routes = [
    Route("GET", "/pages", "Items from 1 to ?total=25 in pages of ?size=10; `next` and a Link field name the page after ?page=1", pages)
  ]

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
