import GarlandTransfer
import TestSupport
import Testing

@Suite struct CookieTests {
  private func header(_ fields: [String], from: String, for url: String, at now: Int64 = 1_000_000) throws -> String? {
    var store = CookieStore()
    for field in fields { store.store(setCookie: field, from: try URLReference(from), at: now) }
    return store.header(for: try URLReference(url), at: now)
  }

  @Test(
    arguments: [
      (["a=b"], "http://h.example/x/y", "http://h.example/x/z", "a=b"), (["a=b"], "http://h.example/x/y", "http://h.example/", nil),
      (["a=b"], "http://h.example/", "http://sub.h.example/", nil),
      (["a=b; Domain=h.example"], "http://h.example/", "http://sub.h.example/", "a=b"),
      (["a=b; Domain=.h.example"], "http://h.example/", "http://sub.h.example/", "a=b"),
      (["a=b; Domain=other.example"], "http://h.example/", "http://other.example/", nil),
      (["a=b; Domain=com"], "http://h.com/", "http://h.com/", nil), (["a=b; Domain=co.uk"], "http://h.co.uk/", "http://h.co.uk/", nil),
      (["a=b; Secure"], "https://h.example/", "http://h.example/", nil),
      (["a=b; Secure"], "https://h.example/", "https://h.example/", "a=b"),
      (["a=b; Max-Age=0"], "http://h.example/", "http://h.example/", nil),
      (["a=b; Max-Age=9223372036854775807"], "http://h.example/", "http://h.example/", "a=b"),
      (["a=b; Max-Age=99999999999999999999999"], "http://h.example/", "http://h.example/", "a=b"),
      (["a=b; Max-Age=-99999999999999999999999"], "http://h.example/", "http://h.example/", nil),
      (["a=b", "a=; Max-Age=0"], "http://h.example/", "http://h.example/", nil),
      (["a=1; Path=/x", "b=2; Path=/x/y", "c=3"], "http://h.example/", "http://h.example/x/y", "b=2; a=1; c=3"),
      (["a=1; Path=/x"], "http://h.example/", "http://h.example/xy", nil),
      (["a=1; Expires=Wed, 21 Oct 2037 07:28:00 GMT"], "http://h.example/", "http://h.example/", "a=1"),
      (["a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT"], "http://h.example/", "http://h.example/", nil),
      (["__Host-a=1; Path=/"], "https://h.example/", "https://h.example/", nil),
    ] as [([String], String, String, String?)])
  func `cookies are stored and sent as defined in RFC 6265`(_ fields: [String], _ from: String, _ url: String, _ expected: String?) throws {
    #expect(try header(fields, from: from, for: url) == expected)
  }

  @Test func `cookies are unchanged after they are written to a file and read back`() {
    let cookies = [
      Cookie(name: "a", value: "1", domain: "h.example", path: "/x", expires: 2_000_000_000, isSecure: true, isHTTPOnly: true),
      Cookie(name: "b", value: "", domain: "h.example", isHostOnly: false),
    ]
    let text = CookieFile.text(of: cookies)
    #expect(CookieFile.text(of: CookieFile.parse(text)) == text)
    #expect(CookieFile.parse(text).map(\.name) == ["b", "a"])
  }

  /// Uses curl with httpbin.
  @Test(.timeLimit(.minutes(15)))
  func `curl can read a cookie file that Garland has written, and Garland can read one that curl has written`()
    async throws
  {
    let httpbin = try HTTPBinServer.shared()
    let folder = try TemporaryFolder()
    let theirs = try await ChildProcess.run(
      "/usr/bin/curl", ["-sS", "-L", "-b", "none", "-c", folder.path + "/theirs", httpbin.url + "/cookies/set?a=1"])
    #expect(theirs.status == 0, "\(theirs.error)")
    let read = CookieFile.parse(String(decoding: try folder.read("theirs"), as: UTF8.self))
    #expect(read.map { "\($0.name)=\($0.value) \($0.domain)\($0.path)" } == ["a=1 127.0.0.1/"])
    let ours = [
      Cookie(name: "b", value: "2", domain: "127.0.0.1", expires: 4_000_000_000, isHTTPOnly: true),
      Cookie(name: "c", value: "3", domain: "elsewhere.example"),
    ]
    try folder.write("ours", Array(CookieFile.text(of: ours).utf8))
    let echo = try await ChildProcess.run("/usr/bin/curl", ["-sS", "-b", folder.path + "/ours", httpbin.url + "/cookies"])
    #expect(echo.output.filter { !$0.isWhitespace } == #"{"cookies":{"b":"2"}}"#)
  }
}
