import GarlandJSON

/// A book as described by a client, with all mistakes in the description.
struct BookDraft {
  private(set) var title: String?
  private(set) var author: String?
  private(set) var isbn: String?
  private(set) var price: JSONNumber?
  private(set) var year: Int?
  private(set) var problems: [(member: String, reason: String)] = []

  private static let longestText = 10_000

  init(_ object: JSONObject) {
    title = text(object, "title", isRequired: true)
    author = text(object, "author", isRequired: false)
    isbn = text(object, "isbn", isRequired: false)
    if let isbn, ![10, 13].contains(isbn.filter { $0 != "-" }.count) || !isbn.allSatisfy({ $0.isNumber || $0 == "-" || $0 == "X" }) {
      problems.append(("isbn", "has to have 10 or 13 digits"))
    }
    switch object["price"] {
    case .number(let number)? where number.isNegative: problems.append(("price", "must not be negative"))
    case .number(let number)?: price = number
    case nil, .null?: problems.append(("price", "is missing"))
    default: problems.append(("price", "has to be a number"))
    }
    switch object["year"] {
    case nil, .null?: break
    case let value?:
      year = value.intValue
      if year == nil { problems.append(("year", "has to be a whole number")) }
    }
  }

  /// The response to a request whose description of a book is invalid; nil if the description is valid. The response is a problem document
  /// (RFC 9457) that lists each invalid member.
  var refusal: Refusal? {
    guard !problems.isEmpty else { return nil }
    return Refusal(
      .problem(
        422, "invalid-book", "The book is not valid",
        ["errors": .array(problems.map { ["member": .string($0.member), "reason": .string($0.reason)] })]))
  }

  private mutating func text(_ object: JSONObject, _ name: String, isRequired: Bool) -> String? {
    switch object[name] {
    case nil, .null?:
      if isRequired { problems.append((name, "is missing")) }
    case .string(let text)?:
      if text.utf8.isEmpty {
        problems.append((name, "must not be empty"))
      } else if text.utf8.count > Self.longestText {
        problems.append((name, "is too long"))
      } else {
        return text
      }
    default: problems.append((name, "has to be a string"))
    }
    return nil
  }
}

extension SandboxResponse {
  /// Returns a response with a problem document (RFC 9457).
  static func problem(_ status: Int, _ type: String, _ title: String, _ members: JSONObject = [:]) -> SandboxResponse {
    var object: JSONObject = ["type": .string("/problems/\(type)"), "title": .string(title), "status": JSONValue(status)]
    for (name, value) in members { object[name] = value }
    var response = SandboxResponse.json(.object(object), status: status)
    response.headers = [HeaderField("Content-Type", "application/problem+json")]
    return response
  }
}
