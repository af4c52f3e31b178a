import TestSupport
import Testing

@testable import GarlandTransfer

@Suite struct LineStreamDecoderTests {
  private static func lines(_ bytes: [UInt8], pieces: [Int] = [], limit: Int = 1 << 20) throws -> [String] {
    var decoder = LineStreamDecoder(limit: limit)
    var lines: [String] = []
    let take = { (line: UnsafeRawBufferPointer) in
      lines.append(String(decoding: line, as: UTF8.self))
      return true
    }
    var start = 0
    for size in pieces + [bytes.count] {
      let end = min(bytes.count, start + size)
      _ = try bytes[start..<end].withUnsafeBytes { piece throws(StreamItemTooLong) in try decoder.decode(piece, take) }
      start = end
    }
    decoder.finish(take)
    return lines
  }

  @Test(
    arguments: [
      ("1\n2\n", ["1", "2"]), ("1\n2", ["1", "2"]), ("1\r\n2\r\n", ["1", "2"]), ("\n\n1\n\r\n\n2\n\n", ["1", "2"]), ("", []), ("\n", []),
      ("\u{FEFF}1\n2", ["1", "2"]), ("a\rb\n", ["a\rb"]), ("\u{FEFF}", []), ("{\"a\": \"\u{E9}\"}\n", ["{\"a\": \"\u{E9}\"}"]),
    ] as [(String, [String])])
  func `the decoder of a line stream returns all lines that are not empty, without their line ends`(_ stream: String, _ lines: [String])
    throws
  {
    #expect(try Self.lines(Array(stream.utf8)) == lines)
  }

  @Test func `the size limit of a line stream applies to each line, not to the whole stream`() throws {
    let long = Array(repeating: UInt8(ascii: "x"), count: 101)
    for pieces in [[], Array(repeating: 1, count: 101)] {
      #expect(throws: StreamItemTooLong(limit: 100)) { try Self.lines(long, pieces: pieces, limit: 100) }
      #expect(throws: StreamItemTooLong(limit: 100)) { try Self.lines(long + [0x0A], pieces: pieces, limit: 100) }
    }
    #expect(try Self.lines(Array(String(repeating: "xxxxxxxxx\n", count: 1_000).utf8), limit: 10).count == 1_000)
  }

  @Test func `the decoding of a line stream stops after a line that the caller refuses`() throws {
    var decoder = LineStreamDecoder(limit: 100)
    var count = 0
    let goesOn = try Array("1\n2\n3\n".utf8).withUnsafeBytes { piece throws(StreamItemTooLong) in
      try decoder.decode(piece) { _ in
        count += 1
        return count < 2
      }
    }
    #expect(!goesOn && count == 2)
  }

  @Test func `the decoder of a line stream gives the same lines, however the stream is split into pieces`() throws {
    var random = SeededRandom(seed: 25)
    let parts = ["\n", "\n", "\r\n", "\r", "a", "{}", "\u{E9}", "\u{FEFF}"]
    for _ in 0..<1_000 {
      let stream = Array((0..<Int.random(in: 0...30, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }.joined().utf8)
      let whole = try Self.lines(stream)
      #expect(try Self.lines(stream, pieces: Array(repeating: 1, count: stream.count)) == whole)
      #expect(try Self.lines(stream, pieces: (0..<8).map { _ in Int.random(in: 0...9, using: &random) }) == whole)
    }
  }
}
