import GarlandDiagnostics
import GarlandYAML
import Testing

@Suite struct ComposerTests {
  @Test(
    arguments: [
      ("a: 1", "{a: #1}"), ("a: -0.50e+10", "{a: #-0.50e+10}"), ("a: 012", "{a: \"012\"}"), ("a: +1", "{a: \"+1\"}"),
      ("a: 0x1F", "{a: \"0x1F\"}"), ("a: .inf", "{a: \".inf\"}"), ("a: 1:30", "{a: \"1:30\"}"), ("a: ~", "{a: \"~\"}"),
      ("a: True", "{a: \"True\"}"), ("a: no", "{a: \"no\"}"), ("a: on", "{a: \"on\"}"), ("a: 1.", "{a: \"1.\"}"), ("a: .5", "{a: \".5\"}"),
      ("a: -", "?"), ("a: 1_000", "{a: \"1_000\"}"), ("a: true", "{a: true}"), ("a: null", "{a: null}"), ("a:", "{a: null}"),
      ("a: \"1\"", "{a: \"1\"}"), ("a: 'true'", "{a: \"true\"}"), ("a: !!str 1", "{a: \"1\"}"), ("a: ! true", "{a: \"true\"}"),
      ("a: !!int \"7\"", "{a: #7}"), ("a: !!float 7", "{a: #7}"), ("a: !!bool 'false'", "{a: false}"), ("a: !!null ''", "{a: null}"),
      ("a: !!map {b: 1}", "{a: {b: #1}}"), ("a: !!seq [1]", "{a: [#1]}"), ("a: 9007199254740993.000", "{a: #9007199254740993.000}"),
      ("[a, {b: c}, [], {}]", "[\"a\", {b: \"c\"}, [], {}]"), ("- a\n-\n- - b\n  - c\n", "[\"a\", null, [\"b\", \"c\"]]"),
      ("a: |\n  x\n   y\n\nb: >\n  p\n  q\n", "{a: \"x\\n y\\n\", b: \"p q\\n\"}"),
      ("a: &x [1, 2]\nb: *x", "{a: [#1, #2], b: [#1, #2]}"),
      ("a: &x {p: 1, q: 2}\nb:\n  r: 0\n  <<: *x\n  q: 3\n  s: 4", "{a: {p: #1, q: #2}, b: {r: #0, p: #1, q: #3, s: #4}}"),
      ("- &a {x: 1}\n- &b {x: 2, y: 3}\n- {<<: [*a, *b], z: 4}", "[{x: #1}, {x: #2, y: #3}, {x: #1, y: #3, z: #4}]"),
      ("a: &x 1\nb: &x 2\nc: *x", "{a: #1, b: #2, c: #2}"), ("\"<<\": 1", "{<<: #1}"),
      ("? a\n? b\n: 1\n", "{a: null, b: #1}"), ("{a, b: 1}", "{a: null, b: #1}"), ("# only a comment\n", "-"), ("", "-"), ("---\n", "-"),
      ("%YAML 1.2\n---\na: b\n...\n", "{a: \"b\"}"), ("a: 'it''s'\nb: \"\\u00e9\\n\"", "{a: \"it's\", b: \"é\\n\"}"),
    ] as [(String, String)])
  func `each YAML text is parsed to the expected tree, or refused if it is invalid`(_ text: String, _ expected: String) {
    let result = parse(text)
    if expected == "?" {
      #expect(result.diagnostics.count == 1)
    } else {
      #expect(result.diagnostics == [])
      #expect(result.documents.first?.root.map(outline) ?? "-" == expected)
    }
  }

  @Test func `for each YAML style, the source range of a node covers exactly the text of the node`() throws {
    let text = """
      # Kopf ä
      plain: two words   # comment
      'süß': 'sin''gle'
      double: "a\\tb"
      block: |
        one
        two

      folded: >-
        three
        four
      # in between
      list:
        - é
        -
        - &anchor !!str x
      flow: { k: [1, 2], empty: }
      alias: *anchor
      nothing:   # here
      multi: first
        second
      ? explicit
      """
    let result = parse(text)
    #expect(result.diagnostics == [])
    let root = try #require(result.documents.first?.root)
    let mapping = try #require(root.mapping)
    func source(_ key: String) -> String? { mapping[key]?.range.text }
    #expect(root.range.start == SourcePosition(line: 2, column: 1))
    #expect(source("plain") == "two words")
    #expect(mapping.entry("süß")?.key.range.text == "'süß'")
    #expect(source("süß") == "'sin''gle'")
    #expect(source("double") == "\"a\\tb\"")
    #expect(source("block") == "|\n  one\n  two")
    #expect(source("folded") == ">-\n  three\n  four")
    #expect(source("list") == "- é\n  -\n  - &anchor !!str x")
    let list = try #require(mapping["list"]?.sequence)
    #expect(list[0].range.start == SourcePosition(line: 14, column: 5))
    #expect(list[1].range.start.line == 15 && list[1].range.start.column == 4 && list[1].range.text == "")
    #expect(list[2].range.text == "x" && list[2].anchor == "anchor" && list[2].tag == .str)
    #expect(source("flow") == "{ k: [1, 2], empty: }")
    #expect(mapping["flow"]?.mapping?["k"]?.range.text == "[1, 2]")
    let empty = try #require(mapping["flow"]?.mapping?["empty"]?.range)
    #expect(empty.text == "" && text.utf8.count > empty.offsets.lowerBound)
    #expect(empty.start.column == 26)
    #expect(source("alias") == "*anchor")
    #expect(mapping["alias"]?.isAlias == true)
    #expect(mapping["nothing"]?.range.start.column == 9)
    #expect(source("multi") == "first\n  second")
    #expect(mapping["explicit"]?.range.start.column == 11)
    #expect(root.range.offsets.upperBound == text.utf8.count)
  }

  @Test func `if a file has several YAML documents, each document has its own source range`() {
    let result = parse("a: 1\n---\nb: 2\n...\n---\n---\n# end\n- c\n")
    #expect(result.diagnostics == [])
    #expect(result.documents.map { $0.root.map(outline) ?? "-" } == ["{a: #1}", "{b: #2}", "-", "[\"c\"]"])
    #expect(result.documents.map(\.range.text) == ["a: 1", "---\nb: 2", "---", "---\n# end\n- c"])
  }

  @Test(arguments: [true, false], [true, false])
  func `a UTF-16 YAML file is read in either byte order, with or without a byte order mark`(bigEndian: Bool, mark: Bool) throws {
    let text = "key: [wört, 😀]\n"
    var bytes: [UInt8] = []
    for unit in (mark ? [0xFEFF] : []) + Array(text.utf16) {
      bytes += bigEndian ? [UInt8(unit >> 8), UInt8(unit & 0xFF)] : [UInt8(unit & 0xFF), UInt8(unit >> 8)]
    }
    var diagnostics = DiagnosticList()
    let documents = YAMLParser.parse(name: "x", bytes: bytes, into: &diagnostics)
    #expect(diagnostics.all == [])
    let root = try #require(documents.first?.root)
    #expect(outline(root) == "{key: [\"wört\", \"😀\"]}")
    #expect(root.range.file.bytes == Array(text.utf8))
    #expect(allNodes(root).last?.range.text == "😀")
  }

  @Test func `the source range of the first YAML key does not contain a UTF-8 byte order mark`() throws {
    var diagnostics = DiagnosticList()
    let documents = YAMLParser.parse(name: "x", bytes: [0xEF, 0xBB, 0xBF] + Array("ä: 1".utf8), into: &diagnostics)
    #expect(documents.first?.root?.mapping?.entries.first?.key.range.text == "ä")
  }

  @Test(
    arguments: [
      ([0x61, 0xFF], "invalid-encoding"), ([0x61, 0xC3], "invalid-encoding"), ([0xED, 0xA0, 0x80], "invalid-encoding"),
      ([0xC0, 0x80], "invalid-encoding"), ([0x61, 0x62, 0x01], "invalid-encoding"), ([0x7F, 0x45, 0x4C, 0x46, 0, 0], "binary-file"),
      ([0x41, 0x42, 0x00, 0x43], "binary-file"), ([0xFF, 0xFE, 0x00, 0xD8], "invalid-encoding"), ([0xFF, 0xFE, 0x61], "invalid-encoding"),
      ([0xFF, 0xFE, 0, 0, 0x61, 0, 0, 0], "invalid-encoding"), ([0x61, 0xEF, 0xBB, 0xBF], "invalid-encoding"),
    ] as [([UInt8], String)])
  func `a YAML file whose bytes are not text is refused with one diagnostic`(_ bytes: [UInt8], _ code: String) {
    var diagnostics = DiagnosticList()
    let documents = YAMLParser.parse(name: "x", bytes: bytes, into: &diagnostics)
    #expect(documents.isEmpty)
    #expect(diagnostics.all.map(\.code.rawValue) == [code])
  }

  @Test(
    arguments: [
      ("a: 1\nb: 2\na: 3\nb: 4", ["duplicate-key a", "duplicate-key b"]), ("a: *x", ["undefined-alias *x"]),
      ("a: &x [*x]", ["recursive-alias *x"]), ("[a]: 1\n{b: c}: 2", ["invalid-key [a]", "invalid-key {b: c}"]),
      ("?\n: 1", ["invalid-key "]),
      ("<<: 1", ["invalid-merge 1"]), ("<<: [{a: 1}, 2]", ["invalid-merge 2"]), ("<<: {a: 1}\n<<: {b: 1}", ["duplicate-key <<"]),
      ("a: !!binary eA==", ["unknown-tag !!binary"]), ("a: !Ref x\nb: !!set {x}", ["unknown-tag !Ref", "unknown-tag !!set"]),
      ("a: !!int 1.5", ["invalid-tag 1.5"]), ("a: !!seq {}", ["invalid-tag !!seq"]), ("a: !!map x", ["invalid-tag x"]),
      ("a: !!bool yes\nb: !!null 0", ["invalid-tag yes", "invalid-tag 0"]),
    ] as [(String, [String])])
  func `an invalid YAML key, alias, merge or tag is reported at its position`(_ text: String, _ expected: [String]) {
    #expect(parse(text).diagnostics.map { "\($0.code) \($0.range?.text ?? "-")" } == expected)
  }

  @Test func `in a YAML mapping of a thousand keys, each key is found, and duplicate keys are reported`() throws {
    let text = (0..<1000).map { "k\($0): \($0)\n" }.joined()
    let mapping = try #require(parse(text).documents.first?.root?.mapping)
    #expect(mapping["k999"]?.scalar?.text == "999")
    #expect(mapping["k1000"] == nil)
    let again = parse(text + "k3: x\nk999: y\n").diagnostics
    #expect(again.map(\.code) == [.duplicateKey, .duplicateKey])
    #expect(again.last?.notes.first?.range?.start.line == 1000)
    let merged = try #require(
      parse("a: &a\n" + (0..<40).map { "  k\($0): \($0)\n" }.joined() + "b: {<<: *a, k39: x}").documents.first?.root?.mapping?["b"]?.mapping
    )
    #expect(merged.count == 40 && merged["k38"]?.scalar?.text == "38" && merged["k39"]?.scalar?.text == "x")
  }
}
