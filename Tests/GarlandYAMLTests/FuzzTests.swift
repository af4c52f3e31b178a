import GarlandDiagnostics
import GarlandYAML
import TestSupport
import Testing

@Suite struct FuzzTests {
  static let corpus = [
    """
    # yaml-language-server: $schema=../schemas/workflow.schema.json
    garland: 1
    name: Bookshop smoke test
    vars:
      base: http://127.0.0.1:8080   # here
      user: "alice \\u00e9\\t\\"x\\" \\
        continued"
    secrets: [SHOP_PASSWORD, 'it''s']
    profiles:
      staging: { vars: { base: 'https://staging.example.com/${x}' } }
    steps:
      create: &create
        post: /books
        json: { title: Dune, price: 9.50, tags: [a, b], none: , empty: {} }
        expect:
          status: 201
          json:
            $.id: { type: number }
      other:
        <<: *create
        body: |
          line ä one
            more
          last

        text: >-
          folded
          text

          para
            code
          end
        multi: a plain
          value over
          lines
      ? complex
      : - 1
        -
        - - nested
          - !!str 5
    ünï: [日本語, 😀, *create]
    ...
    ---
    - second
    """,
    "a: 1\r\nb:\r\n  - 'x\r\n    y'\r\n  - |+\r\n    k\r\n\r\n",
    "{a: [1, {b: c}, 'd', \"e\\n\"], f: !!int 3, &g h: *g}",
    "--- >2\n   a\n  b\n--- |-\n  x\n\n  y\n--- 'q''q'\n---\n",
  ]

  /// Checks that ranges nest, siblings are in order, and the source text of a scalar's range has
  /// the same value.
  func check(_ documents: [YAMLDocument], _ origin: String) {
    for document in documents {
      guard let root = document.root else { continue }
      let size = document.file.bytes.count
      func visit(_ node: YAMLNode, within outer: Range<Int>) {
        let own = node.range.offsets
        #expect(own.lowerBound >= outer.lowerBound && own.upperBound <= outer.upperBound, "\(origin): \(own) in \(outer)")
        guard !node.isAlias else { return }
        var last = own.lowerBound
        func inOrder(_ child: YAMLNode) {
          #expect(child.range.offsets.lowerBound >= last, "\(origin): \(child.range)")
          last = child.range.offsets.upperBound
          visit(child, within: own)
        }
        switch node.content {
        case .scalar(let scalar):
          reparse(node, scalar, origin)
          let whole = scalar.sourceRange(of: 0..<scalar.text.utf8.count, in: node).offsets
          #expect(whole.lowerBound >= own.lowerBound && whole.upperBound <= size, "\(origin): \(whole) in \(own)")
        case .sequence(let items): items.forEach(inOrder)
        case .mapping(let mapping):
          // The source of merged entries is in another place.
          for entry in mapping.entries where own.contains(entry.key.range.offsets.lowerBound) || entry.key.range.offsets.isEmpty {
            inOrder(entry.key)
            inOrder(entry.value)
          }
        }
      }
      visit(root, within: 0..<size)
    }
  }

  func reparse(_ node: YAMLNode, _ scalar: YAMLScalar, _ origin: String) {
    guard node.tag == nil else { return }
    var text = node.range.text
    if scalar.style == .literal || scalar.style == .folded {
      // An explicit indentation is relative to the parent, which does not exist here.
      let header = text.prefix { !$0.isNewline }
      guard !header.contains(where: \.isNumber) else { return }
      text += "\n"
      let again = parse(text)
      var expected = scalar.text
      var found = again.documents.first?.root?.scalar?.text ?? ""
      // Blanks at the end are outside of the range.
      while expected.last?.isWhitespace == true { expected.removeLast() }
      while found.last?.isWhitespace == true { found.removeLast() }
      // A block of blank lines alone has no text in its range.
      guard !expected.allSatisfy(\.isWhitespace) else { return }
      #expect(found == expected, "\(origin): \(text)")
      return
    }
    guard !text.isEmpty else {
      #expect(scalar.isNull, "\(origin): \(node.range)")
      return
    }
    // The meaning of a text that starts with `- ` or ends with `:` depends on the text around it.
    let again = parse("[\n  \(text)\n]").documents.first?.root?.sequence?.first?.scalar
    if scalar.style == .plain, again == nil || again?.style != .plain || text.contains(where: { ",[]{}?:".contains($0) }) {
      let block = parse("a:\n  \(text)").documents.first?.root?.mapping?["a"]?.scalar
      #expect(block?.text == scalar.text || text.contains("\n") || text.hasSuffix(":"), "\(origin): \(text)")
    } else {
      #expect(again == scalar || text.contains("\n---") || text.contains("\n..."), "\(origin): \(text)")
    }
  }

  @Test func `in each sample YAML document, the source ranges of nodes are nested and in order`() {
    for (number, text) in Self.corpus.enumerated() {
      let result = parse(text)
      #expect(result.diagnostics == [])
      check(result.documents, "corpus \(number)")
    }
  }

  @Test(arguments: 0..<8)
  func `parsing a randomly changed YAML document does not crash and gives valid source ranges`(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed) + 1)
    let pieces = [
      "${", "}", "{{", "[", "]", "{", ": ", ":", "- ", "\n", "\n  ", "\t", " #", "'", "\"", "&a ", "*a", "!!str ", "<<: ", "|\n", ">\n",
      "@", "`", "%",
      "? ", "---\n", "...\n", "\\", "\r\n", "é", "😀", "\u{2028}", "\u{85}", ",", "|2", "!x ", "*create", "\u{0}", " ",
    ]
    for round in 0..<400 {
      let base = Self.corpus[Int.random(in: 0..<Self.corpus.count, using: &random)]
      var bytes = Array(base.utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let at = Int.random(in: 0...bytes.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes.insert(contentsOf: (pieces.randomElement(using: &random) ?? "").utf8, at: at)
        case 1: bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 1...5, using: &random)))
        case 2: if at < bytes.count { bytes[at] = UInt8.random(in: 0...255, using: &random) }
        case 3: bytes.removeSubrange(at...)
        default:
          let from = Int.random(in: 0...bytes.count, using: &random)
          bytes.insert(contentsOf: bytes[from..<min(bytes.count, from + 20)], at: at)
        }
      }
      var diagnostics = DiagnosticList()
      let documents = YAMLParser.parse(name: "fuzz", bytes: bytes, into: &diagnostics)
      for diagnostic in diagnostics.all {
        if let range = diagnostic.range?.offsets, let size = diagnostic.range?.file.bytes.count {
          #expect(range.upperBound <= size, "\(seed).\(round) \(diagnostic.code)")
        }
        #expect(!DiagnosticRenderer().render(diagnostic).isEmpty)
      }
      // YAML 1.1 takes these characters for line breaks, so that ranges fold differently.
      let isOdd = bytes.contains(0x85) || bytes.contains(0xA8)
      if diagnostics.isEmpty, !isOdd { check(documents, "seed \(seed) round \(round): \(String(decoding: bytes, as: UTF8.self))") }
    }
  }
}
