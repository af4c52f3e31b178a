import Testing

@testable import GarlandDiagnostics

/// Tests the selection of fixes that are applied at once.
@Suite struct FixSelectionTests {
  private static let file = SourceFile(name: "a.yaml", bytes: Array("one two three\n".utf8))

  private static func place(_ offsets: Range<Int>) -> SourceRange { SourceRange(file, offsets) }

  private static func diagnostic(_ offsets: Range<Int>, _ replacement: String) -> Diagnostic {
    Diagnostic("test", "wrong at \(offsets)", at: place(offsets)).help("write it", fix: .init(place(offsets), replacement))
  }

  private static func selected(_ diagnostics: [Diagnostic]) -> [String] {
    FixSelection(diagnostics) { $0.name }.fixes.map(\.fix.replacement)
  }

  @Test func `fixes of several diagnostics are applied in the order of their locations`() {
    #expect(Self.selected([Self.diagnostic(8..<13, "3"), Self.diagnostic(0..<3, "1")]) == ["1", "3"])
  }

  @Test func `a fix that two diagnostics suggest is applied only once`() {
    #expect(Self.selected([Self.diagnostic(0..<3, "1"), Self.diagnostic(0..<3, "1")]) == ["1"])
  }

  @Test func `if two different fixes change the same range, neither fix is applied`() {
    #expect(Self.selected([Self.diagnostic(0..<3, "1"), Self.diagnostic(0..<3, "2"), Self.diagnostic(8..<13, "3")]) == ["3"])
  }

  @Test func `if one diagnostic has two alternative fixes, neither fix is applied`() {
    let two = Self.diagnostic(0..<3, "1").help("or this", fix: .init(Self.place(0..<3), "2"))
    #expect(Self.selected([two]) == [])
  }

  @Test func `a fix that needs a choice by the user is not applied`() {
    let choice = Diagnostic("test", "wrong", at: Self.place(0..<3)).choice("this or that", fix: .init(Self.place(0..<3), "1"))
    #expect(Self.selected([choice]) == [])
  }

  @Test func `if two fixes overlap or touch, only the first fix is applied`() {
    #expect(Self.selected([Self.diagnostic(0..<7, "1"), Self.diagnostic(4..<13, "2")]) == ["1"])
    #expect(Self.selected([Self.diagnostic(0..<3, "1"), Self.diagnostic(3..<7, "2")]) == ["1"])
  }

  @Test func `a fix is not applied if Garland can't change the file with the mistake`() {
    #expect(FixSelection([Self.diagnostic(0..<3, "1")]) { _ in nil }.fixes.isEmpty)
  }

  @Test func `if two fixes change different parts of a text, each fix is applied to its own part`() {
    let fixes = [Self.diagnostic(8..<13, "3"), Self.diagnostic(0..<3, "1")].compactMap { $0.helps.first?.fix }
    #expect(Diagnostic.Fix.making(fixes, in: Self.file.bytes) == Array("1 two 3\n".utf8))
  }

  @Test func `a fix of several lines has the same line breaks, LF or CR LF, as the changed text`() {
    for (text, expected) in [("a\r\nb", "x\r\ny\r\nb"), ("a\nb\r\n", "x\ny\nb\r\n"), ("b\r\na", "x\r\ny\r\na"), ("a", "x\ny")] {
      let file = SourceFile(name: "a.yaml", bytes: Array(text.utf8))
      let start = text.hasSuffix("a") ? text.utf8.count - 1 : 0
      let fix = Diagnostic.Fix(SourceRange(file, start..<start + 1), "x\ny")
      let wanted = text == "b\r\na" ? "b\r\nx\r\ny" : expected
      #expect(String(decoding: Diagnostic.Fix.making([fix], in: file.bytes), as: UTF8.self) == wanted, "\(text.debugDescription)")
    }
  }

  @Test func `if one of several fixes causes a new error, only that fix is reported as wrong`() {
    let fixes = [Self.diagnostic(0..<3, "wrong"), Self.diagnostic(8..<13, "right")]
    let proposed = FixSelection(fixes) { $0.name }.fixes
    let new = SourceFile(name: "a.yaml", bytes: Array("wrong two right\n".utf8))
    let error = Diagnostic("new", "something else", at: SourceRange(new, 0..<5))
    let elsewhere = Diagnostic("hidden", "was hidden", at: SourceRange(new, 6..<9))
    let trial = FixTrial(before: fixes, after: [error, elsewhere]) { $0.name }
    #expect(trial.mistakes(of: proposed, mayUncover: true) == [0: "new is new, something else"])
    #expect(
      FixTrial(before: fixes, after: [fixes[1]]) { $0.name }.mistakes(of: proposed, mayUncover: true) == [
        1: "the diagnostic is still there"
      ])
    #expect(FixTrial(before: fixes, after: [elsewhere]) { $0.name }.mistakes(of: proposed, mayUncover: false).count == 2)
  }

  @Test func `a fix counts as wrong if it causes a syntax error in a file without earlier syntax errors`() {
    let fix = Self.diagnostic(0..<3, "wrong")
    let proposed = FixSelection([fix]) { $0.name }.fixes
    let new = SourceFile(name: "a.yaml", bytes: Array("wrong two right\n".utf8))
    let error = Diagnostic("syntax", "can't be parsed", at: SourceRange(new, 6..<9))
    let before = Diagnostic("syntax", "can't be parsed either", at: fix.range)
    let trial = FixTrial(before: [fix], after: [error], syntaxErrors: ["syntax"]) { $0.name }
    #expect(trial.mistakes(of: proposed, mayUncover: true) == [0: "new is syntax, can't be parsed"])
    let uncovering = FixTrial(before: [fix, before], after: [error], syntaxErrors: ["syntax"]) { $0.name }
    #expect(uncovering.mistakes(of: proposed, mayUncover: true).isEmpty)
  }
}
