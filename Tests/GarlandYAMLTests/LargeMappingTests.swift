import GarlandDiagnostics
import GarlandYAML
import Testing

/// Tests mappings with so many keys that a lookup uses an index.
@Suite struct LargeMappingTests {
  private static let names = (0..<40).map { "key\($0)" }

  @Test func `each key of a YAML mapping with 40 keys is found, and no other key is found`() throws {
    let text = Self.names.map { "\($0): \"\($0)\"" }.joined(separator: "\n")
    let mapping = try #require(parse(text).documents.first?.root?.mapping)
    #expect(mapping.count == 40)
    for name in Self.names { #expect(mapping[name]?.scalar?.text == name) }
    #expect(mapping["key40"] == nil)
    #expect(mapping[""] == nil)
  }

  @Test func `in a large YAML mapping, each key that << merges from another mapping is found, even through an alias`() throws {
    let many = Self.names.map { "  \($0): \($0)" }.joined(separator: "\n")
    let text = "base: &base\n\(many)\nmore: &more\n  key3: other\n  <<: *base\n  last: 1\nagain: *more\n"
    let result = parse(text)
    #expect(result.diagnostics == [])
    let root = try #require(result.documents.first?.root?.mapping)
    for place in ["more", "again"] {
      let mapping = try #require(root[place]?.mapping)
      #expect(mapping.count == 41)
      #expect(mapping["key3"]?.scalar?.text == "other")
      #expect(mapping["key39"]?.scalar?.text == "key39")
      #expect(mapping["last"]?.scalar?.value == .number("1"))
      #expect(mapping.entries.map(\.name) == ["key3"] + Self.names.filter { $0 != "key3" } + ["last"])
    }
    #expect(root["again"]?.isAlias == true)
    #expect(root["again"]?.anchor == "more")
  }

  @Test func `each duplicate key of a large YAML mapping is reported at its line`() throws {
    let text = (Self.names + ["key2", "new", "key39"]).map { "\($0): 1" }.joined(separator: "\n")
    let result = parse(text)
    #expect(result.diagnostics.map(\.message) == ["duplicate key `key2`", "duplicate key `key39`"])
    #expect(result.diagnostics.map { $0.range?.start.line } == [41, 43])
    let mapping = try #require(result.documents.first?.root?.mapping)
    #expect(mapping.entries.map(\.name) == Self.names + ["new"])
    #expect(mapping["new"]?.range.start.line == 42)
  }

  /// The cases are texts that equal their source, and texts that do not.
  @Test func `YAML scalars with the same text, also through an alias, have separate source ranges`() throws {
    let text = "plain: a b\nquoted: 'a b'\nescaped: \"a\\tb\"\nfolded: a\n  b\nalias: &x 'é'\nsame: *x\nempty: ''\n"
    let mapping = try #require(parse(text).documents.first?.root?.mapping)
    let texts = mapping.entries.map { $0.value.scalar?.text }
    #expect(texts == ["a b", "a b", "a\tb", "a b", "é", "é", ""])
    #expect(mapping.entries.map { $0.value.range.text } == ["a b", "'a b'", "\"a\\tb\"", "a\n  b", "'é'", "*x", "''"])
  }

  /// The test uses collections with more entries than the 16-bit count of a node can hold.
  @Test func `YAML lists and mappings of more than 65,536 entries are read in full`() throws {
    let list = (0..<70_000).map { "- \($0)\n" }.joined()
    let mapping = (0..<40_000).map { "  k\($0): \($0)\n" }.joined()
    let root = try #require(
      parse("list: &list\n\(list)mapping: &mapping\n\(mapping)again: *list\nmore: *mapping\nlast: [1, 2]\n").documents.first?.root?.mapping)
    for key in ["list", "again"] {
      let items = try #require(root[key]?.sequence)
      #expect(items.count == 70_000)
      #expect(items.first?.scalar?.text == "0" && items.last?.scalar?.text == "69999")
    }
    for key in ["mapping", "more"] {
      let entries = try #require(root[key]?.mapping)
      #expect(entries.count == 40_000)
      #expect(entries["k0"]?.scalar?.text == "0" && entries["k39999"]?.scalar?.text == "39999" && entries["k40000"] == nil)
    }
    #expect(root["last"]?.sequence?.count == 2)
  }
}
