import Testing

@testable import GarlandText

@Suite struct MarkupTests {
  @Test func `escaped text has a reference for each character that could begin or end markup`() {
    #expect(Markup.escape("<a href=\"x\">'b' & c</a>") == "&lt;a href=\"x\"&gt;'b' &amp; c&lt;/a&gt;")
  }

  @Test func `escaped text has the caller's replacement of any other character`() {
    #expect(Markup.escape("\"<\r\n") { $0 == "\"" ? "&quot;" : $0 == "\r" ? "&#13;" : nil } == "&quot;&lt;&#13;\n")
  }

  @Test func `a character of markup is escaped even before a combining mark`() {
    #expect(Markup.escape("<\u{338}") == "&lt;\u{338}")
  }
}
