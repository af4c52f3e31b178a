import FoundationEssentials
import TestSupport
import Testing

/// What the README shows works as it stands there.
@Suite(.timeLimit(.minutes(1))) struct ReadmeTests {
  /// The YAML blocks that are documents.
  static let documents: [String] = {
    guard let data = try? Data(contentsOf: URL(filePath: Repository.path("README.md"))) else { return [] }
    return String(decoding: data, as: UTF8.self).split(separator: "```yaml\n").dropFirst()
      .compactMap { $0.split(separator: "```").first.map(String.init) }.filter { $0.contains("garland: 1") }
  }()

  /// Those for the sandbox run; all others are at least documents without a mistake.
  @Test(arguments: documents) func `every document passes`(text: String) async throws {
    let folder = try TemporaryFolder()
    try folder.write("readme.yaml", text)
    let runs = text.contains("env.GARLAND_SANDBOX")
    let arguments = runs ? ["run", "readme.yaml", "--sandbox", "--update-snapshots"] : ["check", "readme.yaml"]
    let result = try await Garland.run(arguments, in: folder.path)
    #expect(result.status == 0, "\(text)\n\(result.output)\(result.error)")
  }

  @Test func `there are some`() { #expect(Self.documents.count >= 5) }
}
