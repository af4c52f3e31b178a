import TestSupport
import Testing

@testable import GarlandText

@Suite struct PercentEncodingTests {
  @Test func `a set of bytes has the ASCII characters of its text, and sets can be combined`() {
    let set = PercentEncoding.ByteSet("a~é\0")
    #expect((UInt8.min ... .max).filter(set.contains) == [0, UInt8(ascii: "a"), UInt8(ascii: "~")])
    #expect(set.intersection(.init("ab")) == .init("a"))
    #expect(set.union(.init("b")) == .init("ab~\0"))
    #expect(set.intersection(.init("b")).isEmpty)
  }

  @Test func `every character outside of the unreserved set is percent-encoded as its UTF-8 bytes`() {
    #expect(PercentEncoding.encode("aZ09-._~") == "aZ09-._~")
    #expect(PercentEncoding.encode("a b/ü") == "a%20b%2F%C3%BC")
  }

  @Test func `percent-encoding does not change characters that the caller allows, such as the slash of a path`() {
    #expect(PercentEncoding.encode("/a b", keeping: PercentEncoding.filePath) == "/a%20b")
  }

  @Test(arguments: [
    ("a%20b", "a b"), ("%C3%BC", "ü"), ("%c3%bc", "ü"), ("100%", "100%"), ("%4", "%4"), ("%zz", "%zz"), ("%%41", "%A"), ("%+1", "%+1"),
  ])
  func `percent-decoding does not change a percent sign that is not followed by two hexadecimal digits`(text: String, decoded: String) {
    #expect(PercentEncoding.text(decoding: text) == decoded)
  }

  @Test(arguments: ["100%", "%4", "%zz", "%%41", "%FF"])
  func `if validation is requested, percent-encoded text with an invalid escape or invalid UTF-8 is refused`(text: String) {
    #expect(PercentEncoding.strictText(decoding: text) == nil)
  }

  @Test func `percent-encoded UTF-8 in a URI fragment, such as 'a%20%C3%BC', is decoded`() {
    #expect(PercentEncoding.strictText(decoding: "a%20%C3%BC") == "a ü")
    #expect(PercentEncoding.strictText(decoding: "a b") == "a b")
  }

  @Test func `a plus sign is decoded as a space only in form encoding`() {
    #expect(PercentEncoding.text(decoding: "a%20b+c") == "a b+c")
    #expect(PercentEncoding.text(decoding: "a%20b+c%2B", plusIsSpace: true) == "a b c+")
  }

  @Test func `invalid UTF-8 in percent-encoded text is decoded as U+FFFD, or refused if validation is requested`() {
    #expect(PercentEncoding.text(decoding: "%ff") == "\u{FFFD}")
    #expect(PercentEncoding.text(validating: "%ff") == nil)
  }

  @Test func `bytes are unchanged after percent-encoding and decoding`() {
    var generator = SeededRandom(seed: 11)
    for _ in 0..<2_000 {
      let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator) }
      #expect(PercentEncoding.decode(PercentEncoding.encode(bytes)) == bytes)
    }
  }
}
