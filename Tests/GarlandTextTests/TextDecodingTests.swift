import GarlandText
import Testing

@testable import GarlandText

/// Decoding bytes as text, for the console and for expectations alike.
@Suite struct TextDecodingTests {
  @Test(arguments: [
    ("text/html; charset=UTF-8", "utf-8"), ("text/html;charset=\"iso-8859-1\"", "iso-8859-1"),
    ("text/html; a=b; Charset = latin1", "latin1"),
    ("application/json", nil), ("text/plain; charset", nil), ("text/plain; charset=", nil), ("text/plain; charset=\"\"", nil), ("", nil),
  ]) func `the charset is read from a media type`(type: String, charset: String?) { #expect(TextDecoding.charset(of: type) == charset) }

  @Test(
    arguments: [
      ([0x68, 0xC3, 0xA9], "UTF-8", "hé"), ([0xEF, 0xBB, 0xBF, 0x68], "utf8", "h"), ([0x68], "us-ascii", "h"),
      ([0x68, 0xE9], "ISO-8859-1", "hé"),
      ([0x80, 0x81, 0x41], "windows-1252", "€\u{81}A"), ([0x00, 0x68, 0x00, 0xE9], "utf-16", "hé"),
      ([0xFF, 0xFE, 0x68, 0x00], "utf-16", "h"),
      ([0x68, 0x00], "utf-16le", "h"), ([0xFE, 0xFF, 0x00, 0x68], "utf-16le", "h"), ([0xD8, 0x3D, 0xDE, 0x00], "utf-16be", "😀"),
      ([0xA4], "iso-8859-15", "€"), ([0xC1], "koi8-r", "а"), ([0x82, 0xA0], "Shift_JIS", "あ"), ([], "utf-16", ""), ([], "gb18030", ""),
    ] as [([UInt8], String, String)]) func `bytes in each supported charset are decoded to the expected text`(
      bytes: [UInt8], charset: String, text: String
    )
  {
    #expect(TextDecoding.text(of: bytes, charset: charset) == .success(text))
  }

  @Test(
    arguments: [
      ([0xE9], "utf-8", .invalid), ([0xE9], "ascii", .invalid), ([0x00], "utf-16", .oddCount), ([0xD8, 0x00], "utf-16be", .invalid),
      ([0x41], "klingon-8", .unknown), ([0x41], "utf-8//translit", .unknown), ([0x41], "../x", .unknown), ([0x41], "", .unknown),
      ([0x81, 0xFF], "euc-jp", .invalid), ([0x82], "shift_jis", .invalid),
    ] as [([UInt8], String, TextDecoding.Problem)]) func `if bytes are invalid in their charset, the error contains the reason`(
      bytes: [UInt8], charset: String, problem: TextDecoding.Problem
    )
  {
    #expect(TextDecoding.text(of: bytes, charset: charset) == .failure(problem))
  }

  @Test(
    arguments: [
      ([0x61, 0xC3], "utf-8"), ([0x61, 0xF0, 0x9F, 0x98], "utf-8"), ([0x00, 0x61, 0x00], "utf-16"), ([0x00, 0x61, 0xD8, 0x3D], "utf-16be"),
      ([0x61, 0x82], "shift_jis"),
    ] as [([UInt8], String)]) func `if more bytes will follow, an incomplete character at the end is left out of the decoded text`(
      bytes: [UInt8], charset: String
    )
  {
    #expect(TextDecoding.text(of: bytes, charset: charset, isComplete: false) == .success("a"))
    #expect(TextDecoding.text(of: bytes, charset: charset) != .success("a"))
  }

  @Test(arguments: ["iso-8859-1", "windows-1252", "utf-16", "utf-16le", "shift_jis", "iso-8859-15"])
  func `the decoding of bytes as text stops with an error when its time limit is reached`(charset: String) {
    let bytes = [UInt8](repeating: 0xB1, count: 1 << 17)
    let result = TextDecoding.text(of: bytes, charset: charset) { true }
    #expect(result == .failure(.outOfTime))
  }
}
