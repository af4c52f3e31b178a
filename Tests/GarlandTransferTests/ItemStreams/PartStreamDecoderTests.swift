import HTTPTypes
import TestSupport
import Testing

@testable import GarlandTransfer

/// Tests multipart bodies as defined in RFC 2046, section 5.1, and as cameras send them.
@Suite struct PartStreamDecoderTests {
  /// A part: its header fields, one per line, and its body.
  struct Part: Equatable, CustomStringConvertible {
    var fields: [String] = []
    var body: String
    var description: String { "\(fields) \(body.debugDescription)" }

    init(_ body: String, _ fields: String...) {
      self.fields = fields
      self.body = body
    }
  }

  private static func parts(
    _ bytes: [UInt8], pieces: [Int] = [], boundary: String = "b", _ decoder: inout PartStreamDecoder
  ) throws(PartStreamDecoder.Fault) -> [Part] {
    var parts: [Part] = []
    var (fields, body): ([String], [UInt8]) = ([], [])
    var start = 0
    for size in pieces + [bytes.count] {
      let end = min(bytes.count, start + size)
      decoder.add(bytes[start..<end])
      start = end
      while let token = try decoder.next() {
        switch token {
        case .head(let head): fields = head.map { "\($0.name.rawName): \($0.value)" }
        case .body(let piece): body += piece
        case .end:
          var part = Part(String(decoding: body, as: UTF8.self))
          part.fields = fields
          parts.append(part)
          (fields, body) = ([], [])
        }
      }
    }
    return parts
  }

  private static func parts(_ text: String, boundary: String = "b") throws(PartStreamDecoder.Fault) -> [Part] {
    var decoder = PartStreamDecoder(boundary: boundary)
    return try parts(Array(text.utf8), &decoder)
  }

  @Test(
    arguments: [
      ("--b\r\nA: 1\r\n\r\none\r\n--b\r\n\r\ntwo\r\n--b--\r\n", [Part("one", "A: 1"), Part("two")]),
      // Text before the first boundary and after the last one is not a part.
      ("preamble\r\n--b\r\n\r\none\r\n--b--\r\nepilogue\r\n--b\r\n\r\ntwo\r\n--b--", [Part("one")]),
      // The line end before a boundary belongs to the boundary.
      ("--b\r\n\r\none\r\n\r\n--b--", [Part("one\r\n")]), ("--b\r\n\r\n\r\none\r\n--b--", [Part("\r\none")]),
      ("--b\r\n\r\n\r\n--b--", [Part("")]), ("--b\r\n\r\n--b--", [Part("")]),
      ("--b\r\nA: 1\r\n\r\n--b\r\n\r\n--b--", [Part("", "A: 1"), Part("")]),
      // A boundary may have spaces after it.
      ("--b \t\r\n\r\none\r\n--b  \r\n\r\ntwo\r\n--b-- \r\n", [Part("one"), Part("two")]),
      // A longer word is not a boundary, and neither is a boundary within a line.
      ("--b\r\n\r\n--bc\r\n x--b\r\n--b-\r\n--b--", [Part("--bc\r\n x--b\r\n--b-")]),
      ("x--b\r\n--bc\r\n--b\r\n\r\none\r\n--b--", [Part("one")]),
      // Lines may end with line feeds alone.
      ("--b\nA: 1\n\none\n--b\n\ntwo\n--b--\n", [Part("one", "A: 1"), Part("two")]),
      // A carriage return alone is not a line end.
      ("--b\r\n\r\none\r--b\r\n--b--", [Part("one\r--b")]), ("--b\r\n\r\none\r\r\n--b--", [Part("one\r")]),
      // Header fields may be folded, repeated, without a space, and unknown.
      ("--b\r\nA: 1\r\n 2\r\nA:3\r\nB:  4 \r\n\r\n\r\n--b--", [Part("", "A: 1 2", "A: 3", "B: 4")]),
      // The body ends without a last boundary.
      ("--b\r\n\r\none\r\n--b", []), ("", []), ("--b--", []), ("text", []),
    ] as [(String, [Part])])
  func `a part of a multipart stream ends at its boundary even if the boundary arrives in pieces`(_ text: String, _ parts: [Part])
    throws
  {
    let bytes = Array(text.utf8)
    for pieces in [[], Array(repeating: 1, count: bytes.count), Array(repeating: 3, count: bytes.count)] {
      var decoder = PartStreamDecoder(boundary: "b")
      #expect(try Self.parts(bytes, pieces: pieces, &decoder) == parts)
    }
  }

  @Test func `in a multipart stream, a part with a Content-Length may contain the boundary in its body`() throws {
    let text = "--b\r\nContent-Length: 8\r\n\r\n1\r\n--b\r\n\r\n--b\r\nContent-Length: 1\r\n\r\n2\r\n--b--"
    #expect(try Self.parts(text).map(\.body) == ["1\r\n--b\r\n", "2"])
  }

  @Test func `in a multipart stream, a part with a Content-Length is complete before the next boundary arrives`() throws {
    #expect(try Self.parts("--b\r\nContent-Length: 3\r\n\r\none") == [Part("one", "Content-Length: 3")])
    #expect(try Self.parts("--b\r\nContent-Length: 0\r\n\r\n") == [Part("", "Content-Length: 0")])
  }

  @Test func `a multipart stream is refused if the Content-Length of a part is too small or too large`() {
    for length in [1, 6] {
      #expect(throws: PartStreamDecoder.Fault.wrongLength(Int64(length))) {
        try Self.parts("--b\r\nContent-Length: \(length)\r\n\r\none\r\n--b\r\n\r\ntwo\r\n--b--")
      }
    }
  }

  @Test(arguments: ["x", "-1", "99999999999999999999", ""])
  func `an invalid Content-Length of a part in a multipart stream is ignored`(_ length: String) throws {
    #expect(try Self.parts("--b\r\nContent-Length: \(length)\r\n\r\none\r\n--b--").map(\.body) == ["one"])
  }

  @Test func `a multipart stream is split into parts even if the boundary in its Content-Type includes the two leading hyphens`() throws {
    let text = "--frame\r\n\r\none\r\n--frame\r\n\r\ntwo\r\n--frame--"
    #expect(try Self.parts(text, boundary: "--frame").map(\.body) == ["one", "two"])
    let exact = "----frame\r\n\r\none\r\n--frame\r\n\r\n----frame--"
    #expect(try Self.parts(exact, boundary: "--frame").map(\.body) == ["one\r\n--frame\r\n"])
  }

  @Test func `a multipart stream is refused if the header of a part has a line that is not a header field`() {
    #expect(throws: PartStreamDecoder.Fault.noField("A")) { try Self.parts("--b\r\nA\r\n\r\none\r\n--b--") }
    #expect(throws: PartStreamDecoder.Fault.noField("a b: 1")) { try Self.parts("--b\r\na b: 1\r\n\r\n") }
  }

  @Test func `a multipart part is refused as soon as its unfinished header exceeds the size limit`() {
    for head in [String(repeating: "x", count: 70_000), String(repeating: "A: 1\r\n", count: 14_000)] {
      #expect(throws: PartStreamDecoder.Fault.headTooLong(limit: 65_536)) { try Self.parts("--b\r\n" + head) }
    }
  }

  @Test(
    arguments: [
      ("--b\r\n\r\none", true), ("--b\r\nA: 1\r\n", true), ("--b\r\n\r\none\r\n--b\r\n", false), ("--b\r\n\r\none\r\n--b--", false),
      ("--b\r\nContent-Length: 3\r\n\r\non", true), ("--b\r\nContent-Length: 3\r\n\r\none", false), ("text", false),
    ])
  func `at the end of a multipart stream, the decoder reports whether the last part was incomplete`(_ text: String, _ isInPart: Bool) throws
  {
    var decoder = PartStreamDecoder(boundary: "b")
    _ = try Self.parts(Array(text.utf8), &decoder)
    #expect(decoder.isInPart == isInPart)
    #expect(decoder.hasBoundary == text.hasPrefix("--b"))
  }

  @Test func `the decoder of a multipart stream knows after the last boundary that the stream is complete`() throws {
    var decoder = PartStreamDecoder(boundary: "b")
    _ = try Self.parts(Array("--b\r\n\r\none\r\n--b--".utf8), &decoder)
    #expect(decoder.isClosed)
  }

  @Test(
    arguments: [
      ("multipart/x-mixed-replace; boundary=b", "b"), ("multipart/mixed;x=1; Boundary=\"a b\"", "a b"),
      ("multipart/x-mixed-replace;boundary=--b", "--b"), ("multipart/mixed", nil), ("multipart/mixed; boundary=", nil),
      ("multipart/mixed; boundary=\(String(repeating: "x", count: 201))", nil),
    ] as [(String, String?)])
  func `the boundary of a multipart stream is read from the Content-Type`(_ type: String, _ boundary: String?) {
    #expect(PartStreamDecoder.boundary(ofContentType: type) == boundary)
  }

  /// Decodes 2,000 random bodies of the bytes that have a meaning: each in one piece, byte by byte, and divided
  /// in ten other ways.
  @Test func `the decoder of a multipart stream gives the same parts, however the stream is split into pieces`() throws {
    var random = SeededRandom(seed: 26)
    let words = ["--b", "--b", "--", "b", "-", "\r\n", "\r\n", "\r\n\r\n", "\n", "\r", " ", "A: 1", "Content-Length: 2", "x", "\u{E9}"]
    func outcome(_ bytes: [UInt8], _ pieces: [Int]) -> Result<[Part], PartStreamDecoder.Fault> {
      var decoder = PartStreamDecoder(boundary: "b")
      return Result { () throws(PartStreamDecoder.Fault) in try Self.parts(bytes, pieces: pieces, &decoder) }
    }
    for _ in 0..<2_000 {
      let text = (0..<Int.random(in: 0...40, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }.joined()
      let bytes = Array(text.utf8)
      let whole = outcome(bytes, [])
      #expect(outcome(bytes, Array(repeating: 1, count: bytes.count)) == whole, "\(text.debugDescription)")
      for _ in 0..<10 {
        let pieces = (0..<8).map { _ in Int.random(in: 0...9, using: &random) }
        #expect(outcome(bytes, pieces) == whole, "\(text.debugDescription) in \(pieces)")
      }
    }
  }
}
