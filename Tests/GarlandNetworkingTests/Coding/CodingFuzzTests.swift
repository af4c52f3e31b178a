import FoundationEssentials
import GarlandJSON
import GarlandNetworking
import OrderedCollections
import TestSupport
import Testing

/// Tests that random values are encoded and decoded, and that random bytes do no harm.
@Suite struct CodingFuzzTests {
  private func tree(_ depth: Int, _ generator: inout SeededRandom) -> StructuredValue {
    func text() -> String {
      let pieces = ["a", "ü", " ", "&", "<", "]]>", "\"", "\n", "\t", "日", "👩🏽‍🚀", "\r", "'", "/", "é"]
      return (0..<Int.random(in: 0...6, using: &generator)).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
    }
    switch Int.random(in: 0..<(depth > 4 ? 6 : 8), using: &generator) {
    case 0: return .bool(.random(using: &generator))
    case 1: return StructuredValue(Int.random(in: .min ... .max, using: &generator))
    case 2: return .number(JSONNumber(Double(Int.random(in: -1000...1000, using: &generator)) / 8) ?? 0)
    case 3: return .string(text())
    case 4: return .date(Date(timeIntervalSince1970: Double(Int.random(in: -60_000_000_000...250_000_000_000, using: &generator))))
    case 5: return .data((0..<Int.random(in: 0...20, using: &generator)).map { _ in .random(in: 0...255, using: &generator) })
    case 6: return .array((0..<Int.random(in: 0...4, using: &generator)).map { _ in tree(depth + 1, &generator) })
    default:
      var members = OrderedDictionary<String, StructuredValue>()
      for _ in 0..<Int.random(in: 0...4, using: &generator) { members[text()] = tree(depth + 1, &generator) }
      return .object(members)
    }
  }

  @Test func `a random property list is unchanged after it is encoded and parsed`() throws {
    var generator = SeededRandom(seed: 11)
    for _ in 0..<300 {
      let value = tree(0, &generator)
      #expect(try PropertyList.parse(PropertyListParameters(sortsKeys: false).encode(value)) == value)
    }
  }

  @Test func `a random StructuredValue is unchanged after StructuredEncoder has encoded it and ValueDecoder has decoded it`() throws {
    var generator = SeededRandom(seed: 12)
    for _ in 0..<300 {
      let value = tree(0, &generator)
      #expect(try StructuredEncoder().encode(value) == value)
      #expect(try ValueDecoder().decode(StructuredValue.self, from: value) == value)
    }
  }

  @Test func `random property lists and HTML never crash their parsers`() throws {
    var generator = SeededRandom(seed: 13)
    let pieces = [
      "<plist>", "</plist>", "<dict>", "</dict>", "<key>a</key>", "<string>", "</string>", "<integer>1</integer>", "<array/>", "x", "&",
      "<",
    ]
    for _ in 0..<1000 {
      let text = (0..<Int.random(in: 0...12, using: &generator)).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
      _ = try? PropertyList.parse(Array(text.utf8))
      _ = try? MarkupDocument(html: Array(text.utf8)).select("//*").nodes.map(\.text)
    }
  }

  @Test func `random Accept header fields never crash the parser of media ranges`() {
    var generator = SeededRandom(seed: 14)
    let pieces = ["text", "/", "*", ";", "q=", "0.5", ",", "\"", "\\", " ", "=", "charset", "é", "+json"]
    for _ in 0..<3000 {
      let text = (0..<Int.random(in: 0...10, using: &generator)).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
      for range in MediaRange.list(text) {
        #expect(range.contains(range))
        #expect(MediaRange("*/*")?.contains(range) == true)
      }
    }
  }

  @Test func `random bytes never crash a charset decoder`() {
    var generator = SeededRandom(seed: 15)
    for name in ["utf-8", "utf-16", "utf-32", "shift_jis", "iso-2022-jp", "gb18030", "utf-7", "us-ascii", "latin1", "big5"] {
      for _ in 0..<200 {
        let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let text = Charset.decode(bytes, as: name)
        if name == "latin1" { #expect(text?.unicodeScalars.map(\.value) == bytes.map(UInt32.init)) }
      }
    }
    #expect(Charset.decode([0x41], as: "utf-8//TRANSLIT") == nil)
    #expect(Charset.decode([], as: "utf-16") == "")
  }
}
