import GarlandJSON
import GarlandText

/// The routes of the example bookshop for users, books and covers.
enum BookRoutes {
  static let routes = [
    Route("GET", "/health", "Whether the shop is open") { _ throws(Refusal) in .json(["status": "ok"]) },
    Route(
      "POST", "/login", "{user, password} → {token, user, expires_in}; alice/wonderland, bob/builder, admin/letmein; ?expires_in=SECONDS",
      stateful: login),
    Route("POST", "/logout", "Revokes the token", stateful: logout),
    Route("GET", "/me", "The user of the token", stateful: me),
    Route("GET", "/authors", "The authors and how many of their books there are", stateful: authors),
    Route("GET", "/books", "The books in pages: ?author= &q= &page=1 &size=20", stateful: list),
    Route("POST", "/books", "Adds a book {title, price, author?, isbn?, year?}; needs a token", stateful: create),
    Route("GET", "/books/{id}", "One book, with its ETag", stateful: read),
    Route("PUT", "/books/{id}", "Replaces a book; If-Match; needs a token", stateful: replace),
    Route("PATCH", "/books/{id}", "Changes members of a book (RFC 7396); If-Match; needs a token", stateful: patch),
    Route("DELETE", "/books/{id}", "Removes a book; If-Match; needs a token", stateful: remove),
    Route("GET", "/books/{id}/cover", "The cover as it was uploaded", stateful: CoverRoutes.read),
    Route(
      "PUT POST", "/books/{id}/cover",
      "Sets the cover: an image as the body, or multipart with a file `image` and a `caption`; needs a token",
      gate: CoverRoutes.gate, stateful: CoverRoutes.write),
    Route("DELETE", "/books/{id}/cover", "Removes the cover; needs a token", stateful: CoverRoutes.remove),
  ]

  static let login: Route.StatefulHandler = { (request, tenant) throws(Refusal) in
    let object = try request.jsonObject()
    guard let user = object["user"]?.stringValue, let password = object["password"]?.stringValue else {
      throw Refusal(.problem(422, "invalid-login", "user and password have to be strings"))
    }
    let seconds = try request.queryInteger("expires_in", default: 3_600, in: 0...(365 * 86_400))
    guard Users.accepts(user, password) else { throw Refusal(.problem(401, "wrong-password", "No user has this name and password")) }
    let token = tenant.secret("access")
    try tenant.tokens.add(
      token,
      TokenStore.Access(
        client: nil, user: user, scope: ["read", "write"], expires: tenant.now + .seconds(seconds), family: tenant.tokens.newFamily()))
    return .json(
      ["token": .string(token), "user": .string(user), "expires_in": JSONValue(seconds)],
      headers: [HeaderField("Cache-Control", "no-store")])
  }

  static let logout: Route.StatefulHandler = { (request, tenant) throws(Refusal) in
    _ = try user(request, tenant)
    if let token = AuthRoutes.bearerToken(request) { tenant.tokens.revoke(token) }
    return .noContent()
  }

  static let me: Route.StatefulHandler = { (request, tenant) throws(Refusal) in .json(["user": .string(try user(request, tenant))]) }

  static let authors: Route.StatefulHandler = { (_, tenant) throws(Refusal) in
    let counts = tenant.shop.shelf.reduce(into: [String: Int]()) { $0[$1.author ?? "unknown", default: 0] += 1 }
    return .json(["authors": .array(counts.sorted { $0.key < $1.key }.map { ["name": .string($0.key), "books": JSONValue($0.value)] })])
  }

  static let list: Route.StatefulHandler = { (request, tenant) throws(Refusal) in
    let size = try request.queryInteger("size", default: 20, in: 1...100)
    let page = try request.queryInteger("page", default: 1, in: 1...1_000_000)
    var books = tenant.shop.shelf
    if let author = request.query["author"] { books = books.filter { $0.author?.lowercased() == author.lowercased() } }
    if let text = request.query["q"]?.lowercased(), !text.isEmpty { books = books.filter { $0.title.lowercased().contains(text) } }
    let pages = max(1, (books.count + size - 1) / size)
    let shown = books.dropFirst((page - 1) * size).prefix(size)
    var next: String?
    if page < pages {
      let others = request.query.pairs.filter { $0.name != "page" }.map {
        "&\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))"
      }
      next = "/books?page=\(page + 1)\(others.joined())"
    }
    return .json(
      [
        "books": .array(shown.map(\.json)), "page": JSONValue(page), "pages": JSONValue(pages), "total": JSONValue(books.count),
        "next": JSONValue(next),
      ], headers: next.map { [HeaderField("Link", "<\($0)>; rel=\"next\"")] } ?? [])
  }

  static let create: Route.StatefulHandler = { (request, tenant) throws(Refusal) in
    let user = try user(request, tenant)
    let book = try tenant.shop.add(BookDraft(try request.jsonObject()), by: user)
    return .json(book.json, status: 201, headers: [HeaderField("Location", "/books/\(book.id)"), HeaderField("ETag", book.etag)])
  }

  static let read: Route.StatefulHandler = { (request, tenant) throws(Refusal) in
    let book = try tenant.shop.book(try id(request))
    let headers = [HeaderField("ETag", book.etag)]
    if let refusal = Preconditions(etag: book.etag).evaluate(request, headers: headers) { throw refusal }
    return .json(book.json, headers: headers)
  }

  static let replace: Route.StatefulHandler = { (request, tenant) throws(Refusal) in
    let id = try changeable(request, tenant)
    let book = try tenant.shop.replace(id, with: BookDraft(try request.jsonObject()))
    return .json(book.json, headers: [HeaderField("ETag", book.etag)])
  }

  static let patch: Route.StatefulHandler = { (request, tenant) throws(Refusal) in
    let id = try changeable(request, tenant)
    guard case .object(var object) = try tenant.shop.book(id).json else { throw Refusal(500, "the book is no object") }
    for (name, value) in try request.jsonObject() { object[name] = value.isNull ? nil : value }
    let book = try tenant.shop.replace(id, with: BookDraft(object))
    return .json(book.json, headers: [HeaderField("ETag", book.etag)])
  }

  static let remove: Route.StatefulHandler = { (request, tenant) throws(Refusal) in
    try tenant.shop.remove(try changeable(request, tenant))
    return .noContent()
  }

  static func id(_ request: SandboxRequest) throws(Refusal) -> Int {
    guard let id = Int(request.parameter("id")) else {
      throw Refusal(.problem(404, "no-such-book", "There is no book \(request.parameter("id"))"))
    }
    return id
  }

  /// Returns the id of a book that the request may change. The request must have a token, the book must exist, and `If-Match` must contain
  /// the book's current ETag.
  static func changeable(_ request: SandboxRequest, _ tenant: TenantState) throws(Refusal) -> Int {
    _ = try user(request, tenant)
    let book = try tenant.shop.book(try id(request))
    if let refusal = Preconditions(etag: book.etag).evaluate(request, headers: []) { throw refusal }
    return book.id
  }

  /// Returns the name of the user who sent the request. If the token belongs to a client and not to a user, the client counts as the user.
  static func user(_ request: SandboxRequest, _ tenant: TenantState) throws(Refusal) -> String {
    let access = try OAuthRoutes.authorize(request, tenant, realm: "bookshop")
    return access.user ?? access.client ?? "somebody"
  }
}
