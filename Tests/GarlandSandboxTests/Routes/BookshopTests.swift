import GarlandJSON
import Testing

@testable import GarlandSandbox

@Suite struct BookshopTests {
  @Test func `in the sandbox's bookshop, books can be listed, searched and paged without a login`() async throws {
    try await withSandbox { sandbox in
      #expect(try sandbox.get("/health").json == ["status": "ok"])
      let books = try sandbox.get("/books").json
      #expect(books["total"] == 6)
      #expect(books["books"]?[0]?["title"] == "Pride and Prejudice")
      #expect(books["books"]?[1]?["price"]?.numberValue?.text == "7.00")
      #expect(try sandbox.get("/books?author=jane%20austen").json["total"] == 2)
      #expect(try sandbox.get("/books?q=time").json["books"]?[0]?["id"] == 6)
      let paged = try sandbox.get("/books?size=4&q=e").json
      #expect(paged["next"]?.stringValue?.hasPrefix("/books?page=2") == true)
      #expect(try sandbox.get(paged["next"]?.stringValue ?? "").json["page"] == 2)
      #expect(try sandbox.get("/authors").json["authors"]?.arrayValue?.count == 5)
      #expect(try sandbox.get("/books/99").status == 404)
      #expect(try sandbox.get("/books/x").status == 404)
      #expect(try sandbox.get("/books/99").first("Content-Type") == "application/problem+json")
    }
  }

  @Test func `the sandbox accepts the token of a logged-in user until the user logs out`() async throws {
    try await withSandbox { sandbox in
      let token = try sandbox.login("bob", "builder")
      #expect(try sandbox.get("/me", [token]).json["user"] == "bob")
      #expect(try sandbox.request("POST", "/logout", [token]).status == 204)
      #expect(try sandbox.get("/me", [token]).status == 401)
      #expect(try sandbox.request("POST", "/login", json: #"{"user": "bob", "password": "x"}"#).status == 401)
      #expect(try sandbox.request("POST", "/login", json: #"{"user": "bob"}"#).status == 422)
      #expect(try sandbox.request("POST", "/login", json: "nonsense").status == 400)
    }
  }

  @Test func `in the sandbox's bookshop, a client can create a book, upload its cover and delete the book`() async throws {
    try await withSandbox { sandbox in
      let grant = try sandbox.request(
        "POST", "/oauth/token", form: "grant_type=password&client_id=smoke&username=alice&password=wonderland")
      let token = "Authorization: Bearer \(try #require(grant.json["access_token"]?.stringValue))"
      let created = try sandbox.request("POST", "/books", [token], json: #"{"title": "Dune", "price": 9.50}"#)
      #expect(created.status == 201)
      #expect(created.first("Location") == "/books/7")
      #expect(created.json["price"]?.numberValue?.text == "9.50")
      #expect(created.json["created_by"] == "alice")
      let image = PatternBytes(seed: 1).bytes(0..<50_000)
      let form =
        Array("--b\r\nContent-Disposition: form-data; name=\"image\"; filename=\"cover.png\"\r\nContent-Type: image/png\r\n\r\n".utf8)
        + image
        + Array("\r\n--b\r\nContent-Disposition: form-data; name=\"caption\"\r\n\r\nFront cover\r\n--b--\r\n".utf8)
      let type = "Content-Type: multipart/form-data; boundary=b"
      #expect(try sandbox.get("/books/7/cover").status == 404)
      #expect(try sandbox.request("PUT", "/books/7/cover", [token, type], body: form).status == 204)
      let cover = try sandbox.get("/books/7/cover", [token])
      #expect(cover.first("Content-Type") == "image/png")
      #expect(cover.body == image)
      #expect(try sandbox.request("DELETE", "/books/7", [token]).status == 204)
      #expect(try sandbox.get("/books/7").status == 404)
    }
  }

  @Test func `without a token, the bookshop of the sandbox refuses changes, reviews, orders and logout with status 401`() async throws {
    try await withSandbox { sandbox in
      for (method, target) in [
        ("POST", "/books"), ("PUT", "/books/1"), ("PATCH", "/books/1"), ("DELETE", "/books/1"), ("PUT", "/books/1/cover"),
        ("DELETE", "/books/1/cover"), ("POST", "/books/1/reviews"), ("POST", "/orders"), ("GET", "/orders/1"), ("POST", "/logout"),
      ] {
        let response = try sandbox.request(method, target, json: "{}")
        #expect(response.status == 401, "\(method) \(target)")
        #expect(response.first("WWW-Authenticate") == "Bearer realm=\"bookshop\"")
      }
    }
  }

  @Test func `if a client sends an invalid book, the error response of the sandbox's bookshop names every invalid member`() async throws {
    try await withSandbox { sandbox in
      let token = try sandbox.login()
      let response = try sandbox.request(
        "POST", "/books", [token], json: #"{"title": "", "price": "9", "isbn": "12", "year": 1.5, "author": 7}"#)
      #expect(response.status == 422)
      #expect(response.first("Content-Type") == "application/problem+json")
      #expect(response.json["status"] == 422)
      let members = response.json["errors"]?.arrayValue?.compactMap { $0["member"]?.stringValue }
      #expect(Set(members ?? []) == ["title", "price", "isbn", "year", "author"])
      #expect(try sandbox.request("POST", "/books", [token], json: #"{"title": "A", "price": -1}"#).status == 422)
      #expect(try sandbox.request("POST", "/books", [token], json: "[1]").status == 422)
      #expect(try sandbox.request("POST", "/books", [token], json: "{").status == 400)
    }
  }

  @Test func `the sandbox's bookshop does not change a book if the If-Match field of the request has an old ETag`() async throws {
    try await withSandbox { sandbox in
      let token = try sandbox.login()
      let etag = try #require(try sandbox.get("/books/2").first("ETag"))
      #expect(try sandbox.get("/books/2", ["If-None-Match: \(etag)"]).status == 304)
      let patched = try sandbox.request("PATCH", "/books/2", [token, "If-Match: \(etag)"], json: #"{"price": 7.5, "isbn": null}"#)
      #expect(patched.json["price"] == 7.5)
      #expect(patched.json["title"] == "Emma")
      #expect(patched.json["isbn"] == .null)
      #expect(try sandbox.request("PATCH", "/books/2", [token, "If-Match: \(etag)"], json: #"{"price": 1}"#).status == 412)
      let replaced = try sandbox.request("PUT", "/books/2", [token], json: #"{"title": "Emma II", "price": 1}"#)
      #expect(replaced.json["author"] == .null)
      #expect(try sandbox.request("PATCH", "/books/2", [token], json: #"{"title": null}"#).status == 422)
      #expect(try sandbox.request("DELETE", "/books/2", [token, "If-Match: \"other\""]).status == 412)
      #expect(try sandbox.request("PUT", "/books/99", [token], json: "{}").status == 404)
    }
  }

  @Test func `the sandbox's bookshop stores and deletes a cover, and refuses a cover that is not an image`() async throws {
    try await withSandbox { sandbox in
      let token = try sandbox.login()
      let image = PNG.gradient(size: 8)
      #expect(try sandbox.request("PUT", "/books/1/cover", [token, "Content-Type: image/png"], body: image).status == 204)
      let cover = try sandbox.get("/books/1/cover")
      #expect(cover.body == image)
      #expect(try sandbox.get("/books/1/cover", ["If-None-Match: \(cover.first("ETag") ?? "")"]).status == 304)
      #expect(try sandbox.get("/books/1").json["cover"] == true)
      #expect(try sandbox.request("DELETE", "/books/1/cover", [token]).status == 204)
      #expect(try sandbox.get("/books/1/cover").status == 404)
      #expect(try sandbox.request("PUT", "/books/1/cover", [token], json: "{}").status == 415)
      #expect(try sandbox.request("PUT", "/books/1/cover", [token, "Content-Type: image/png"], body: []).status == 422)
      let large = [UInt8](repeating: 1, count: Bookshop.coverLimit + 1)
      #expect(try sandbox.request("PUT", "/books/1/cover", [token, "Content-Type: image/png"], body: large).status == 413)
      let form = Array("--b\r\nContent-Disposition: form-data; name=other\r\n\r\nx\r\n--b--".utf8)
      #expect(
        try sandbox.request("PUT", "/books/1/cover", [token, "Content-Type: multipart/form-data; boundary=b"], body: form).status == 422)
    }
  }

  @Test func `an order in the sandbox's bookshop reduces the stock, so that an order for too many books is refused`() async throws {
    try await withSandbox { sandbox in
      let token = try sandbox.login()
      let review = try sandbox.request("POST", "/books/1/reviews", [token], json: #"{"stars": 5, "text": "good"}"#)
      #expect(review.status == 201)
      #expect(review.first("Location") == "/books/1/reviews/1")
      #expect(try sandbox.get("/books/1/reviews/1").json["user"] == "alice")
      #expect(try sandbox.get("/books/1/reviews/2").status == 404)
      #expect(try sandbox.get("/books/1/reviews").json["average"] == 5)
      #expect(try sandbox.request("POST", "/books/1/reviews", [token], json: #"{"stars": 6}"#).status == 422)
      #expect(try sandbox.get("/stock/9780141439587").json["available"] == 3)
      #expect(try sandbox.get("/stock/1").status == 404)
      let order = try sandbox.request("POST", "/orders?polls=2", [token], json: #"{"book": 2, "quantity": 2}"#)
      #expect(order.status == 202)
      #expect(order.first("Location") == "/orders/1")
      #expect(order.json["state"] == "pending")
      #expect(try sandbox.get("/orders/1", [token]).json["state"] == "packed")
      #expect(try sandbox.get("/orders/1", [token]).json["state"] == "shipped")
      #expect(try sandbox.get("/stock/9780141439587").json["available"] == 1)
      #expect(try sandbox.request("POST", "/orders", [token], json: #"{"isbn": "9780141439587", "quantity": 2}"#).status == 409)
      #expect(try sandbox.request("POST", "/orders", [token], json: #"{"isbn": "0"}"#).status == 404)
      #expect(try sandbox.request("POST", "/orders", [token], json: #"{"isbn": "9780141439587", "quantity": 0}"#).status == 422)
      #expect(try sandbox.request("POST", "/orders", [token], json: "{}").status == 422)
      #expect(try sandbox.get("/orders/9", [token]).status == 404)
    }
  }
}
