import GarlandJSON
import Testing

@Suite("Differences of two JSON values")
struct JSONDifferenceTests {
  @Test(
    "an exact comparison reports each difference with its location",
    arguments: [
      (#"{"a":1}"#, #"{"a":1.0}"#, []), ("[1,2,3]", "[1,2,3]", []), ("1", "2", ["$: expected 1, found 2"]),
      ("7", "\"7\"", [#"$: expected the number 7, found the string "7""#]),
      (#"{"a":{"b":[1,{"c":null}]}}"#, #"{"a":{"b":[1,{"c":false}]}}"#, ["$['a']['b'][1]['c']: expected null, found false"]),
      (#"{"a":1,"b":2}"#, #"{"b":2,"c":3}"#, ["$['a']: expected 1, which is missing", "$['c']: 3 was not expected"]),
      (#"["a","b","c"]"#, #"["a","c"]"#, [#"$[1]: expected "b", which is missing"#]),
      (#"["a","c"]"#, #"["a","b","c"]"#, [#"$[1]: "b" was not expected"#]),
      ("[1,2,3,4,5]", "[0,1,2,9,4,5,6]", ["$[0]: 0 was not expected", "$[3]: expected 3, found 9", "$[6]: 6 was not expected"]),
      (#"[{"id":1,"n":"x"},{"id":2,"n":"y"}]"#, #"[{"id":1,"n":"z"},{"id":2,"n":"y"}]"#, [#"$[0]['n']: expected "x", found "z""#]),
      ("[]", "{}", ["$: expected [], found {}"]),
    ] as [(String, String, [String])])
  func exact(expected: String, actual: String, differences: [String]) throws {
    let (expected, actual) = (try json(expected), try json(actual))
    #expect(JSONDifference.between(expected: expected, actual: actual).map(\.description) == differences)
    #expect(JSONDifference.isMatch(expected: expected, actual: actual) == differences.isEmpty)
  }

  @Test(
    "a subset comparison ignores additional members, but not additional elements",
    arguments: [
      (#"{"a":{"b":1}}"#, #"{"a":{"b":1,"c":2},"d":3}"#, []), (#"[{"a":1}]"#, #"[{"a":1,"b":2}]"#, []), ("{}", #"{"a":1}"#, []),
      (#"{"a":1}"#, "{}", ["$['a']: expected 1, which is missing"]),
      ("[1]", "[1,2]", ["$[1]: 2 was not expected"]), (#"{"a":[]}"#, #"{"a":{}}"#, ["$['a']: expected [], found {}"]),
    ] as [(String, String, [String])])
  func subset(expected: String, actual: String, differences: [String]) throws {
    let (expected, actual) = (try json(expected), try json(actual))
    #expect(JSONDifference.between(expected: expected, actual: actual, mode: .subset).map(\.description) == differences)
    #expect(JSONDifference.isMatch(expected: expected, actual: actual, mode: .subset) == differences.isEmpty)
  }

  @Test("the number of reported differences can be limited, and long values are shortened")
  func limits() {
    let many = JSONValue.array((0..<1000).map { JSONValue($0) })
    let others = JSONValue.array((0..<1000).map { JSONValue($0 + 5000) })
    #expect(JSONDifference.between(expected: many, actual: others, limit: 3).count == 3)
    #expect(JSONDifference.between(expected: many, actual: others).count == 1000)
    let long = JSONDifference.between(expected: .string(String(repeating: "x", count: 500)), actual: 1)
    #expect((long.first?.description.utf8.count ?? 0) < 150)
  }

  @Test("values nested 4,000 levels deep are compared", arguments: [JSONDifference.Mode.exact, .subset])
  func depth(mode: JSONDifference.Mode) {
    var (expected, actual): (JSONValue, JSONValue) = (1, 2)
    for _ in 0..<4000 { (expected, actual) = ([expected], [actual]) }
    #expect(JSONDifference.between(expected: expected, actual: actual, mode: mode).count == 1)
    #expect(JSONDifference.between(expected: expected, actual: expected, mode: mode).isEmpty)
  }

  @Test("random values have differences if and only if they are not equal", arguments: 0..<200 as Range<UInt64>)
  func random(seed: UInt64) {
    var random = RandomJSON(seed: seed)
    let value = random.value()
    let other = random.value()
    #expect(JSONDifference.between(expected: value, actual: value).isEmpty)
    #expect(JSONDifference.between(expected: value, actual: other).isEmpty == (value == other))
    #expect(JSONDifference.between(expected: value, actual: value, mode: .subset).isEmpty)
  }
}
