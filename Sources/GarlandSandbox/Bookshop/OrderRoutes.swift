import GarlandJSON

/// The routes for the stock and the orders of the bookshop.
enum OrderRoutes {
  static let routes = [
    Route("GET", "/stock/{isbn}", "How many copies are there", stateful: stock),
    Route(
      "POST", "/orders",
      "Orders {isbn, quantity?} or {book, quantity?}: 202 and a Location; shipped after ?polls=3 questions; needs a token",
      stateful: create),
    Route("GET", "/orders/{id}", "How the order is: pending, packed or shipped; needs a token", stateful: poll),
  ]

  static let stock: Route.StatefulHandler = { (request, tenant) throws(Refusal) in
    let isbn = request.parameter("isbn")
    guard let available = tenant.shop.available(isbn) else {
      throw Refusal(.problem(404, "no-such-book", "There is no book with the ISBN \(isbn)"))
    }
    return .json(["isbn": .string(isbn), "available": JSONValue(available), "in_stock": .bool(available > 0)])
  }

  static let create: Route.StatefulHandler = { (request, tenant) throws(Refusal) in
    let user = try BookRoutes.user(request, tenant)
    let polls = try request.queryInteger("polls", default: 3, in: 0...1_000)
    let object = try request.jsonObject()
    var isbn = object["isbn"]?.stringValue
    if isbn == nil, let book = object["book"]?.intValue { isbn = try tenant.shop.book(book).isbn }
    let quantity = object["quantity"] ?? 1
    guard let isbn, let count = quantity.intValue, (1...1_000).contains(count) else {
      throw Refusal(
        .problem(
          422, "invalid-order", "The order is not valid",
          ["errors": [["member": isbn == nil ? "isbn" : "quantity", "reason": "is missing or not valid"]]]))
    }
    let order = try tenant.shop.order(isbn, quantity: count, by: user, polls: polls)
    return .json(order.json, status: 202, headers: [HeaderField("Location", "/orders/\(order.id)"), HeaderField("Retry-After", "0")])
  }

  static let poll: Route.StatefulHandler = { (request, tenant) throws(Refusal) in
    _ = try BookRoutes.user(request, tenant)
    guard let id = Int(request.parameter("id")) else {
      throw Refusal(.problem(404, "no-such-order", "There is no order \(request.parameter("id"))"))
    }
    return .json(try tenant.shop.poll(id).json)
  }
}
