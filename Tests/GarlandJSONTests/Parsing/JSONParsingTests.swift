import GarlandJSON
import Testing

@Suite("Parsing")
struct JSONParsingTests {
  @Test(
    "a valid JSON text is parsed into the expected value",
    arguments: [
      ("null", .null), (" true ", true), ("\t\r\nfalse", false), ("0", 0), ("-1", -1), ("\"\"", ""), ("[]", []), ("{}", [:]), ("[ ]", []),
      ("{ }", [:]), ("[1,2 , 3]", [1, 2, 3]), (#"{"a":1,"b":[true,{"c":null}]}"#, ["a": 1, "b": [true, ["c": .null]]]),
      (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0041\u00e9\u20AC\ud83d\ude00""#, "Aé€😀"), (#""\u0000""#, "\0"),
      ("\"é€😀\u{7F}\u{2028}\"", "é€😀\u{7F}\u{2028}"), ("\u{FEFF}[1]", [1]), ("[[[[]]]]", [[[[]]]]), (#"{"":0}"#, ["": 0]),
      ("123456789012345678", 123_456_789_012_345_678), ("9223372036854775807", 9_223_372_036_854_775_807), ("1.5e2", 150),
      (#"["\u00e9x\\"]"#, ["éx\\"]),
    ] as [(String, JSONValue)])
  func accepted(text: String, value: JSONValue) throws {
    #expect(try JSONValue(parsing: text) == value)
    #expect(try JSONBytes(Array(text.utf8)).value(at: []) == value)
  }

  /// The columns are the text, the kind of mistake, its offset, and a part of the message.
  @Test(
    "a syntax error is reported with its reason and offset",
    arguments: [
      ("", .empty, 0, "empty"), ("  \n", .empty, 3, "empty"), ("[", .unexpectedEnd, 1, "a value"), ("[1", .unexpectedEnd, 2, "',' or ']'"),
      ("[1,", .unexpectedEnd, 3, "a value"), ("[1,]", .trailingComma, 2, "']'"), ("[,1]", .unexpectedCharacter, 1, "','"),
      ("[1 2]", .unexpectedCharacter, 3, "',' or ']'"), ("{\"a\"}", .unexpectedCharacter, 4, "':'"),
      ("{\"a\":}", .unexpectedCharacter, 5, "a value"),
      ("{\"a\":1,}", .trailingComma, 6, "'}'"), ("{a:1}", .unexpectedCharacter, 1, "double quotes"),
      ("{'a':1}", .unexpectedCharacter, 1, "double quotes"),
      ("{\"a\":1 \"b\"}", .unexpectedCharacter, 7, "',' or '}'"), ("{\"a\":1]", .unexpectedCharacter, 6, "',' or '}'"),
      ("[1}", .unexpectedCharacter, 2, "',' or ']'"),
      ("1 2", .trailingContent, 2, "the end"), ("{}}", .trailingContent, 2, "the end"), ("01", .invalidNumber, 0, "begin with 0"),
      ("-", .unexpectedEnd, 1, "number"),
      ("-x", .invalidNumber, 0, "number"), ("+1", .invalidNumber, 0, "+"), (".5", .invalidNumber, 0, "before the point"),
      ("[1.]", .invalidNumber, 1, "1."),
      ("[1e]", .invalidNumber, 1, "1e"), ("1.5e+", .unexpectedEnd, 5, "1.5e+"), ("[0x1F]", .invalidNumber, 1, "0x1F"),
      ("-012", .invalidNumber, 0, "begin with 0"), ("[1.2.3]", .invalidNumber, 1, "1.2.3"),
      ("NaN", .unexpectedCharacter, 0, "no such number"), ("-Infinity", .invalidNumber, 0, "no such number"),
      ("True", .unexpectedCharacter, 0, "writes true"),
      ("None", .unexpectedCharacter, 0, "writes null"), ("tru", .unexpectedEnd, 3, "word"), ("[nul]", .unexpectedCharacter, 1, "nul"),
      ("nullx", .unexpectedCharacter, 0, "nullx"),
      ("'a'", .unexpectedCharacter, 0, "double quotes"), ("// x\n1", .unexpectedCharacter, 0, "comments"),
      ("\"a", .unexpectedEnd, 2, "byte 0"),
      ("\"a\nb\"", .controlCharacter, 2, "\\n"), ("\"\u{1}\"", .controlCharacter, 1, "\\u0001"), (#""\x""#, .invalidEscape, 1, "'x'"),
      (#""\u12G4""#, .invalidEscape, 1, "four"),
      (#""\"#, .unexpectedEnd, 2, "string"), (#""\ud800""#, .loneSurrogate, 1, "ud800"), (#""\ud800\u0041""#, .loneSurrogate, 1, "ud800"),
      (#""\udc00""#, .loneSurrogate, 1, "udc00"),
      (#""\ud800\n""#, .loneSurrogate, 1, "pair"), ("\u{A0}1", .unexpectedCharacter, 0, "U+A0"),
      ("[\n 1,\n x]", .unexpectedCharacter, 7, "'x'"),
    ] as [(String, JSONParsingError.Reason, Int, String)])
  func refused(text: String, reason: JSONParsingError.Reason, offset: Int, part: String) throws {
    let bytes = Array(text.utf8)
    let error = try #require(throws: JSONParsingError.self) { try JSONValue(parsing: bytes) }
    #expect(error.reason == reason, "\(error)")
    #expect(error.offset == offset, "\(error)")
    #expect(error.message.contains(part), "\(error)")
    // Skipped values are checked in the same way, with the same errors.
    #expect(throws: error) { try JSONBytes(bytes).value(at: ["no such name"]) }
    #expect(throws: error) { try JSONBytes(bytes).value(at: [99]) }
  }

  @Test(
    "a text with bytes that are not UTF-8 is refused",
    arguments: [
      [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80],
      [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xE2, 0x82],
      [0xC3], [0xC3, 0x28],
    ] as [[UInt8]])
  func invalidUTF8(sequence: [UInt8]) {
    let quote = UInt8(ascii: "\"")
    let error = #expect(throws: JSONParsingError.self) { try JSONValue(parsing: [quote, UInt8(ascii: "a")] + sequence + [quote]) }
    #expect(error?.reason == .invalidUTF8)
    #expect(error?.offset == 2)
  }

  @Test("an error's line and column are counted from 1, in Unicode scalars")
  func places() {
    let error = #expect(throws: JSONParsingError.self) { try JSONValue(parsing: "{\n  \"é😀\": oops\n}") }
    #expect(error?.line == 2)
    #expect(error?.column == 9)
    #expect(error?.description == "line 2, column 9: expected a value, found the word 'oops'")
  }

  @Test("nesting is limited to 1,000 levels by default, and no depth overflows the stack")
  func depth() throws {
    let nested = { (depth: Int) in
      Array(repeatElement(UInt8(ascii: "["), count: depth)) + Array(repeatElement(UInt8(ascii: "]"), count: depth))
    }
    #expect(throws: Never.self) { try JSONValue(parsing: nested(1000)) }
    #expect(throws: Never.self) { try JSONBytes(nested(1000)).value(at: ["x"]) }
    let error = try #require(throws: JSONParsingError.self) { try JSONValue(parsing: nested(1001)) }
    #expect(error.reason == .tooDeep)
    #expect(error.offset == 1000)
    #expect(throws: error) { try JSONBytes(nested(1001)).value(at: ["x"]) }
    #expect(throws: error) { try JSONBytes(nested(1001)).value(at: [0, 0, "x"]) }
    #expect(throws: JSONParsingError.self) { try JSONValue(parsing: Array(repeating: UInt8(ascii: "["), count: 10_000_000)) }
    let deep = try JSONValue(parsing: nested(4000), options: JSONParsingOptions(maximumDepth: .max))
    #expect(deep == (try JSONValue(parsing: deep.jsonBytes(), options: JSONParsingOptions(maximumDepth: .max))))
  }

  @Test("arrays, spans and buffers with the same bytes are parsed into the same value")
  func sources() throws {
    let bytes = Array(#"{"a":[1,"é"]}"#.utf8)
    let value: JSONValue = ["a": [1, "é"]]
    #expect(try JSONValue(parsing: bytes) == value)
    #expect(try JSONValue(parsing: bytes.span) == value)
    #expect(try bytes.withUnsafeBytes { try JSONValue(parsing: $0) } == value)
    #expect(throws: JSONParsingError.self) { try JSONValue(parsing: UnsafeRawBufferPointer(start: nil, count: 0)) }
    #expect(throws: JSONParsingError.self) { try JSONExtractor(paths: [[]]).values(in: UnsafeRawBufferPointer(start: nil, count: 0)) }
  }

  @Test("of several members with the same name, the last one is used, and the duplicates are reported")
  func duplicates() throws {
    let bytes = Array(#"{"a":1,"b":{"\u0062":2,"b":3},"a":[4]}"#.utf8)
    let document = try JSONDocument(parsing: bytes)
    #expect(document.value == ["a": [4], "b": ["b": 3]])
    #expect(document.value.objectValue?.keys == ["a", "b"])
    #expect(document.duplicateKeys.map(\.key) == ["b", "a"])
    #expect(document.duplicateKeys.map(\.offset) == [23, 30])
    let error = #expect(throws: JSONParsingError.self) { try JSONValue(parsing: bytes, options: JSONParsingOptions(duplicateKeys: .error)) }
    #expect(error?.reason == .duplicateKey)
    #expect(error?.offset == 23)
    let values = try JSONBytes(Array(#"{"a":{"x":1},"a":{"y":2}}"#.utf8)).values(at: [["a", "x"], ["a", "y"]])
    #expect(values == [nil, 2])
  }

  @Test("member names that are only canonically equivalent are different names")
  func scalars() throws {
    let document = try JSONDocument(parsing: Array("{\"\u{E9}\":1,\"e\u{301}\":2}".utf8))
    #expect(document.duplicateKeys.isEmpty)
    #expect(document.value.objectValue?.count == 2)
    #expect(document.value["e\u{301}"] == 2)
    #expect(JSONValue.string("\u{E9}") != JSONValue.string("e\u{301}"))
  }

  @Test("in an object of 500 members, members and duplicate names are found")
  func largeObjects() throws {
    let text = "{" + (0..<500).map { "\"key \($0 % 499)\":\($0)" }.joined(separator: ",") + "}"
    let document = try JSONDocument(parsing: Array(text.utf8))
    #expect(document.value.objectValue?.count == 499)
    #expect(document.value["key 0"] == 499)
    #expect(document.value["key 498"] == 498)
    #expect(document.value["key 499"] == nil)
    #expect(document.duplicateKeys.map(\.key) == ["key 0"])
  }

  @Test("a printed value is parsed into an equal value, whatever the printing options", arguments: 0..<300 as Range<UInt64>)
  func roundTrip(seed: UInt64) throws {
    var random = RandomJSON(seed: seed)
    let value = random.value()
    for options in [
      JSONPrintingOptions.compact, .pretty, JSONPrintingOptions(escapesNonASCII: true),
      JSONPrintingOptions(layout: .indented(4), sortsKeys: true),
    ] {
      let bytes = value.jsonBytes(options: options)
      let parsed = try JSONValue(parsing: bytes)
      #expect(parsed == value)
      #expect(parsed.hashValue == value.hashValue)
      if !options.sortsKeys { #expect(parsed.jsonBytes(options: options) == bytes) }
    }
  }

  @Test("mutated documents never crash a parser, and all parsers agree on them", arguments: 0..<40 as Range<UInt64>)
  func mutations(seed: UInt64) {
    var random = RandomJSON(seed: seed)
    let original = JSONValue.array([random.value(), random.value(), random.value()]).jsonBytes()
    for _ in 0..<100 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...3, using: &random.generator) where !bytes.isEmpty {
        let position = Int.random(in: bytes.indices, using: &random.generator)
        let interesting = Array("[]{},:\"\\u0-9eE.tfn \u{FF}\u{7}".utf8)
        switch Int.random(in: 0..<3, using: &random.generator) {
        case 0: bytes.remove(at: position)
        case 1: bytes.insert(interesting.randomElement(using: &random.generator) ?? 0, at: position)
        default: bytes[position] = .random(in: 0...255, using: &random.generator)
        }
      }
      let parsed = Result { () throws(JSONParsingError) in try JSONValue(parsing: bytes) }
      let skipped = Result { () throws(JSONParsingError) in try JSONBytes(bytes).values(at: [["x"], [1]]) }
      switch (parsed, skipped) {
      case (.success(let value), .success(let found)): #expect(found == [value["x"], value[1]])
      case (.failure(let first), .failure(let second)): #expect(first == second)
      default: Issue.record("\(parsed) and \(skipped) of \(String(decoding: bytes, as: UTF8.self))")
      }
    }
  }
}
