import TestSupport
import Testing

@testable import GarlandDiagnostics

/// Tests the difference of two texts in the format of `diff -u`.
@Suite struct UnifiedDifferenceTests {
  private static func difference(_ old: String, _ new: String) -> String {
    UnifiedDifference(of: "a.yaml", from: Array(old.utf8), to: Array(new.utf8)).text.plain
  }

  private static func lines(_ numbers: Range<Int>, _ changed: [Int: String] = [:]) -> String {
    numbers.map { "\(changed[$0] ?? "line \($0)")\n" }.joined()
  }

  @Test func `the diff of two equal texts is empty`() { #expect(Self.difference("a\nb\n", "a\nb\n") == "") }

  /// The expected results come from GNU diff, which every system that runs the tests has.
  @Test(arguments: [
    ("a\n", "b\n"), ("", "a\n"), ("a\n", ""), ("a", "a\n"), ("a\n", "a"), ("a\nb", "a\nc"),
    (lines(0..<20), lines(0..<20, [3: "x"])), (lines(0..<20), lines(0..<20, [3: "x", 10: "y"])),
    (lines(0..<20), lines(0..<20, [3: "x", 11: "y"])),
    (lines(0..<20), lines(0..<20, [0: "x", 19: "y"])), (lines(0..<9), lines(0..<9, [4: "x\ny"])), (lines(0..<9), lines(5..<9)),
    ("a\r\nb\r\n", "a\r\nc\r\n"),
  ]) func `the diff of two texts equals the output of diff -u`(old: String, new: String) async throws {
    let folder = try TemporaryFolder()
    try folder.write("old", old)
    try folder.write("new", new)
    let names = ["--label", "a.yaml", "--label", "a.yaml"]
    let expected = try await ChildProcess.run("/usr/bin/diff", ["-u"] + names + ["old", "new"], in: folder.path)
    #expect(Self.difference(old, new) == expected.output)
  }

  @Test func `in a coloured diff, control characters of removed and added lines are made visible`() {
    let text = UnifiedDifference(of: "a.yaml", from: Array("a\n".utf8), to: Array("\u{1B}[2J\n".utf8)).text
    #expect(text.spans.contains(.init("-a", .failure)))
    #expect(text.spans.contains(.init("+␛[2J", .success)))
  }
}
