import TestSupport
import Testing

@testable import GarlandJSON

/// Tests of reading parts of a JSON text that arrives in pieces.
@Suite struct JSONPartReaderTests {
  /// Reads a text in pieces of `size` bytes. Returns the found values, and whether the text was complete or had a mistake.
  private static func read(
    _ text: String, pieces size: Int, _ parts: [JSONPartReader.Part]
  ) -> (found: [(part: Int, value: JSONValue)], isComplete: Bool, isInvalid: Bool) {
    var reader = JSONPartReader(parts)
    let bytes = Array(text.utf8)
    let found = stride(from: 0, to: bytes.count, by: size).flatMap { start in
      reader.read(Array(bytes[start..<min(start + size, bytes.count)]))
    }
    return (found, reader.isAtEnd, reader.isInvalid)
  }

  private static let report = #"""
    {"format": "f", "other": [{"results": [{"id": 0}]}, "}]\"{"], "run": {"seconds": 1.5, "load": {"seconds": 2}, "id": "r"},
    "results": [{"id": "a\"b", "body": {"text": "[{\\"}, "earlier": [{"seconds": 1, "id": 2}, {}]}, 7, [{"id": 1}],
     {"\u0069d": [1, {"a": null}], "earlier": 3} ] }

    """#

  @Test(arguments: [1, 2, 3, 5, 64, 10_000])
  func `the incremental JSON reader finds the requested members, whatever the size of the pieces of the JSON text`(size: Int)
    throws
  {
    let (found, isComplete, isInvalid) = Self.read(
      Self.report, pieces: size,
      [
        .init(at: ["format"]), .init(at: ["run"], keeping: [["seconds"], ["id"]]),
        .init(at: ["results", .each], keeping: [["id"], ["earlier", .each, "seconds"]]), .init(at: ["missing"]),
      ])
    #expect(isComplete && !isInvalid)
    #expect(found.map { $0.part } == [0, 1, 2, 2, 2, 2])
    let expected = [
      #""f""#, #"{"seconds":1.5,"id":"r"}"#, #"{"id":"a\"b","earlier":[{"seconds":1},{}]}"#, "7", "[]",
      #"{"id":[1,{"a":null}],"earlier":3}"#,
    ]
    let values = try expected.map(json)
    #expect(found.map { $0.value } == values)
  }

  @Test func `if the requested path is empty, the incremental JSON reader returns the value of the whole text`() throws {
    for round in 0..<DeepTests.rounds(3_000, otherwise: 200) {
      var random = RandomJSON(seed: UInt64(round))
      let text = JSONValue.array([random.value(), random.value()]).jsonText()
      let (found, isComplete, _) = Self.read(text, pieces: 1 + round % 9, [.init(at: [])])
      let value = try JSONValue(parsing: text)
      #expect(isComplete && found.map { $0.value } == [value], "round \(round): \(text)")
    }
  }

  @Test func `the incremental JSON reader never reports a truncated text as complete`() {
    // The last two bytes are the closing bracket and a line break.
    for length in 0..<Self.report.utf8.count - 1 {
      let text = String(decoding: Self.report.utf8.prefix(length), as: UTF8.self)
      let (_, isComplete, isInvalid) = Self.read(text, pieces: 7, [.init(at: ["results", .each], keeping: [["id"]])])
      #expect(!isComplete && !isInvalid, "\(length)")
    }
  }

  @Test(arguments: [
    #"{"a":1,}"#, #"{"a" 1}"#, #"{"a":1]"#, "[1,]", "[,1]", "[1 2]", #"{"a":1} x"#, "{}}", "{a:1}", #"{"a":+1}"#, #"{"k":{"a":[1}]}}"#,
    #"{"k":{"a":01}}"#, #"{"k":{"a":"\x"}}"#,
  ])
  func `the incremental JSON reader refuses a JSON text with a syntax error in a part that the reader parses`(text: String) {
    let (_, isComplete, isInvalid) = Self.read(text, pieces: 3, [.init(at: ["k"], keeping: [["a"]]), .init(at: [.each])])
    #expect(!isComplete && isInvalid)
  }
}
