import GarlandJSON

/// A book of the bookshop.
struct Book: Sendable {
  let id: Int
  var title: String
  var author: String?
  var isbn: String?
  /// The price, with its digits as received, so that 9.50 stays 9.50.
  var price: JSONNumber
  var year: Int?
  var createdBy: String
  /// The number of the current version, for the ETag. It grows with each change.
  var revision = 1
  var cover: Cover?
  var reviews: [Review] = []

  struct Cover: Sendable {
    let type: String
    let bytes: [UInt8]
    let sha256: String
    let caption: String?
  }

  struct Review: Sendable {
    let id: Int
    let user: String
    let stars: Int
    let text: String
  }

  var etag: String { "\"\(id)-\(revision)\"" }

  var json: JSONValue {
    [
      "id": JSONValue(id), "title": .string(title), "author": JSONValue(author), "isbn": JSONValue(isbn), "price": .number(price),
      "year": JSONValue(year), "created_by": .string(createdBy), "revision": JSONValue(revision), "cover": .bool(cover != nil),
      "reviews": JSONValue(reviews.count),
    ]
  }
}
