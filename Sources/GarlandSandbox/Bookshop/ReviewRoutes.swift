import GarlandJSON

/// The routes for the reviews of books.
enum ReviewRoutes {
  static let routes = [
    Route("GET", "/books/{id}/reviews", "The reviews of a book", stateful: list),
    Route("POST", "/books/{id}/reviews", "Adds a review {stars 1…5, text?}; needs a token", stateful: create),
    Route("GET", "/books/{id}/reviews/{review}", "One review", stateful: read),
  ]

  static let list: Route.StatefulHandler = { (request, tenant) throws(Refusal) in
    let reviews = try tenant.shop.book(try BookRoutes.id(request)).reviews
    let average = reviews.isEmpty ? nil : reviews.reduce(0) { $0 + $1.stars } / reviews.count
    return .json(["reviews": .array(reviews.map(\.json)), "total": JSONValue(reviews.count), "average": JSONValue(average)])
  }

  static let create: Route.StatefulHandler = { (request, tenant) throws(Refusal) in
    let user = try BookRoutes.user(request, tenant)
    let id = try BookRoutes.id(request)
    let object = try request.jsonObject()
    guard let stars = object["stars"]?.intValue, (1...5).contains(stars) else {
      throw Refusal(
        .problem(
          422, "invalid-review", "The review is not valid",
          ["errors": [["member": "stars", "reason": "has to be a whole number from 1 to 5"]]]))
    }
    let text = object["text"]?.stringValue ?? ""
    let review = try tenant.shop.addReview(of: id, by: user, stars: stars, text: text)
    return .json(review.json, status: 201, headers: [HeaderField("Location", "/books/\(id)/reviews/\(review.id)")])
  }

  static let read: Route.StatefulHandler = { (request, tenant) throws(Refusal) in
    let number = request.parameter("review")
    guard let review = try tenant.shop.book(try BookRoutes.id(request)).reviews.first(where: { "\($0.id)" == number }) else {
      throw Refusal(.problem(404, "no-such-review", "There is no review \(number)"))
    }
    return .json(review.json)
  }
}

extension Book.Review {
  var json: JSONValue {
    ["id": JSONValue(id), "user": .string(user), "stars": JSONValue(stars), "text": .string(text)]
  }
}
