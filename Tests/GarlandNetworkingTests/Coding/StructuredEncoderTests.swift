import FoundationEssentials
import GarlandJSON
import GarlandNetworking
import HTTPTypes
import Testing

@Suite struct StructuredEncoderTests {
  struct Book: Codable, Equatable {
    enum Shelf: String, Codable { case top, low }
    struct Author: Codable, Equatable { var firstName: String }
    var title: String
    var price: Double
    var count: UInt64
    var ratio: Float
    var tags: [String?]
    var author: Author
    var shelf: Shelf
    var note: String?
    var matrix: [[Int]]
    var byName: [String: Int]
    var isGood: Bool
  }

  let book = Book(
    title: "Dune", price: 9.5, count: .max, ratio: 0.1, tags: ["a", nil], author: .init(firstName: "Frank"), shelf: .top, note: nil,
    matrix: [[1, 2], []], byName: ["z": 1, "a": 2], isGood: true)

  @Test func `an encoded Swift value keeps the order of its members and all digits of its numbers`() throws {
    let tree = try StructuredEncoder().encode(book)
    #expect(
      tree.json().jsonText()
        == #"{"title":"Dune","price":9.5,"count":18446744073709551615,"ratio":0.1,"tags":["a",null],"author":{"firstName":"Frank"},"#
        + #""shelf":"top","matrix":[[1,2],[]],"byName":{"a":2,"z":1},"isGood":true}"#)
  }

  @Test func `a Swift struct is unchanged after StructuredEncoder has encoded it and ValueDecoder has decoded it`() throws {
    let tree = try StructuredEncoder().encode(book)
    #expect(try ValueDecoder().decode(Book.self, from: tree) == book)
    #expect(try ValueDecoder().decode(Book.self, from: tree.json()) == book)
  }

  @Test func `the parameter encoder keeps the types of dates, data, URLs, decimals and JSON values`() throws {
    struct Special: Encodable {
      var date = Date(timeIntervalSince1970: 1.5)
      var data = Data([1, 2, 255])
      var url = URL(string: "http://h/p")
      var decimal = Decimal(string: "1.10")
      var json: JSONValue = ["b": 1, "a": 2]
      enum CodingKeys: CodingKey { case date, data, url, decimal, json }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(date, forKey: .date)
        try container.encode(data, forKey: .data)
        try container.encode(url, forKey: .url)
        try container.encode(decimal, forKey: .decimal)
        try container.encode(StructuredValue(json), forKey: .json)
      }
    }
    let tree = try StructuredEncoder().encode(Special())
    #expect(tree["date"] == .date(Date(timeIntervalSince1970: 1.5)))
    #expect(tree["data"] == .data([1, 2, 255]))
    #expect(tree["url"] == "http://h/p")
    #expect(tree["decimal"] == .number(JSONNumber("1.1") ?? 0))
    #expect(tree["json"]?.json().jsonText() == #"{"b":1,"a":2}"#)
  }

  @Test func `the parameter encoder throws an error if a number is infinite or if a value fails to encode itself`() {
    #expect(throws: ParameterEncodingError.notFinite(path: "a.b[1]")) {
      try StructuredEncoder().encode(["a": ["b": [0.0, Double.infinity]]])
    }
    struct Odd: Encodable, Error {
      func encode(to encoder: any Encoder) throws { throw self }
    }
    #expect(throws: ParameterEncodingError.failed(.init(Odd()))) { try StructuredEncoder().encode([Odd()]) }
  }

  @Test func `the parameter encoder can encode a single value, an empty value and an object of a subclass`() throws {
    class Base: Encodable {
      var a = 1
    }
    final class Derived: Base {
      var b = 2
      enum Keys: CodingKey { case b }
      override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(b, forKey: .b)
        try super.encode(to: container.superEncoder())
      }
    }
    #expect(try StructuredEncoder().encode(Derived()).json().jsonText() == #"{"b":2,"super":{"a":1}}"#)
    #expect(try StructuredEncoder().encode(5) == 5)
    #expect(try StructuredEncoder().encode([String]()) == [])
    struct Nothing: Encodable {}
    #expect(try StructuredEncoder().encode(Nothing()) == [:])
    #expect(try StructuredEncoder().encode(Optional<Int>.none) == .null)
  }

  // MARK: Parameters

  @Test(
    arguments: [
      (.deferred, "d=-978307198.5"), (.secondsSince1970, "d=1.5"), (.millisecondsSince1970, "d=1500.0"),
      (.iso8601, "d=1970-01-01T00%3A00%3A01Z"),
      (.formatted { "on \($0.timeIntervalSince1970)" }, "d=on%201.5"),
    ] as [(DateEncoding, String)])
  func `URL-encoded parameters contain a date in the format that the caller chooses`(_ dates: DateEncoding, _ expected: String) throws {
    let value: StructuredValue = ["d": .date(Date(timeIntervalSince1970: 1.5))]
    #expect(try URLEncodedParameters(dates: dates).encode(value) == expected)
  }

  @Test(
    arguments: [(.base64, "d=AQL/"), (.deferred, "d%5B%5D=1&d%5B%5D=2&d%5B%5D=255"), (.custom { "\($0.count) bytes" }, "d=3%20bytes")]
      as [(DataEncoding, String)])
  func `URL-encoded parameters contain binary data in the format that the caller chooses`(_ data: DataEncoding, _ expected: String) throws {
    #expect(try URLEncodedParameters(data: data).encode(["d": .data([1, 2, 255])] as StructuredValue) == expected)
  }

  /// The examples are those of the documentation, with values of Swift types.
  @Test func `the parameter examples of Alamofire's documentation are encoded as the documentation states`() throws {
    func text(_ value: some Encodable) throws -> String { try URLEncodedParameters().encode(StructuredEncoder().encode(value)) }
    struct Mixed: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode("a")
        try container.encode(1)
        try container.encode(true)
      }
    }
    #expect(try text(["foo": Mixed()]) == "foo%5B%5D=a&foo%5B%5D=1&foo%5B%5D=1")
    #expect(try text(["foo": ["bar": ["baz": 1]]]) == "foo%5Bbar%5D%5Bbaz%5D=1")
    #expect(try text([" foo ": " bar "]) == "%20foo%20=%20bar%20")
    #expect(try text(["percent": "%25"]) == "percent=%2525")
    #expect(try text(["foo": 1, "bar": 2]) == "bar=2&foo=1")
    #expect(try text(["double": 1.0]) == "double=1.0")
  }

  @Test func `a parameter encoding sets the content type only if the request has none`() throws {
    let value: StructuredValue = ["b": 1, "a": .date(Date(timeIntervalSince1970: 0)), "c": .data([1])]
    var json = TransferRequest(url: "http://h/", method: .post)
    try JSONParameters(dates: .secondsSince1970).encode(value, into: &json)
    #expect(json.headerFields[.contentType] == "application/json")
    #expect(body(json) == #"{"b":1,"a":0.0,"c":"AQ=="}"#)
    var list = TransferRequest(url: "http://h/", method: .post)
    try PropertyListParameters().encode(value, into: &list)
    #expect(list.headerFields[.contentType] == "application/x-plist")
    #expect(body(list).contains("<key>a</key>\n\t<date>1970-01-01T00:00:00Z</date>\n\t<key>b</key>"))
    #expect(body(list).contains("<data>AQ==</data>"))
    for encoding in [JSONParameters(), PropertyListParameters(), URLEncodedParameters()] as [any ParameterEncoding] {
      var request = TransferRequest(url: "http://h/", method: .post, headerFields: [.contentType: "x/own"])
      try encoding.encode(value, into: &request)
      #expect(request.headerFields[values: .contentType] == ["x/own"])
    }
  }

  private func body(_ request: TransferRequest) -> String {
    guard case .bytes(let bytes) = request.body else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }
}
