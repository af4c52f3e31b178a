import HTTPTypes
import Testing

@testable import GarlandTransfer

/// Tests that fields parsed on demand equal those parsed immediately.
@Suite struct ReceivedFieldsTests {
  private func head(_ lines: [String]) throws -> ResponseHead {
    var head = ResponseHead()
    for line in ["HTTP/1.1 200 OK"] + lines + [""] {
      let bytes = Array((line + "\r\n").utf8)
      _ = try bytes.withUnsafeBytes { buffer -> Result<ResponseHead.Line, InvalidHead> in
        do throws(InvalidHead) {
          return .success(try head.take(buffer))
        } catch {
          return .failure(error)
        }
      }.get()
    }
    return head
  }

  @Test func `received header fields keep their order and the letter case of their names`() throws {
    let head = try head([
      "Server: a", "set-cookie: x=1", "Set-Cookie: y=2", "X-Odd:   b c  ", "no field", ": nothing", "bad name: 1", "X-Empty:",
    ])
    #expect(
      head.fields.map { "\($0.name.rawName)=\($0.value)" } == ["Server=a", "set-cookie=x=1", "Set-Cookie=y=2", "X-Odd=b c", "X-Empty="])
    #expect(head.fields[values: .setCookie] == ["x=1", "y=2"])
    #expect(head.fieldCount == 5)
    #expect(head.received.contains("set-cookie") && head.received.contains("server"))
    #expect(!head.received.contains("location"))
    // Reading again yields the same fields.
    #expect(head.fields == head.fields)
  }

  @Test func `a received header field that is folded over several lines is joined to one value`() throws {
    let head = try head(["X-Long: a", "  b", "\tc", "Server: d"])
    #expect(head.fields.map { "\($0.name.rawName)=\($0.value)" } == ["X-Long=a b c", "Server=d"])
  }

  @Test(
    arguments: [
      (["Content-Length: 12"], 12), (["CONTENT-LENGTH: 0"], 0), (["content-length: 007"], 7), ([], nil),
      (["Content-Length: 9223372036854775807"], Int64.max), (["Content-Length: 0000000000000000000000000012"], 12),
      // The same value several times counts once.
      (["Content-Length: 1", "Content-Length: 1"], 1), (["Content-Length: 5 ,\t5", "content-length: 05"], 5),
      // A chunked body ends with its chunks.
      (["Content-Length: 12", "Transfer-Encoding: chunked"], nil), (["Transfer-Encoding: chunked", "Content-Length: 1, 2"], nil),
    ] as [([String], Int64?)])
  func `a valid Content-Length is parsed`(_ lines: [String], _ expected: Int64?) throws {
    let head = try head(lines)
    #expect(head.contentLength == expected)
    #expect(head.lengthProblem == nil)
  }

  /// The rules are those of RFC 9112, section 6.3.
  @Test(arguments: [
    (["Content-Length: 3", "Content-Length: 5"], "several values for `Content-Length`, 3 and 5:"),
    (["Content-Length: 3, 5, 5, 6, 7"], "several values for `Content-Length`, 3 and 5 and 6:"),
    (["Content-Length: 3", "Content-Length: x"], "its `Content-Length` is \"x\", which is no number of bytes"),
    (["Content-Length: -1"], "is \"-1\""), (["Content-Length: +1"], "is \"+1\""), (["Content-Length: 0x5"], "is \"0x5\""),
    (["Content-Length: 5 5"], "is \"5 5\""), (["Content-Length: 5,"], "is \"\""), (["Content-Length:"], "is \"\""),
    (["Content-Length: 9223372036854775808"], "is \"9223372036854775808\", more bytes than can be counted"),
    (["Content-Length: 99999999999999999999999"], "more bytes than can be counted"),
    (["Content-Length: \u{1B}[31m"], "is \"?[31m\""), (["Content-Length: 1\u{661}"], "is \"1?\""),
  ])
  func `the error for an invalid Content-Length contains the value`(_ lines: [String], _ words: String) throws {
    let head = try head(lines)
    #expect(head.contentLength == nil)
    #expect(head.lengthProblem?.contains(words) == true, "\(head.lengthProblem ?? "")")
  }

  @Test func `the header fields of a response can be created from names and values, without received bytes`() {
    var fields = HTTPFields()
    fields.append(HTTPField(name: .eTag, value: "\"é\""))
    fields.append(HTTPField(name: .contentLength, value: "3"))
    let received = ReceivedFields(fields)
    #expect(received.fields == fields)
    #expect(received.announcedLength == .bytes(3))
    #expect(received.contains("etag"))
  }
}
