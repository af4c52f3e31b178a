import TestSupport
import Testing

@testable import GarlandSandbox

@Suite struct MultipartParserTests {
  struct Part: Equatable {
    var headers: [HeaderField]
    var data: [UInt8] = []
    var isEnded = false
  }

  static func parse(_ body: [UInt8], boundary: String, pieces: () -> Int) -> (parts: [Part], fault: String?) {
    var parser = MultipartParser(boundary: boundary)
    var parts: [Part] = []
    var rest = body[...]
    while !rest.isEmpty {
      let piece = Array(rest.prefix(max(1, pieces())))
      rest = rest.dropFirst(piece.count)
      piece.withUnsafeBytes { bytes in
        parser.feed(bytes) { event in
          switch event {
          case .partBegan(let headers): parts.append(Part(headers: headers))
          case .data(let data): parts[parts.count - 1].data += data
          case .partEnded: parts[parts.count - 1].isEnded = true
          }
        }
      }
    }
    return (parts, parser.fault(atEnd: true))
  }

  static let bodyCases: [(String, [String]?)] = [
    ("--b\r\n\r\none\r\n--b\r\n\r\ntwo\r\n--b--", ["one", "two"]), ("--b\r\n\r\n\r\n--b--\r\n", [""]),
    ("--b\r\nA: 1\r\n\r\n\r\n--b--\r\n", [""]), ("pre\r\n--b \t\r\n\r\nx\r\n--b--post", ["x"]), ("--b--\r\n", []),
    ("--b\r\n\r\n\r\n\r\n\r\n--b--", ["\r\n\r\n"]), ("--b\r\n\r\n--b\r\n--b--", nil), ("--b\r\n\r\n\r\n--bx", nil),
    ("--b\r\nno colon\r\n\r\nx\r\n--b--", nil),
    ("--b\r\n\r\nx", nil), ("", nil), ("nothing", nil), ("--b\r\n\r\na\r\n--\r\n-b\r\n--b--", ["a\r\n--\r\n-b"]),
  ]

  @Test(arguments: bodyCases) func `a multipart body gives the same parts whether it arrives in small or large pieces`(
    text: String, expected: [String]?
  ) {
    for size in [1, 2, 3, 7, 1_000] {
      let (parts, fault) = Self.parse(Array(text.utf8), boundary: "b") { size }
      if let expected {
        #expect(fault == nil)
        #expect(parts.map { String(decoding: $0.data, as: UTF8.self) } == expected, "in pieces of \(size)")
        #expect(parts.allSatisfy { $0.isEnded })
      } else {
        #expect(fault != nil, "in pieces of \(size)")
      }
    }
  }

  @Test func `the parts of a random multipart body are parsed correctly even if the body arrives in random pieces`() {
    var generator = SeededRandom(seed: 3)
    let alphabet = Array("\r\n-bX ".utf8)
    for _ in 0..<2_000 {
      let contents = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
        (0..<Int.random(in: 0...30, using: &generator)).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
      }.filter { !String(decoding: [0x0D, 0x0A] + $0, as: UTF8.self).utf8.containsSequence("\r\n--bX") }
      var body: [UInt8] = []
      for content in contents { body += Array("--bX\r\nName: v\r\n\r\n".utf8) + content + [0x0D, 0x0A] }
      body += Array("--bX--\r\n".utf8)
      let (parts, fault) = Self.parse(body, boundary: "bX") { Int.random(in: 1...12, using: &generator) }
      #expect(fault == nil)
      #expect(parts.map(\.data) == contents)
    }
  }

  @Test func `a multipart body with too long headers or too many parts is refused`() {
    let long = Array("--b\r\nA: ".utf8) + [UInt8](repeating: 0x61, count: 20_000)
    #expect(Self.parse(long, boundary: "b") { 1_000 }.fault?.contains("header section") == true)
    let many = Array(String(repeating: "--b\r\n\r\n\r\n", count: 10_001).utf8)
    #expect(Self.parse(many, boundary: "b") { 65_536 }.fault?.contains("more than") == true)
  }
}

extension String.UTF8View {
  fileprivate func containsSequence(_ text: String) -> Bool {
    let bytes = Array(self)
    let needle = Array(text.utf8)
    return bytes.indices.contains { bytes[$0...].starts(with: needle) }
  }
}
