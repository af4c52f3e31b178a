import FoundationEssentials
import GarlandJSON
import GarlandNetworking
import Testing

@Suite struct ValueDecoderTests {
  private func decode<Value: Decodable>(_ type: Value.Type, _ text: String, _ decoder: ValueDecoder = ValueDecoder()) throws -> Value {
    try decoder.decode(type, from: JSONValue(parsing: text))
  }

  @Test func `the JSON decoder refuses a number that the target type cannot hold exactly`() throws {
    #expect(try decode(UInt64.self, "18446744073709551615") == .max)
    #expect(try decode(Int.self, "1.0") == 1)
    #expect(try decode(Int8.self, "1e2") == 100)
    #expect(try decode(Decimal.self, "0.1") == Decimal(string: "0.1"))
    #expect(try decode(Float.self, "0.1") == 0.1)
    #expect(try decode([Double].self, "[1, 2.5]") == [1, 2.5])
    for (text, message) in [
      ("128", "128 is no Int8"), ("1.5", "1.5 is no Int8"), ("\"1\"", "expected an integer, found a string"),
      ("null", "expected an integer, found null"), ("true", "expected an integer, found a boolean"),
    ] {
      #expect(throws: NetworkingError.Serialization.decoding(path: "", detail: message)) { try decode(Int8.self, text) }
    }
    #expect(throws: NetworkingError.Serialization.self) { try decode(Double.self, "1e999") }
  }

  struct Order: Decodable, Equatable {
    struct Item: Decodable, Equatable {
      var name: String
      var count: Int?
    }
    var orderID: Int
    var items: [Item]
  }

  @Test func `a decoding error contains the path of the invalid value`() throws {
    #expect(throws: NetworkingError.Serialization.decoding(path: "items[1].name", detail: "expected a string, found a number")) {
      try decode(Order.self, #"{"orderID":1,"items":[{"name":"a"},{"name":5}]}"#)
    }
    #expect(throws: NetworkingError.Serialization.decoding(path: "items[0]", detail: "there is no member \"name\"")) {
      try decode(Order.self, #"{"orderID":1,"items":[{}]}"#)
    }
    #expect(throws: NetworkingError.Serialization.decoding(path: "items", detail: "expected a list, found an object")) {
      try decode(Order.self, #"{"orderID":1,"items":{}}"#)
    }
    #expect(throws: NetworkingError.Serialization.decoding(path: "", detail: "expected an object, found a list")) {
      try decode(Order.self, "[]")
    }
  }

  @Test func `the JSON decoder can convert keys from snake case or with a custom function`() throws {
    struct Snake: Decodable, Equatable {
      var firstName: String
      var _privateThing: Int
      var plain: Bool
    }
    let text = #"{"first_name":"Ada","_private_thing":1,"plain":true}"#
    #expect(try decode(Snake.self, text, ValueDecoder(keys: .snakeCase)) == Snake(firstName: "Ada", _privateThing: 1, plain: true))
    struct Upper: Decodable { var a: Int }
    #expect(try decode(Upper.self, #"{"A":1}"#, ValueDecoder(keys: .custom { $0.lowercased() })).a == 1)
  }

  @Test(
    arguments: [
      (.deferred, "0", 978_307_200), (.secondsSince1970, "1.5", 1.5), (.millisecondsSince1970, "1500", 1.5),
      (.iso8601, "\"1970-01-01T01:00:01.25+01:00\"", 1.25), (.formatted { _ in Date(timeIntervalSince1970: 7) }, "\"x\"", 7),
    ] as [(ValueDecoder.Dates, String, Double)])
  func `the JSON decoder reads a date in the format that the caller chooses`(
    _ dates: ValueDecoder.Dates, _ text: String, _ expected: Double
  ) throws {
    #expect(try decode(Date.self, text, ValueDecoder(dates: dates)).timeIntervalSince1970 == expected)
  }

  @Test(arguments: ["\"1970-02-30T00:00:00Z\"", "\"1970-01-01\"", "\"1970-01-01T24:00:00Z\"", "\"1970-01-01T00:00:00\"", "5", "\"\""])
  func `the JSON decoder refuses a date that does not have the format of RFC 3339`(_ text: String) {
    #expect(throws: NetworkingError.Serialization.self) { try decode(Date.self, text, ValueDecoder(dates: .iso8601)) }
  }

  @Test func `the JSON decoder reads binary data in the format that the caller chooses`() throws {
    #expect(try decode(Data.self, "\"AQL/\"") == Data([1, 2, 255]))
    #expect(try decode(Data.self, "[1,2]", ValueDecoder(data: .deferred)) == Data([1, 2]))
    #expect(try decode(Data.self, "\"ab\"", ValueDecoder(data: .custom { Array($0.utf8) })) == Data("ab".utf8))
    #expect(try decode(URL.self, "\"http://h/p\"").absoluteString == "http://h/p")
    #expect(try decode(StructuredValue.self, #"{"b":1,"a":null}"#) == ["b": 1, "a": .null])
    #expect(throws: NetworkingError.Serialization.self) { try decode(Data.self, "\"*\"") }
  }

  @Test func `a JSON value keeps its digits and order through decoding and encoding`() throws {
    struct Loose: Codable, Equatable {
      var id: Int
      var extra: JSONValue
    }
    let text = #"{"id":1,"extra":{"z":[1.50,12345678901234567890],"a":null}}"#
    let loose = try decode(Loose.self, text)
    #expect(loose.extra.jsonText() == #"{"z":[1.50,12345678901234567890],"a":null}"#)
    #expect(try StructuredEncoder().encode(loose).json().jsonText() == text)
    #expect(try decode(JSONValue.self, "[5]") == [5])
  }

  @Test func `the JSON decoder decodes dictionaries, and enums whose cases have associated values`() throws {
    enum Shape: Decodable, Equatable {
      case circle(radius: Int)
      case none
    }
    #expect(try decode([Shape].self, #"[{"circle":{"radius":2}},{"none":{}}]"#) == [.circle(radius: 2), .none])
    #expect(try decode([String: [Int?]].self, #"{"a":[1,null]}"#) == ["a": [1, nil]])
    #expect(try decode([Int: String].self, #"{"1":"a"}"#) == [1: "a"])
  }
}
