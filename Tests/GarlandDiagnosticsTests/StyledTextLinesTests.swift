import GarlandDiagnostics
import Testing

@Suite struct StyledTextLinesTests {
  @Test func `if terminal output is wrapped to a width, lines break at spaces, and each word keeps its style, such as emphasis`() {
    let text: StyledText = "  one \("two three", .emphasis) four-is-a-long-word  five"
    #expect(text.wrapped(to: 12, indentation: 4).map(\.plain) == ["  one two", "    three", "    four-is-a-long-word", "    five"])
    #expect(text.wrapped(to: 12, indentation: 4)[1].spans.last == StyledText.Span("three", .emphasis))
    #expect(text.wrapped(to: 100, indentation: 4) == [text])
    #expect(StyledText("   ").wrapped(to: 2, indentation: 0).map(\.plain) == [""])
  }

  @Test func `a text with terminal styles can be split into lines and trimmed at the end`() {
    let text: StyledText = "a\n\("b\nc", .dim)\n\n"
    #expect(text.lines.map(\.plain) == ["a", "b", "c", ""])
    #expect(StyledText("").lines.isEmpty)
    #expect((StyledText("a ") + StyledText("  ", .dim)).trimmed.plain == "a")
    #expect(StyledText("  ").trimmed.isEmpty)
  }
}
