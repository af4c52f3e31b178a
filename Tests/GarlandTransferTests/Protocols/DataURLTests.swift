import HTTPTypes
import TestSupport
import Testing

@testable import GarlandTransfer

@Suite struct DataURLTests {
  /// The cases include the examples of RFC 2397.
  @Test(arguments: [
    ("data:,A%20brief%20note", "text/plain;charset=US-ASCII", "A brief note"),
    ("data:text/plain;charset=iso-8859-7,%be%fg%be", "text/plain;charset=iso-8859-7", "\u{FFFD}%fg\u{FFFD}"),
    (
      "data:application/vnd-xxx-query,select_vcount,fcol_from_fieldtable/local", "application/vnd-xxx-query",
      "select_vcount,fcol_from_fieldtable/local"
    ),
    ("data:text/plain;base64,aGVsbG8=", "text/plain", "hello"), ("DATA:;BASE64,aGVsbG8", "text/plain;charset=US-ASCII", "hello"),
    ("data:;charset=utf-8,%C3%BC", "text/plain;charset=utf-8", "ü"), ("data:text/html; base64 , a G V s bG8 = ", "text/html", "hello"),
    ("data:image/svg+xml;utf8,<svg/>#part", "image/svg+xml;utf8", "<svg/>"), ("data:,", "text/plain;charset=US-ASCII", ""),
    ("data:;base64,", "text/plain;charset=US-ASCII", ""), ("data:nonsense,x", "text/plain;charset=US-ASCII", "x"),
    ("data:text/plain;base64;x=y,aGVs", "text/plain;base64;x=y", "aGVs"),
    ("data:;base64,aGVs%0AbG8%3D", "text/plain;charset=US-ASCII", "hello"),
  ]) func `a data URL yields its media type and content`(_ url: String, _ type: String, _ content: String) throws {
    let data = try DataURL(url)
    #expect(data.mediaType == type)
    #expect(String(decoding: data.bytes, as: UTF8.self) == content)
  }

  @Test(arguments: [
    "data:", "data:text/plain", "data:text/plain#,x", "data:;base64,a", "data:;base64,a===", "data:;base64,a*bc", "dat:,x", "data", "",
  ])
  func `an invalid data URL is refused`(_ url: String) {
    #expect(throws: NetworkingError.self) { try DataURL(url) }
  }

  @Test func `random data URLs never crash their decoder`() throws {
    var generator = SeededRandom(seed: 7)
    for _ in 0..<300 {
      let bytes = (0..<Int.random(in: 0..<40, using: &generator)).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
      let percent = bytes.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      #expect(try DataURL("data:a/b," + percent).bytes == bytes)
    }
    // Random texts are decoded or refused.
    let pieces = ["data:", ",", ";", "base64", "a", "=", "%", "%4", "/", "#", "ü", "\u{0}", " "]
    for _ in 0..<2_000 {
      let text =
        "data:" + (0..<Int.random(in: 0..<8, using: &generator)).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
      _ = try? DataURL(text)
    }
  }

  @Test(arguments: [
    ("file:///etc/hosts", "/etc/hosts"), ("file:/etc/hosts", "/etc/hosts"), ("FILE://localhost/a%20b?x#y", "/a b"), ("file:////x", "//x"),
    ("file:///a/../b", "/a/../b"),
  ]) func `a valid file URL is parsed to the path of the file`(_ url: String, _ path: String) throws {
    #expect(try LocalResource(url) == .file(path: path))
  }

  @Test(arguments: ["file://example.com/etc/hosts", "file:etc/hosts", "file:", "file:///a%00b", "file:///%ff", "file://localhost"])
  func `a file URL with a host, a relative path or invalid bytes is refused`(_ url: String) {
    #expect(throws: NetworkingError.self) { try LocalResource(url) }
  }
}
