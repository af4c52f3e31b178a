import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct PlanLocaleTests {
  private func plan(locale: String) async throws -> String {
    let folder = try Garland.folder(
      steps: "{ a: { get: /health }, b: { get: /anything, after: a }, c: { get: /anything, after: [a, b] } }")
    return try await Garland.run(["plan", "w.yaml"], environment: ["LC_ALL": locale], in: folder.path).output
  }

  @Test func `the tree of a plan is drawn in ASCII in a locale without UTF-8`() async throws {
    let text = try await plan(locale: "C")
    #expect(text.utf8.allSatisfy { $0 < 0x80 } && text.contains("`- b"), "\(text)")
  }

  @Test func `the tree of a plan is drawn with Unicode lines and arrows in a locale with UTF-8`() async throws {
    let text = try await plan(locale: "C.UTF-8")
    #expect(text.contains("└─ b") && text.contains("←"), "\(text)")
  }
}
