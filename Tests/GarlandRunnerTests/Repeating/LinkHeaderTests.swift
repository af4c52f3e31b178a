import Testing

@testable import GarlandRunner

@Suite struct LinkHeaderTests {
  @Test(
    "the URL of the next page is read from Link headers as in RFC 8288 and as sent by GitHub",
    arguments: [
      // RFC 8288, section 3.5.
      (#"<http://example.com/TheBook/chapter2>; rel="previous"; title="previous chapter""#, nil),
      (#"</>; rel="http://example.net/foo""#, nil),
      (
        #"</TheBook/chapter2>; rel="previous"; title*=UTF-8'de'letztes%20Kapitel, </TheBook/chapter4>; rel="next"; title*=UTF-8'de'n%c3%a4chstes%20Kapitel"#,
        "/TheBook/chapter4"
      ),
      (#"<http://example.org/>; rel="start http://example.net/relation/other""#, nil),
      (#"<https://example.org/>; rel="start", <https://example.org/index>; rel="index""#, nil),
      (#"<https://api.github.com/x?page=2>; rel="next", <https://api.github.com/x?page=9>; rel="last""#, "https://api.github.com/x?page=2"),
      ("<a>;rel=next", "a"), ("<a>; rel = NEXT", "a"), (#"<a,b>; title="x, <c>; rel=next"; rel=next"#, "a,b"),
      (#"<a>; rel=prev; rel=next"#, nil), (#"<a>; title="\"; rel=next"#, nil), ("", nil), ("<a", nil), ("a; rel=next", nil),
      (", ,<a>; rel=next", "a"),
    ] as [(String, String?)])
  func nextPage(_ field: String, _ target: String?) {
    #expect(LinkHeader.target(of: "next", in: [field]) == target)
  }

  @Test func `if several links of a Link header have the same relation, the first link is used`() {
    #expect(LinkHeader.target(of: "next", in: ["<a>; rel=prev", "<b>; rel=next", "<c>; rel=next"]) == "b")
  }
}
