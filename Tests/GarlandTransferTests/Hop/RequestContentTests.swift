import Testing

@testable import GarlandTransfer

@Suite struct RequestContentTests {
  private func content(_ text: String, announced: Int64?) -> RequestContent {
    var content = RequestContent()
    content.reader = BytesReader(Array(text.utf8))
    content.length = announced
    return content
  }

  /// Reads up to `count` bytes and describes the result.
  private func read(_ content: inout RequestContent, _ count: Int) -> String {
    var bytes = [UInt8](repeating: 0, count: count)
    switch bytes.withUnsafeMutableBytes({ content.read(into: $0) }) {
    case .bytes(let count): return String(decoding: bytes.prefix(count), as: UTF8.self)
    case .end: return "end"
    case .wait: return "wait"
    case .failed(let reason): return NetworkingError(reason).description
    }
  }

  @Test func `a request body whose length equals its Content-Length is read to its end`() {
    var content = content("book", announced: 4)
    #expect(content.isUnfinished)
    let first = read(&content, 3)
    #expect(first == "boo")
    #expect(content.sent == 3)
    let second = read(&content, 3)
    #expect(second == "k")
    #expect(!content.isUnfinished)
    let third = read(&content, 3)
    #expect(third == "end")
  }

  @Test func `a request fails if its body is longer than its Content-Length`() {
    var content = content("book", announced: 2)
    let first = read(&content, 4)
    #expect(first.contains("longer than the 2 bytes announced"))
  }

  @Test func `a request fails if the request body has fewer bytes than its Content-Length announces`() {
    var content = content("book", announced: 9)
    let first = read(&content, 9)
    #expect(first == "book")
    let second = read(&content, 9)
    #expect(second.contains("ended after 4 of the 9 bytes announced"))
  }

  @Test func `a request body without a Content-Length may have any length`() {
    var content = content("book", announced: nil)
    let first = read(&content, 9)
    #expect(first == "book")
    let second = read(&content, 9)
    #expect(second == "end")
  }

  @Test func `if a request is repeated, its body is sent again from the first byte`() {
    var content = content("book", announced: 4)
    _ = read(&content, 3)
    let first = content.rewind()
    #expect(first)
    #expect(content.sent == 0)
    let second = read(&content, 9)
    #expect(second == "book")
  }

  @Test func `rewinding the body of a request fails if the request has no body`() {
    var content = RequestContent()
    let first = content.rewind()
    #expect(!first)
  }

  @Test(arguments: [(Int64(1 << 20), false), ((1 << 20) + 1, true), (nil, true)] as [(Int64?, Bool)])
  func `with the Expect setting 'automatic', only a body over 1 MiB or of unknown length causes an Expect header`(
    length: Int64?, asks: Bool
  ) {
    let content = content("", announced: length)
    #expect(content.asksForLeave(.automatic) == asks)
    #expect(content.asksForLeave(.always))
    #expect(!content.asksForLeave(.never))
  }

  @Test func `if a request body is read again for a SHA-256 digest, the MD5 digest from the first reading is kept`() throws {
    var content = RequestContent()
    content.take(PayloadPass.Facts(length: 3, digests: [.sha256: "a", .md5: "b"]))
    content.take(PayloadPass.Facts(length: 4, digests: [.sha256: "c"]))
    #expect(content.length == 4)
    #expect(content.facts?.digests == [.sha256: "c", .md5: "b"])
  }
}
