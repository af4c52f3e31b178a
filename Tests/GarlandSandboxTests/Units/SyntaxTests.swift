import NIOCore
import Testing

@testable import GarlandSandbox

@Suite struct SyntaxTests {
  @Test func `the sandbox's parser for media types reads parameters such as 'boundary', with or without quotes`() {
    let type = MediaType("Multipart/Form-Data; Boundary=\"a;b\\\"c\" ; charset = utf-8")
    #expect(type.essence == "multipart/form-data")
    #expect(type["boundary"] == "a;b\"c")
    #expect(MediaType("application/problem+json").isJSON)
    #expect(MediaType("").essence.isEmpty)
    #expect(!MediaType("image/png").isTextual)
  }

  @Test func `CRC-32 and Adler-32 checksums of short texts equal the known values`() {
    #expect(CRC32.of("123456789".utf8) == 0xCBF4_3926)
    #expect(Deflate.adler32(Array("Wikipedia".utf8)) == 0x11E6_0398)
    for count in [0, 1, 2, 255, 2_064, 70_001] {
      #expect(CRC32.ofZeros(UInt64(count)) == CRC32.of(repeatElement(0, count: count)))
    }
    #expect(Deflate.raw([UInt8](repeating: 1, count: 70_000)).count == 70_010)
  }

  @Test func `a line break in the value of a response header is replaced by spaces`() {
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

  @Test func `the sandbox sends the parts and pauses of a scripted response in order and then closes the connection`() {
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
