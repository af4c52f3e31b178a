import GarlandDiagnostics
import TestSupport
import Testing

@testable import GarlandYAML

/// Compares the trees of documents that were read without libyaml with the trees that libyaml creates for the
/// same text.
@Suite struct DirectReaderTests {
  static let documents = [
    "a: 1\n",
    "a: 1",
    "# first\n\ngarland: 1  # one\nsteps:\n  # two\n  a:\n    get: /x?y=z&b=${c.d[0]}#f\n\n    expect: { status: 200, json: { $.id: '${a}' } }\n  b: {}\n",
    "a:\n  b:\n    c: -1\n  d: \"x y\"\ne: [1, [], {}, 'b', c d, true]   \n",
    "list:\n- a\n- b: 1\n  c: 2\n- [x]\n-   d: null\n    e: false\nnext:\n  - http://h:1/x\n  -   '#'\n  - -1.5e3\n",
    "a: { b: [1,\n  2 ], c: x:y,\nd: 'e f' }\nf: a, b] c} d\n",
    "'q': 1\n\"r s\": 2\n$.items[0].id: 3\nx-: 4\n",
    "umlaut: Bücher — “x” …  # é\n字: 字\n",
    "a: x#y\nb: x # y\nc:   # z\n  d: 1\n",
    "a:\n   b: 1\n   c:\n         d: 2\n   e: 3\nf: 4\n   \n#x",
    "a: ${x ?? 'y'}   # z\nb: $${ # y\n",
    "a: { b: 1 , c : 2 }\n", "a: b: c\n", "a: b\n  c\n", "a: |\n  x\n", "a: 'it''s'\n", "a: \"\\n\"\n", "a:\nb: 1\n", "a: &x 1\nb: *x\n",
    "<<: { a: 1 }\n", "a: 1\na: 2\n", "{ a: 1 }\n", "- a\n", "--- \na: 1\n", "a: { b:1 }\n", "a: ${x # y}\n", "a: b #${x}\n", "\ta: 1\n",
    "a: {{ b }}\n", "a: - b\n", "a: [b: c]\n", "a: 'b' c\n", "a: [b, c\n", "a: 1\n b: 2\n", "a:\n  b: 1\n c: 2\n", "a: b\u{85}c\n",
    "%a: 1\n", "\u{FEFF}a: 1\n",
  ]

  /// Returns the text of a whole tree with its ranges.
  private func outline(_ node: YAMLNode) -> String {
    let own = "\(node.range.offsets.lowerBound)-\(node.range.offsets.upperBound)"
    switch node.content {
    case .scalar(let scalar): return "\(own) \(scalar.style) \(scalar.value)"
    case .sequence(let items): return "\(own) [\(items.map(outline).joined(separator: ", "))]"
    case .mapping(let mapping):
      return "\(own) {\(mapping.entries.map { "\(outline($0.key)): \(outline($0.value))" }.joined(separator: ", "))}"
    }
  }

  /// Whether a text was read without libyaml; records an issue if its tree differs from libyaml's.
  @discardableResult
  private func compare(_ bytes: [UInt8]) -> Bool {
    let file = SourceFile(name: "test.yaml", bytes: bytes)
    var diagnostics = DiagnosticList()
    guard SourceDecoding.validate(file, limits: YAMLLimits(), into: &diagnostics) else { return false }
    guard let direct = DirectReader.read(file, limits: YAMLLimits()), let root = direct.root else { return false }
    var composer = Composer(file: file, limits: YAMLLimits())
    composer.run()
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(composer.diagnostics.all.isEmpty && composer.documents.count == 1, "\(text)")
    guard let document = composer.documents.first, let other = document.root else {
      Issue.record("libyaml reads nothing: \(text)")
      return true
    }
    #expect(outline(root) == outline(other), "\(text)")
    #expect(direct.range.offsets == document.range.offsets, "\(text)")
    for entry in root.mapping?.entries ?? [] { #expect(root.mapping?.entry(entry.name)?.key.range == entry.key.range, "\(text)") }
    return true
  }

  @Test(arguments: documents.enumerated().map { ($0, $1) })
  func `the fast YAML reader reads only documents with simple syntax and leaves all others to libyaml`(_ number: Int, _ text: String) {
    #expect(compare(Array(text.utf8)) == (number < 11), "\(text)")
  }

  @Test func `the fast YAML reader reads a document with 500 keys unless one of the keys is repeated`() {
    let text = (0..<500).map { "key\($0):\n  - a: \($0)\n    b: { c: 1, d: [2] }\n" }.joined()
    #expect(compare(Array(text.utf8)))
    #expect(!compare(Array((text + "key77: 1\n").utf8)))
  }

  @Test func `deeply nested YAML documents give the same tree with the fast YAML reader and with libyaml`() {
    for depth in [40, 49, 60, 120] {
      compare(
        Array(
          ((0..<depth).map { String(repeating: " ", count: $0) + "a:\n" }.joined() + String(repeating: " ", count: depth) + "a: 1\n").utf8))
      compare(Array(("a: " + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "\n").utf8))
    }
  }

  @Test(.timeLimit(.minutes(15)))
  func `randomly changed YAML documents give the same tree with the fast YAML reader and with libyaml`() {
    let pieces: [[UInt8]] = [
      ":", ": ", " ", "  ", "\n", "\n  ", "\n    ", "#", " #", "-", "- ", "\n- ", "?", "? ", "'", "\"", "{", "}", "[", "]", ",", ", ", "&a",
      "*a", "!", "|", ">",
      "$", "${", "a", "1", "0", "-1", "true", "null", "\\", "\t", "%", "@", "`", "<<", "---", "...", "é", "\u{2028}", "x: y", "{ a: 1 }",
      "[b]", "'c'", ".", "/", "~",
    ].map { Array($0.utf8) }
    var random = SeededRandom(seed: 7)
    var read = 0
    for _ in 0..<8_000 {
      var bytes = Array(Self.documents[Int.random(in: 0..<16, using: &random)].utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...4, using: &random)))
        case 1:
          let end = min(bytes.count, place + Int.random(in: 1...20, using: &random))
          bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0...bytes.count, using: &random))
        default: bytes.insert(contentsOf: pieces[Int.random(in: 0..<pieces.count, using: &random)], at: place)
        }
      }
      if compare(bytes) { read += 1 }
    }
    #expect(read > 300)
  }
}
