import Testing

@testable import GarlandRunner

@Suite("Bodies as text")
struct BodyTextTests {
  @Test(arguments: [
    ("text/html; charset=UTF-8", "utf-8"), ("text/html;charset=\"iso-8859-1\"", "iso-8859-1"),
    ("text/html; a=b; Charset = latin1", "latin1"),
    ("application/json", nil), ("text/plain; charset", nil),
  ])
  func `the charset of a body is read from its Content-Type`(field: String, charset: String?) {
    #expect(BodyText.charset(ofContentType: field) == charset)
  }

  @Test(
    arguments: [
      ([0x68, 0xC3, 0xA9], nil, "hé"), ([0x68, 0xE9], "iso-8859-1", "hé"), ([0x80, 0x41], "windows-1252", "€A"),
      ([0x00, 0x68, 0x00, 0xE9], "utf-16", "hé"), ([0xFF, 0xFE, 0x68, 0x00], "utf-16", "h"), ([0x68, 0x00], "utf-16le", "h"), ([], nil, ""),
      ([0xA4], "iso-8859-15", "€"), ([0xC1], "koi8-r", "а"),
    ] as [([UInt8], String?, String)])
  func `a body is decoded by its charset`(bytes: [UInt8], charset: String?, text: String) throws {
    #expect(try BodyText.decode(bytes, charset: charset).get() == text)
  }

  @Test(
    arguments: [
      ([0xE9], nil, "the body is not text: its bytes are not valid UTF-8"),
      ([0x00], "utf-16", "the body is not text: UTF-16 needs an even number of bytes"),
      ([0xD8, 0x00], "utf-16be", "the body is not text: its bytes are not valid UTF-16"),
      ([0x41], "klingon-8", "the character set klingon-8 of the body is unknown"),
      ([0x81, 0xFF], "euc-jp", "the body is not text: its bytes are not valid euc-jp"),
    ] as [([UInt8], String?, String)])
  func `bytes that are invalid in their charset are not decoded as text`(bytes: [UInt8], charset: String?, message: String) {
    #expect(throws: (any Error).self) { try BodyText.decode(bytes, charset: charset).get() }
    if case .failure(let error) = BodyText.decode(bytes, charset: charset) { #expect(error.message == message) }
  }
}
