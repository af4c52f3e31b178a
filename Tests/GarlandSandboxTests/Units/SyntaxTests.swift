import NIOCore
import Testing

@testable import GarlandSandbox

@Suite struct SyntaxTests {
  @Test func `an HTTP date survives a round trip, and a malformed one is refused`() {
    #expect(HTTPDate.format(784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(HTTPDate.format(0) == "Thu, 01 Jan 1970 00:00:00 GMT")
    #expect(HTTPDate.format(-1) == "Wed, 31 Dec 1969 23:59:59 GMT")
    #expect(HTTPDate.format(951_827_696) == "Tue, 29 Feb 2000 12:34:56 GMT")
    for seconds in stride(from: -3_000_000_000, through: 9_000_000_000, by: 86_400 * 13 + 12_345) {
      #expect(HTTPDate.parse(HTTPDate.format(seconds)) == seconds)
    }
    for text in [
      "", "Sun, 06 Nov 1994", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06 Nov 1994 25:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT",
    ] {
      #expect(HTTPDate.parse(text) == nil)
    }
  }

  @Test func `percent-encoded text is decoded, and a malformed escape is kept`() {
    #expect(PercentCoding.decode("a%20b+c") == "a b+c")
    #expect(PercentCoding.decode("a%20b+c", plusIsSpace: true) == "a b c")
    #expect(PercentCoding.decode("%") == "%")
    #expect(PercentCoding.decode("%4") == "%4")
    #expect(PercentCoding.decode("%zz%41") == "%zzA")
    #expect(PercentCoding.decode("%ff") == "\u{FFFD}")
    #expect(PercentCoding.encode("a b/é~") == "a%20b%2F%C3%A9~")
  }

  @Test func `a media type is read with its parameters`() {
    let type = MediaType("Multipart/Form-Data; Boundary=\"a;b\\\"c\" ; charset = utf-8")
    #expect(type.essence == "multipart/form-data")
    #expect(type["boundary"] == "a;b\"c")
    #expect(MediaType("application/problem+json").isJSON)
    #expect(MediaType("").essence.isEmpty)
    #expect(!MediaType("image/png").isTextual)
  }

  @Test func `each checksum equals its published value`() {
    #expect(CRC32.of("123456789".utf8) == 0xCBF4_3926)
    #expect(Deflate.adler32(Array("Wikipedia".utf8)) == 0x11E6_0398)
    for count in [0, 1, 2, 255, 2_064, 70_001] {
      #expect(CRC32.ofZeros(UInt64(count)) == CRC32.of(repeatElement(0, count: count)))
    }
    #expect(Deflate.raw([UInt8](repeating: 1, count: 70_000)).count == 70_010)
  }

  @Test func `a line break in a header value is replaced by spaces`() {
    let result = ResponseAssembler.assemble(
      SandboxResponse(200, headers: [HeaderField("A", "1\r\nB: 2")]), method: "GET", version: "1.1", keepsConnection: true, date: "now")
    guard case .write(let bytes)? = result.steps.first else {
      Issue.record("the answer begins with \(result.steps)")
      return
    }
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "HTTP/1.1 200 OK\r\nDate: now\r\nServer: garland-sandbox\r\nA: 1  B: 2\r\nContent-Length: 0\r\n\r\n")
  }

  @Test func `a response script is split into writes and pauses and ends with a close`() {
    var cursor = ScriptCursor([
      .text("ab"), .pause(.seconds(1)), .repeated([0x78], times: 3), .pattern(PatternBytes(seed: 1), range: 0..<150_000, chunked: true),
      .close,
    ])
    var log: [String] = []
    loop: while true {
      var buffer = ByteBuffer()
      switch cursor.next(into: &buffer) {
      case .write(let isLast): log.append("\(buffer.readableBytes)\(isLast ? " last" : "")")
      case .pause(let duration): log.append("\(duration)")
      case .close:
        log.append("close")
        break loop
      default:
        log.append("?")
        break loop
      }
    }
    #expect(log.prefix(2) == ["2", "1.0 seconds"])
    #expect(log.last == "close")
    #expect(log.count == 6)
  }
}
