import GarlandJSON
import Testing

@Suite("Extraction of values from JSON bytes")
struct JSONExtractorTests {
  private let bytes = Array(#"{"a":{"b":[10,20,{"c":"x\n"}],"\u0064":null},"e":[[1,2],[3]],"long name of a member":true}"#.utf8)

  @Test(
    "a single path extracts the value at that path",
    arguments: [
      (["a", "b", 0], 10), (["a", "b", -1, "c"], "x\n"), (["a", "d"], .null), (["e", 1], [3]), (["e", 1, 0], 3), (["e", -2, 1], 2),
      (["long name of a member"], true), (["a", "b"], [10, 20, ["c": "x\n"]]),
    ] as [([JSONPathElement], JSONValue)])
  func found(path: [JSONPathElement], value: JSONValue) throws {
    #expect(try JSONBytes(bytes).value(at: path) == value)
  }

  @Test(
    "a path that does not fit the types or names in the text finds no value",
    arguments: [["x"], ["a", 0], ["a", "b", 3], ["a", "b", -4], ["a", "b", "c"], ["e", 0, 0, 0], ["long name"], [0]] as [[JSONPathElement]])
  func missing(path: [JSONPathElement]) throws {
    #expect(try JSONBytes(bytes).value(at: path) == nil)
  }

  @Test("several paths are extracted in one pass, even if one leads through the value of another")
  func several() throws {
    let extractor = JSONExtractor(paths: [["a", "b", 1], ["a"], ["e", -1, 0], ["e", 0], ["a", "b", 1], [], ["none"]])
    let whole = try JSONValue(parsing: bytes)
    #expect(try extractor.values(in: bytes) == [20, whole["a"], 3, [1, 2], 20, whole, nil])
  }

  @Test("a syntax error anywhere in the text is reported, even after the extracted value")
  func mistakes() {
    #expect(throws: JSONParsingError.self) { try JSONBytes(Array(#"{"a":1,"b":[1,,]}"#.utf8)).value(at: ["a"]) }
    #expect(throws: JSONParsingError.self) { try JSONBytes(Array(#"{"a":1} x"#.utf8)).value(at: ["a"]) }
    #expect(throws: JSONParsingError.self) { try JSONBytes([]).value(at: ["a"]) }
  }
}
