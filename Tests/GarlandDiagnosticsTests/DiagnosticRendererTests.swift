import GarlandDiagnostics
import TestSupport
import Testing

@Suite struct DiagnosticRendererTests {
  static func range(_ file: SourceFile, _ part: String) -> SourceRange {
    let text = String(decoding: file.bytes, as: UTF8.self)
    guard let found = text.firstRange(of: part) else { return SourceRange(file, 0..<0) }
    let lower = text.utf8.distance(from: text.startIndex, to: found.lowerBound)
    return SourceRange(file, lower..<lower + part.utf8.count)
  }

  static let file = SourceFile(
    name: "smoke.yaml",
    bytes: Array(
      """
      garland: 1
      steps:
        health:
          get: /health
          expect:
            statsu: 200
      \t\tname:\t"x"
        日本語: [値, e\u{301}t\u{301}é, wrong, 😀😀] # \u{1B}[31m
        list: [
          1,
          2,
          3
        ]
        health: {}
      """.utf8))

  static func samples() -> [Diagnostic] {
    let long = SourceFile(
      name: "long.yaml",
      bytes: Array(("key: " + String(repeating: "abcdefghi ", count: 600) + "WRONG" + String(repeating: " jklmnopqr", count: 600)).utf8))
    let huge = SourceFile(name: "huge.yaml", bytes: [UInt8](repeating: 0x61, count: 1_000_000))
    return [
      Diagnostic("unknown-key", "unknown key `statsu`", at: range(file, "statsu"), label: "not a key of `expect`")
        .help("did you mean `status`?", fix: .init(range(file, "statsu"), "status")),
      Diagnostic("duplicate-key", "duplicate key `health`", at: SourceRange(file, file.bytes.count - 10..<file.bytes.count - 4))
        .note("first defined here", at: range(file, "health")).note("step ids are unique in a document"),
      Diagnostic(
        "tab-indentation", severity: .warning, "tabs are used in place of spaces", at: range(file, "\"x\""),
        label: "the value after the tabs"),
      Diagnostic("wide", "unknown key after wide characters", at: range(file, "wrong")),
      Diagnostic("wide", "the value has wide characters", at: range(file, "😀😀"), label: "faces"),
      Diagnostic(
        "lines", "expected a text, found a list", at: range(file, "[\n    1,\n    2,\n    3\n  ]"), label: "this list"),
      Diagnostic(
        "place", "expected another step, found the end of the file", at: SourceRange(file, file.bytes.count..<file.bytes.count),
        label: "here"),
      Diagnostic("option", "the value of `--header` has a line break\nand a \u{1B}[31mcontrol character", at: nil).help(
        "write the value on one line"),
      Diagnostic("long", "unknown word `WRONG`", at: range(long, "WRONG"), label: "in the middle of a long line"),
      Diagnostic("long", "unknown word `WRONG`, with a fix", at: range(long, "WRONG"), label: String(repeating: "a long label ", count: 12))
        .help("write `RIGHT`", fix: .init(range(long, "WRONG"), "RIGHT")),
      Diagnostic("long", "the whole line is invalid", at: SourceRange(huge, 0..<1_000_000), label: "the whole line"),
      Diagnostic("long", "the last character is invalid", at: SourceRange(huge, 999_999..<1_000_000), label: "the last character"),
      Diagnostic("insert", "the key `url` is missing", at: range(file, "get")).help(
        "add the key `url`",
        fix: .init(SourceRange(file, range(file, "get").offsets.lowerBound..<range(file, "get").offsets.lowerBound), "url: x\n    ")),
      Diagnostic("remove", "an empty comment", at: range(file, " # ")).help("remove the comment", fix: .init(range(file, " # "), "")),
    ]
  }

  @Test func `in the long output format, the text of all kinds of diagnostics equals the golden file`() {
    expectGolden(DiagnosticRenderer(width: 80).render(Self.samples()).rendered(.plain), "diagnostics.txt")
  }

  @Test func `in the short output format, all kinds of diagnostics look as in the golden file`() {
    expectGolden(DiagnosticRenderer(format: .short).render(Self.samples()).rendered(.plain), "diagnostics-short.txt")
  }

  @Test func `for a terminal with 16 colours, a diagnostic is rendered with ANSI colours`() {
    let text = DiagnosticRenderer(width: 80).render(Array(Self.samples().prefix(1))).rendered(.ansi16)
    expectGolden(text.replacing("\u{1B}", with: "␛"), "diagnostics-colors.txt")
  }

  @Test func `no line of a rendered diagnostic is wider than the terminal`() {
    for width in [40, 80, 120] {
      let samples = Self.samples().filter { $0.message.hasPrefix("a") && $0.range != nil && ($0.label?.count ?? 0) < 100 }
      for line in DiagnosticRenderer(width: width).render(samples).plain.split(separator: "\n") {
        #expect(DisplayWidth.of(String(line)) <= width, "\(line)")
      }
    }
  }

  @Test func `if there are more than 100 diagnostics, the last line states how many diagnostics are not shown`() {
    let many = (0..<250).map { Diagnostic("x", severity: $0 == 0 ? .warning : .error, "number \($0)", at: nil) }
    let text = DiagnosticRenderer(format: .short).render(many).plain
    #expect(text.hasSuffix("\n249 errors, 1 warning (150 not shown)\n"))
    #expect(text.split(separator: "\n").count == 101)
    #expect(DiagnosticRenderer().render([]).isEmpty)
  }

  /// Marks stay below their text when a secret before it is masked, and no part of a secret remains
  /// where a line is cut.
  @Test func `if a secret in a source line is masked, the marks under the line stay aligned`() {
    let redactor = Redactor()
    redactor.register("wonderland")
    var renderer = DiagnosticRenderer(width: 60)
    renderer.redactor = redactor
    let file = SourceFile(name: "a.yaml", bytes: Array("a: { password: wonderland, x: wonderland, tokn: 1 }".utf8))
    let lines = renderer.render(Diagnostic("x", "y", at: Self.range(file, "tokn"))).plain.split(separator: "\n").map(String.init)
    let source = lines.first { $0.contains("password") } ?? ""
    let marks = lines.first { $0.contains("^") } ?? ""
    #expect(source == "1 | a: { password: ***, x: ***, tokn: 1 }")
    #expect(marks.firstIndex(of: "^")?.utf16Offset(in: marks) == source.firstRange(of: "tokn")?.lowerBound.utf16Offset(in: source))
    #expect(marks.filter { $0 == "^" }.count == 4)
    // The secret itself
    let value = renderer.render(
      Diagnostic("x", "y", at: Self.range(file, "wonderland")).help("h", fix: .init(Self.range(file, "tokn"), "token")))
    #expect(value.plain.contains("  |                ^^^\n"))
    #expect(value.plain.contains("1 | a: { password: ***, x: ***, token: 1 }") && !value.plain.contains("wonder"))
    for start in stride(from: 0, to: 60, by: DeepTests.areRun ? 1 : 7) {
      let long = SourceFile(
        name: "l.yaml", bytes: Array((String(repeating: "a", count: start) + " wonderland " + String(repeating: "b", count: 90)).utf8))
      for part in 0..<long.bytes.count - 3 {
        let text = renderer.render(Diagnostic("x", "y", at: SourceRange(long, part..<part + 3))).plain
        #expect(!text.contains("wond") && !text.contains("land"))
      }
    }
  }
}
