import FoundationEssentials
import GarlandNetworking
import GarlandText
import Testing

/// Tests values of `Encodable` types as `key=value`, with the texts that Alamofire's tests expect.
/// `Tests/Fixtures/alamofire-cases.txt` lists these cases.
@Suite struct FormCasesTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: @Sendable () throws -> String
    let expected: String

    init(_ name: String, _ value: some Encodable & Sendable, _ encoding: URLEncodedParameters = URLEncodedParameters(), _ expected: String)
    {
      testDescription = name
      text = { try FormCasesTests.form(value, encoding) }
      self.expected = expected
    }
  }

  static func form(_ value: some Encodable, _ encoding: URLEncodedParameters) throws -> String {
    var encoder = StructuredEncoder()
    encoder.keepsNils = encoding.keepsNils
    return try encoding.encode(try encoder.encode(value))
  }

  @Test(arguments: [
    Case("Int8", ["a": 1 as Int8], "a=1"), Case("Int16", ["a": 1 as Int16], "a=1"), Case("Int32", ["a": 1 as Int32], "a=1"),
    Case("Int64", ["a": 1 as Int64], "a=1"), Case("UInt", ["a": 1 as UInt], "a=1"), Case("UInt8", ["a": 1 as UInt8], "a=1"),
    Case("UInt16", ["a": 1 as UInt16], "a=1"), Case("UInt32", ["a": 1 as UInt32], "a=1"), Case("UInt64", ["a": 1 as UInt64], "a=1"),
    Case("String", ["a": "a"], "a=a"), Case("Double", ["a": 1.0], "a=1.0"), Case("Float", ["a": 1.0 as Float], "a=1.0"),
    Case("Decimal", ["a": 1.0 as Decimal], "a=1"), Case("precise Decimal", ["a": 1.123456 as Decimal], "a=1.123456"),
    Case("Bool", ["a": true], "a=1"), Case("literal Bool", ["bool": true], URLEncodedParameters(booleans: .literal), "bool=true"),
    Case("Data", ["data": Data("data".utf8)], "data=ZGF0YQ%3D%3D"),
    Case("nothing", [String: String](), ""),
  ])
  func `a value of each supported Swift type is written correctly in a URL-encoded form`(_ test: Case) throws {
    #expect(try test.text() == test.expected)
  }

  @Test(arguments: [
    Case("dictionary", ["a": ["b": "b"]], "a%5Bb%5D=b"),
    Case("struct", Everything(), "five%5Ba%5D=a&\(four)&one=one&seven%5Ba%5D=a&six%5Ba%5D%5Bb%5D=b&three=1&two=2"),
    Case(
      "struct in the order of its properties", Everything(), URLEncodedParameters(sortsKeys: false),
      "one=one&two=2&three=1&\(four)&five%5Ba%5D=a&six%5Ba%5D%5Bb%5D=b&seven%5Ba%5D=a"),
    Case(
      "subclass in the order of its properties", Subclass(), URLEncodedParameters(sortsKeys: false),
      "one=one&two=2&three=1&\(four)&five%5Ba%5D=a&five%5Bb%5D=b"),
    Case("class", Superclass(), "one=one&three=1&two=2"),
    Case("subclass", Subclass(), "five%5Ba%5D=a&five%5Bb%5D=b&\(four)&one=one&three=1&two=2"),
    Case(
      "list of classes by index", ["foo": [Superclass()]], indexed,
      "foo%5B0%5D%5Bone%5D=one&foo%5B0%5D%5Bthree%5D=1&foo%5B0%5D%5Btwo%5D=2"),
    Case(
      "subclass by index", Subclass(), indexed,
      "five%5Ba%5D=a&five%5Bb%5D=b&four%5B0%5D=1&four%5B1%5D=2&four%5B2%5D=3&one=one&three=1&two=2"),
    Case(
      "struct by index", Everything(), indexed,
      "five%5Ba%5D=a&four%5B0%5D=1&four%5B1%5D=2&four%5B2%5D=3&one=one&seven%5Ba%5D=a&six%5Ba%5D%5Bb%5D=b&three=1&two=2"),
    Case(
      "objects in a list by index", ["foo": [["bar": 2], ["qux": 3], ["quy": 4]]], indexed,
      "foo%5B0%5D%5Bbar%5D=2&foo%5B1%5D%5Bqux%5D=3&foo%5B2%5D%5Bquy%5D=4"),
    Case("texts in a list by index", ["foo": [["bar": "a"], ["qux": "b"]]], indexed, "foo%5B0%5D%5Bbar%5D=a&foo%5B1%5D%5Bqux%5D=b"),
    Case(
      "Booleans in a list by index", ["foo": [["bar": true], ["qux": false]]], indexed, "foo%5B0%5D%5Bbar%5D=1&foo%5B1%5D%5Bqux%5D=0"),
    Case("list without brackets", ["array": [1, 2]], URLEncodedParameters(arrays: .noBrackets), "array=1&array=2"),
  ])
  func `a nested form value is written with brackets in its key`(_ test: Case) throws {
    #expect(try test.text() == test.expected)
  }

  @Test(arguments: [
    Case("value, by default", Self.none, ""), Case("property, by default", Partial(), "one=one"),
    Case("value, omitted", Self.none, URLEncodedParameters(nulls: .dropKey), ""),
    Case("property, omitted", Partial(), URLEncodedParameters(nulls: .dropKey), "one=one"),
    Case("value, as null", Self.none, URLEncodedParameters(nulls: .nullAsString), "a=null"),
    Case("property, as null", Partial(), URLEncodedParameters(nulls: .nullAsString), "one=one&two=null"),
    Case("value, empty", Self.none, URLEncodedParameters(nulls: .dropValue), "a="),
    Case("property, empty", Partial(), URLEncodedParameters(nulls: .dropValue), "one=one&two="),
  ])
  func `the option for nulls decides whether a form omits nil, writes it as null or leaves it empty`(_ test: Case)
    throws
  {
    #expect(try test.text() == test.expected)
  }

  @Test(arguments: [
    Case("value", Self.none, URLEncodedParameters(nulls: .text("no value")), "a=no%20value"),
    Case("property", Partial(), URLEncodedParameters(nulls: .text("nil")), "one=one&two=nil"),
  ])
  func `if the caller sets a text for null, the form contains this text for each nil value or property`(_ test: Case) throws {
    #expect(try test.text() == test.expected)
  }

  @Test func `if a type encodes two lists for the same key, the form begins with the items of the first list`() throws {
    let expected = "root%5B0%5D%5B0%5D=1&root%5B0%5D%5B1%5D=2"
    #expect(try Self.form(Nested(), Self.indexed).hasPrefix(expected))
  }

  @Test func `if a type encodes an object and then a list for the same key, the form contains only the list`() throws {
    struct Mixed: Encodable {
      enum CodingKeys: CodingKey { case root, a }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        var object = container.nestedContainer(keyedBy: CodingKeys.self, forKey: .root)
        try object.encode("a", forKey: .a)
        var list = container.nestedUnkeyedContainer(forKey: .root)
        try list.encode(1)
      }
    }
    #expect(try Self.form(Mixed(), Self.indexed) == "root%5B0%5D=1")
  }

  @Test(arguments: [
    Case("deferred", Self.moment, "date=123.456"),
    Case("seconds", Self.moment, URLEncodedParameters(dates: .secondsSince1970), "date=978307323.456"),
    Case("milliseconds", Self.moment, URLEncodedParameters(dates: .millisecondsSince1970), "date=978307323456.0"),
    Case("ISO 8601", Self.moment, URLEncodedParameters(dates: .iso8601), "date=2001-01-01T00%3A02%3A03Z"),
    Case("closure", Self.moment, URLEncodedParameters(dates: .formatted { "\($0.timeIntervalSinceReferenceDate)" }), "date=123.456"),
  ])
  func `a date in a form can be written in each date format of Alamofire`(_ test: Case) throws {
    #expect(try test.text() == test.expected)
  }

  @Test func `if the encoding of a date or of binary data throws an error, the encoding of the form throws the same error`() {
    struct Odd: Error {}
    let failed = ParameterEncodingError.failed(.init(Odd()))
    #expect(throws: failed) { try Self.form(Self.moment, URLEncodedParameters(dates: .formatted { _ in throw Odd() })) }
    #expect(throws: failed) { try Self.form(["d": Data("d".utf8)], URLEncodedParameters(data: .custom { _ in throw Odd() })) }
  }

  @Test(arguments: [
    Case("snake case", ["oneTwoThree": "oneTwoThree"], URLEncodedParameters(keys: .snakeCase), "one_two_three=oneTwoThree"),
    Case("kebab case", ["oneTwoThree": "oneTwoThree"], URLEncodedParameters(keys: .kebabCase), "one-two-three=oneTwoThree"),
    Case("capitalized", ["oneTwoThree": "oneTwoThree"], URLEncodedParameters(keys: .capitalized), "OneTwoThree=oneTwoThree"),
    Case("lower case", ["oneTwoThree": "oneTwoThree"], URLEncodedParameters(keys: .lowercased), "onetwothree=oneTwoThree"),
    Case("upper case", ["oneTwoThree": "oneTwoThree"], URLEncodedParameters(keys: .uppercased), "ONETWOTHREE=oneTwoThree"),
    Case("closure", ["oneTwoThree": "oneTwoThree"], URLEncodedParameters(keys: .custom { _ in "A" }), "A=oneTwoThree"),
  ])
  func `the keys of a form can be converted with each key encoding of Alamofire`(_ test: Case) throws {
    #expect(try test.text() == test.expected)
  }

  @Test(arguments: [
    Case(
      "letters", ["l": "abcdefghijklmnopqrstuvwxyz", "u": "ABCDEFGHIJKLMNOPQRSTUVWXYZ"],
      "l=abcdefghijklmnopqrstuvwxyz&u=ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    Case("digits", ["numbers": "0123456789"], "numbers=0123456789"),
    Case("reserved", ["reserved": ":#[]@!$&'()*+,;="], "reserved=%3A%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D"),
    Case("question mark and slash", ["reserved": "?/"], "reserved=?/"),
    Case("illegal", ["illegal": " \"#%<>[]\\^`{}|"], "illegal=%20%22%23%25%3C%3E%5B%5D%5C%5E%60%7B%7D%7C"),
    Case("ampersands", ["foo&bar": "baz&qux", "foobar": "bazqux"], "foo%26bar=baz%26qux&foobar=bazqux"),
    Case("question marks", ["?foo?": "?bar?"], "?foo?=?bar?"), Case("slashes", ["foo": "/bar/baz/qux"], "foo=/bar/baz/qux"),
    Case("spaces", [" foo ": " bar "], "%20foo%20=%20bar%20"), Case("pluses", ["+foo+": "+bar+"], "%2Bfoo%2B=%2Bbar%2B"),
    Case("spaces as pluses", ["spaces": "replace with spaces"], URLEncodedParameters(spaces: .plusReplaced), "spaces=replace+with+spaces"),
    Case("percents", ["percent%": "%25"], "percent%25=%2525"),
    Case(
      "other scripts", ["french": "français", "japanese": "日本語", "arabic": "العربية", "emoji": "😃"],
      "arabic=%D8%A7%D9%84%D8%B9%D8%B1%D8%A8%D9%8A%D8%A9&emoji=%F0%9F%98%83&french=fran%C3%A7ais&japanese=%E6%97%A5%E6%9C%AC%E8%AA%9E"),
    Case(
      "20,000 Chinese characters", ["chinese": String(repeating: "一二三四五六七八九十", count: 2000)],
      "chinese="
        + String(repeating: "%E4%B8%80%E4%BA%8C%E4%B8%89%E5%9B%9B%E4%BA%94%E5%85%AD%E4%B8%83%E5%85%AB%E4%B9%9D%E5%8D%81", count: 2000)),
    Case(
      "chosen characters", ["allowed": "?/"],
      URLEncodedParameters(allowedBytes: PercentEncoding.unreserved), "allowed=%3F%2F"),
  ])
  func `form keys and values are percent-encoded as defined in RFC 3986`(_ test: Case) throws {
    #expect(try test.text() == test.expected)
  }

  @Test func `a list or a single value can't be encoded as a form`() {
    #expect(throws: ParameterEncodingError.notAnObject) { try Self.form([1], URLEncodedParameters()) }
    #expect(throws: ParameterEncodingError.notAnObject) { try Self.form("string", URLEncodedParameters()) }
  }

  // MARK: Values

  static let indexed = URLEncodedParameters(arrays: .indexInBrackets)
  static let four = "four%5B%5D=1&four%5B%5D=2&four%5B%5D=3"
  static let none: [String: String?] = ["a": nil]
  static let moment = ["date": Date(timeIntervalSinceReferenceDate: 123.456)]

  struct Everything: Encodable, Sendable {
    struct Inner: Encodable { let a = "a" }
    let one = "one"
    let two = 2
    let three = true
    let four = [1, 2, 3]
    let five = ["a": "a"]
    let six = ["a": ["b": "b"]]
    let seven = Inner()
  }

  struct Partial: Encodable, Sendable {
    let one = "one"
    let two: String? = nil
  }

  class Superclass: Encodable, @unchecked Sendable {
    let one = "one"
    let two = 2
    let three = true
  }

  final class Subclass: Superclass, @unchecked Sendable {
    let four = [1, 2, 3]
    let five = ["a": "a", "b": "b"]
    private enum CodingKeys: CodingKey { case four, five }

    override func encode(to encoder: any Encoder) throws {
      try super.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(four, forKey: .four)
      try container.encode(five, forKey: .five)
    }
  }

  struct Nested: Encodable {
    private enum CodingKeys: CodingKey { case root }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      var list = container.nestedUnkeyedContainer(forKey: .root)
      try list.encode([1, 2])
      var again = container.nestedUnkeyedContainer(forKey: .root)
      try again.encode("string")
    }
  }
}

extension FormCasesTests.Case {
  init(_ name: String, _ value: some Encodable & Sendable, _ expected: String) { self.init(name, value, URLEncodedParameters(), expected) }
}
