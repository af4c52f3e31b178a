import GarlandDiagnostics
import TestSupport
import Testing

/// What users get wrong, in whole documents, and what `check` tells them before anything is sent.
@Suite struct MistakeTests {
  @Test(arguments: Mistake.groups) func isTold(group: String) {
    var text = ""
    for mistake in Mistake.all where mistake.group == group {
      let found = mistake.diagnostics()
      #expect(!found.isEmpty, "\(mistake.name)")
      text += "### \(mistake.name.replacing("-", with: " "))\n\n"
      for diagnostic in found { text += DiagnosticRenderer(width: 110).render(diagnostic).plain + "\n" }
      let (left, steps) = mistake.mended()
      if steps > 0 {
        text += left.isEmpty ? "= with what is suggested, nothing is wrong\n" : "= with what is suggested, left: \(Self.codes(left))\n"
      }
      text += "\n"
    }
    expectGolden(text.replacing(Repository.path, with: "/REPOSITORY"), "mistakes/\(group).txt")
  }

  static func codes(_ diagnostics: [Diagnostic]) -> String { diagnostics.map(\.code.rawValue).joined(separator: ", ") }

  @Test func areManyOfManyKinds() {
    let codes = Set(Mistake.all.flatMap { $0.diagnostics().map(\.code) })
    #expect(Mistake.all.count >= 200)
    #expect(codes.count >= 65, "\(codes.map(\.rawValue).sorted())")
  }

  /// What names a diagnostic wherever it stands.
  struct Name: Hashable {
    let code: DiagnosticCode
    let message: String
    init(_ diagnostic: Diagnostic) {
      code = diagnostic.code
      message = diagnostic.message
    }
  }

  /// Each change that is suggested, made alone: that mistake is gone, and nothing is new but what it hid, for which there is a change in turn.
  @Test(arguments: Mistake.all) func aSuggestionMends(mistake: Mistake) {
    let found = mistake.diagnostics()
    let names = found.map(Name.init)
    for diagnostic in found {
      for fix in diagnostic.helps.compactMap(\.fix) {
        // A document that this one uses is mended there.
        guard fix.range.file.name == mistake.name + ".yaml" else { continue }
        let again = mistake.diagnostics(of: Mistake.applying(fix))
        let before = names.count { $0 == Name(diagnostic) }
        #expect(again.count { Name($0) == Name(diagnostic) } < before, "\(diagnostic.code) is still there after \(fix.replacement)")
        let new = again.filter { !names.contains(Name($0)) }
        // Under its new name nothing uses an extract yet.
        #expect(new.allSatisfy { $0.code == .unusedExtract || $0.helps.contains { $0.fix != nil } }, "new: \(new.map(\.message))")
      }
    }
    let unmended = Set(found.filter { !$0.helps.contains { $0.fix != nil } }.map(Name.init))
    let left = mistake.mended().left
    #expect(
      left.allSatisfy { unmended.contains(Name($0)) || $0.code == .unusedExtract || $0.range?.file.name != mistake.name + ".yaml" },
      "left: \(left.map(\.message))")
  }

  /// A place is in the file, on one line unless it is a value of several, and a warning or an error in one sentence.
  @Test(arguments: Mistake.all) func saysWhereExactly(mistake: Mistake) {
    for diagnostic in mistake.diagnostics() where diagnostic.code != "binary-file" {
      guard let range = diagnostic.range else {
        Issue.record("\(diagnostic.code) has no place")
        continue
      }
      #expect(range.offsets.upperBound <= range.file.bytes.count)
      #expect(!diagnostic.message.hasSuffix(".") && !diagnostic.message.contains("\n"))
    }
  }
}
