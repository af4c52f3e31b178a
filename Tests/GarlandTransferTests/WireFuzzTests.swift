import HTTPTypes
import TestSupport
import Testing

@testable import GarlandTransfer

/// Checks every parser of received data with mutated and random input: parsing ends, does not crash, and keeps
/// its guarantees.
@Suite("Parsers of received data, with random input", .timeLimit(.minutes(15)))
struct WireFuzzTests {

  static let rounds = 3_000
  static let salt = Array(" \t\r\n;,=\"'\\/?#%&@:[]<>()*+-._~0123456789aAzZ\u{0}\u{7F}é€😀\u{202E}".unicodeScalars)

  /// Returns a seed with some scalars changed, removed, repeated or inserted, and sometimes only
  /// random text.
  static func mutated(_ seeds: [String], _ generator: inout SeededRandom) -> String {
    var scalars = Array((seeds.randomElement(using: &generator) ?? "").unicodeScalars)
    if Int.random(in: 0..<10, using: &generator) == 0 {
      scalars = (0..<Int.random(in: 0...40, using: &generator)).compactMap { _ in salt.randomElement(using: &generator) }
    }
    for _ in 0..<Int.random(in: 0...4, using: &generator) {
      let place = Int.random(in: 0...scalars.count, using: &generator)
      let grain = salt.randomElement(using: &generator) ?? " "
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: scalars.insert(grain, at: place)
      case 1: if place < scalars.count { scalars[place] = grain }
      case 2: if place < scalars.count { scalars.remove(at: place) }
      default: scalars.insert(contentsOf: scalars[..<place].suffix(5), at: place)
      }
    }
    return String(String.UnicodeScalarView(scalars))
  }

  @Test func `random URLs are unchanged after parsing and writing`() {
    var generator = SeededRandom(seed: 1)
    let seeds = [
      "http://user:pa%20ss@example.com:8080/a/b/../c?q=1&r=a+b#top", "https://[2001:db8::1]:443/", "//host", "../g;x=1/./y", "?q",
      "mailto:a@b", "http://bücher.example/ä?ö#ü", "file:///etc/passwd", "http://h/%zz%2",
    ]
    for _ in 0..<Self.rounds {
      let text = Self.mutated(seeds, &generator)
      guard let url = try? URLReference(text) else { continue }
      let written = url.description
      #expect(!written.utf8.contains { $0 <= 0x20 || $0 >= 0x7F }, "\(text.debugDescription)")
      // The written URL parses to the same URL.
      let again = try? URLReference(written)
      #expect(again?.description == written, "\(text.debugDescription): \(written)")
      if let base = try? URLReference("http://a/b/c/d;p?q") {
        #expect(!url.resolved(against: base).path.contains("/../"), "\(text.debugDescription)")
      }
    }
  }

  @Test func `random cookies never put control characters into a request header`() throws {
    var generator = SeededRandom(seed: 2)
    let seeds = [
      "a=b; Path=/; Domain=example.com; Max-Age=10; Secure; HttpOnly; SameSite=Lax", "id=\"q;x\"; Expires=Wed, 21 Oct 2015 07:28:00 GMT",
      "=v", "n", "a=b=c; domain=.; path", "a=b; max-age=99999999999999999999; expires=never",
    ]
    let url = try URLReference("http://www.example.com/a/b")
    for _ in 0..<Self.rounds {
      let text = Self.mutated(seeds, &generator)
      _ = SetCookie(text)
      let jar = CookieJar()
      var fields = HTTPFields()
      fields[.setCookie] = text.filter { $0 != "\r" && $0 != "\n" && $0 != "\0" && $0 != "\r\n" }
      jar.store(fields, from: url)
      if let header = jar.header(for: url) { #expect(!header.utf8.contains { $0 < 0x20 && $0 != 9 }) }
    }
  }

  @Test func `a date that is parsed from random cookie text lies between the years 1601 and 9999`() {
    var generator = SeededRandom(seed: 3)
    let seeds = ["Wed, 21 Oct 2015 07:28:00 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "29 Feb 2023 1:1:1"]
    for _ in 0..<Self.rounds {
      guard let seconds = CookieDate.parse(Self.mutated(seeds, &generator)) else { continue }
      // RFC 6265, section 5.1.1: no year is before 1601.
      #expect(seconds >= -11_644_473_600 && seconds < 253_402_300_800)
    }
  }

  @Test func `random cookie files are unchanged after reading and writing`() {
    var generator = SeededRandom(seed: 4)
    let seeds = ["# Netscape HTTP Cookie File\n.example.com\tTRUE\t/\tFALSE\t0\tname\tvalue\n#HttpOnly_h\tFALSE\t/\tTRUE\t1\ta\tb"]
    for _ in 0..<Self.rounds {
      let cookies = CookieFile.parse(Self.mutated(seeds, &generator))
      // The written file parses to the same cookies.
      let text = CookieFile.text(of: cookies)
      #expect(CookieFile.text(of: CookieFile.parse(text)) == text)
    }
  }

  @Test func `random Content-Disposition values give safe file names`() {
    var generator = SeededRandom(seed: 5)
    let seeds = [
      "attachment; filename=\"a b.txt\"; filename*=UTF-8''%e2%82%ac.txt", "inline; filename=../x", "attachment; filename*=utf-8''",
    ]
    for _ in 0..<Self.rounds {
      var fields = HTTPFields()
      fields[.contentDisposition] = Self.mutated(seeds, &generator).filter { $0 != "\r" && $0 != "\n" && $0 != "\0" && $0 != "\r\n" }
      let name = DownloadName.suggested(by: fields, url: Self.mutated(["/a/b%2fc", "/%2e%2e"], &generator))
      #expect(!name.isEmpty && name.utf8.count <= 200 && !name.contains("/") && !name.contains("\\"), "\(name.debugDescription)")
      #expect(!name.hasPrefix(".") && !name.hasPrefix("-") && !name.unicodeScalars.contains { $0.value < 0x20 })
    }
  }

  @Test func `parsing randomly changed response headers never gives a header field with a line break`() {
    var generator = SeededRandom(seed: 6)
    let seeds = [
      "HTTP/1.1 200 OK", "HTTP/2 204", "HTTP/1.1 99999 X", "HTTP/1.1", "Content-Length: 12", "Content-Length: -1", " folded", "X: y", ": z",
      "no colon", "Location: /x", "Set-Cookie: a=b", "X-Ä: ö",
    ]
    for _ in 0..<Self.rounds {
      var head = ResponseHead()
      do {
        for _ in 0..<Int.random(in: 1...8, using: &generator) {
          let line = Array((Self.mutated(seeds, &generator) + "\r\n").utf8)
          let result: Result<ResponseHead.Line, InvalidHead> = line.withUnsafeBytes { bytes in
            do throws(InvalidHead) { return .success(try head.take(bytes)) } catch { return .failure(error) }
          }
          _ = try result.get()
        }
      } catch {
        continue
      }
      for field in head.fields {
        #expect(!field.value.utf8.contains(10) && !field.value.utf8.contains(13) && !field.value.utf8.contains(0))
      }
      #expect(head.status >= 0 && head.status <= 999)
    }
  }

  @Test func `random host names, IP networks and proxy exceptions never crash their parsers`() {
    var generator = SeededRandom(seed: 7)
    for _ in 0..<Self.rounds {
      let text = Self.mutated(["bücher.example", "xn--bcher-kva.example", "EXAMPLE.com.", "a..b", "[::1]", "☃.net"], &generator)
      if let host = HostName.ascii(text[...]) { #expect(host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "\(text.debugDescription)") }
      _ = IPNetwork(Self.mutated(["10.0.0.0/8", "fe80::/10", "1.2.3.4", "::1/129"], &generator))
      _ = ProxyExceptions(list: Self.mutated([".example.com, 10.0.0.0/8,*,[::1]:80"], &generator))
    }
  }
}
