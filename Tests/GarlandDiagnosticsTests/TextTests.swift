import GarlandDiagnostics
import Testing

@Suite struct TextTests {
  @Test(
    arguments: [
      ("", 0), ("abc", 3), ("äöü", 3), ("a\u{308}", 1), ("日本", 4), ("ｆｕ", 4), ("ｱ", 1), ("😀", 2), ("👨‍👩‍👧", 2), ("🇩🇪", 2), ("❤️", 2), ("❤", 1),
      ("한글", 4), ("\u{200B}", 0), ("é…–", 3), ("\u{1B}[0m", 3),
    ] as [(String, Int)])
  func `the width of a text counts a wide character as two terminal columns and a combining character as none`(
    _ text: String, _ expected: Int
  ) {
    #expect(DisplayWidth.of(text) == expected)
  }

  @Test func `in displayed text, control characters are replaced by visible symbols`() {
    #expect(DisplayText.visible("plain ä") == "plain ä")
    #expect(DisplayText.visible("\u{1B}[31m\r\n\0\u{7F}\u{202E}\u{85}") == "␛[31m␍␊␀␡<U+202E><U+0085>")
    #expect(DisplayText.visible("a\n\tb\u{7}", keepingLines: true) == "a\n\tb␇")
  }

  @Test func `if console text is shortened to a given width, the beginning and the end of the text are kept`() {
    let text: StyledText = "\("GET", .key) /users/日本語/orders"
    #expect(text.shortened(to: 24) == text)
    #expect(text.shortened(to: 12).plain == "GET /u…rders")
    // A wide character is never split.
    #expect(text.shortened(to: 20).plain == "GET /users…語/orders")
    #expect(text.shortened(to: 2).plain == "G…" && text.shortened(to: 0).plain == "")
    #expect(text.shortened(to: 12).spans.first == .init("GET", .key))
    for width in 0..<26 { #expect(text.shortened(to: width).width <= width) }
  }

  @Test func `a styled text is rendered with its styles, and truncated and padded to a width in terminal columns`() {
    let text: StyledText = "\("passed", .success) \(12) of \("日本", .emphasis)"
    #expect(text.plain == "passed 12 of 日本")
    #expect(text.rendered(.ansi16) == "\u{1B}[32mpassed\u{1B}[0m 12 of \u{1B}[1m日本\u{1B}[0m")
    #expect(text.width == 17)
    #expect(text.truncated(to: 17) == text)
    #expect(text.truncated(to: 16).plain == "passed 12 of 日…")
    #expect(text.truncated(to: 15).plain == "passed 12 of …")
    #expect(text.truncated(to: 0).plain == "")
    #expect(text.padded(to: 19).plain == "passed 12 of 日本  ")
    #expect(text.padded(to: 19, .trailing).plain == "  passed 12 of 日本")
    #expect((text + text).spans.count == 6)
  }
}
