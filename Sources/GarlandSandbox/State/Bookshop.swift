import GarlandJSON

/// The books and orders of a tenant.
struct Bookshop: Sendable {
  struct Order: Sendable {
    let id: Int
    let user: String
    let isbn: String
    let quantity: Int
    let pollsNeeded: Int
    var polls = 0

    var state: String {
      if polls >= pollsNeeded { return "shipped" }
      return polls == 0 ? "pending" : "packed"
    }

    var json: JSONValue {
      [
        "id": JSONValue(id), "state": .string(state), "isbn": .string(isbn), "quantity": JSONValue(quantity), "user": .string(user),
        "polls": JSONValue(polls),
      ]
    }
  }

  static let bookLimit = 10_000
  static let coverLimit = 8 << 20
  /// The maximum total size of all covers in bytes.
  private static let coversLimit = 256 << 20

  private(set) var books: [Int: Book] = [:]
  private(set) var orders: [Int: Order] = [:]
  private var stock: [String: Int] = [:]
  private var lastBook = 0
  private var lastOrder = 0
  private var coverBytes = 0

  /// Creates a shop with a few books.
  init() {
    let seeds: [(String, String, String, String, Int, Int)] = [
      ("Pride and Prejudice", "Jane Austen", "9780141439518", "8.99", 1813, 12),
      ("Emma", "Jane Austen", "9780141439587", "7.00", 1815, 3),
      ("Frankenstein", "Mary Shelley", "9780141439471", "6.50", 1818, 7),
      ("Moby-Dick", "Herman Melville", "9780142437247", "11.25", 1851, 0),
      ("Middlemarch", "George Eliot", "9780141439549", "12.00", 1871, 5),
      ("The Time Machine", "H. G. Wells", "9780141439976", "5.75", 1895, 21),
    ]
    for (title, author, isbn, price, year, available) in seeds {
      lastBook += 1
      books[lastBook] = Book(
        id: lastBook, title: title, author: author, isbn: isbn, price: JSONNumber(price) ?? 0, year: year, createdBy: "shop")
      stock[isbn] = available
    }
  }

  /// The books in the order in which they were added.
  var shelf: [Book] { books.values.sorted { $0.id < $1.id } }

  mutating func add(_ draft: BookDraft, by user: String) throws(Refusal) -> Book {
    if let refusal = draft.refusal { throw refusal }
    guard let title = draft.title, let price = draft.price else { throw Refusal(422, "the book needs a title and a price") }
    guard books.count < Self.bookLimit else { throw Refusal(507, "the shop has no room for more than \(Self.bookLimit) books") }
    lastBook += 1
    let book = Book(
      id: lastBook, title: title, author: draft.author, isbn: draft.isbn, price: price, year: draft.year, createdBy: user)
    books[lastBook] = book
    if let isbn = draft.isbn, stock[isbn] == nil { stock[isbn] = 1 }
    return book
  }

  func book(_ id: Int) throws(Refusal) -> Book {
    guard let book = books[id] else { throw Refusal(.problem(404, "no-such-book", "There is no book \(id)")) }
    return book
  }

  /// Replaces the attributes of a book by those of a draft. The book keeps its id, cover and reviews.
  mutating func replace(_ id: Int, with draft: BookDraft) throws(Refusal) -> Book {
    var book = try book(id)
    if let refusal = draft.refusal { throw refusal }
    guard let title = draft.title, let price = draft.price else { throw Refusal(422, "the book needs a title and a price") }
    book.title = title
    book.author = draft.author
    book.isbn = draft.isbn
    book.price = price
    book.year = draft.year
    book.revision += 1
    books[id] = book
    return book
  }

  mutating func remove(_ id: Int) throws(Refusal) {
    coverBytes -= try book(id).cover?.bytes.count ?? 0
    books[id] = nil
  }

  mutating func setCover(_ cover: Book.Cover?, of id: Int) throws(Refusal) {
    var book = try book(id)
    let others = coverBytes - (book.cover?.bytes.count ?? 0)
    guard others + (cover?.bytes.count ?? 0) <= Self.coversLimit else { throw Refusal(507, "the shop has no room for more covers") }
    coverBytes = others + (cover?.bytes.count ?? 0)
    book.cover = cover
    book.revision += 1
    books[id] = book
  }

  mutating func addReview(of id: Int, by user: String, stars: Int, text: String) throws(Refusal) -> Book.Review {
    var book = try book(id)
    guard book.reviews.count < 1_000 else { throw Refusal(507, "the book has too many reviews") }
    let review = Book.Review(id: book.reviews.count + 1, user: user, stars: stars, text: text)
    book.reviews.append(review)
    books[id] = book
    return review
  }

  func available(_ isbn: String) -> Int? { stock[isbn] }

  mutating func order(_ isbn: String, quantity: Int, by user: String, polls: Int) throws(Refusal) -> Order {
    guard let available = stock[isbn] else { throw Refusal(.problem(404, "no-such-book", "There is no book with the ISBN \(isbn)")) }
    guard available >= quantity else {
      throw Refusal(.problem(409, "out-of-stock", "There are only \(available) of \(isbn)", ["available": JSONValue(available)]))
    }
    guard orders.count < Self.bookLimit else { throw Refusal(507, "the shop accepts no more than \(Self.bookLimit) orders") }
    stock[isbn] = available - quantity
    lastOrder += 1
    let order = Order(id: lastOrder, user: user, isbn: isbn, quantity: quantity, pollsNeeded: polls)
    orders[lastOrder] = order
    return order
  }

  /// Returns the order with the given id, and counts this call as a poll of the order. After enough polls, the order is complete.
  mutating func poll(_ id: Int) throws(Refusal) -> Order {
    orders[id]?.polls += 1
    guard let order = orders[id] else { throw Refusal(.problem(404, "no-such-order", "There is no order \(id)")) }
    return order
  }
}
