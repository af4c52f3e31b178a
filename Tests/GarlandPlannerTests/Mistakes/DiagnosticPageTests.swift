import FoundationEssentials
import TestSupport
import Testing

/// Tests of the reference page that lists every diagnostic code.
@Suite struct DiagnosticPageTests {
  static let page = "docs/language/diagnostics.md"
  /// The codes of failed steps in a report, which are not codes of diagnostics in the sources.
  static let failures: Set<String> = ["expectation", "extraction", "value", "transport"]

  private static func text(_ path: String) throws -> String {
    String(decoding: try #require(FileManager.default.contents(atPath: Repository.path(path))), as: UTF8.self)
  }

  /// Returns the cells of the table rows that begin with a code.
  static func rows() throws -> [[String]] {
    try text(page).split(separator: "\n").filter { $0.hasPrefix("| `") }.map { row in
      row.replacing("\\|", with: "\u{1}").split(separator: "|").map { cell in
        String(cell).split(separator: " ").joined(separator: " ").replacing("\u{1}", with: "|")
      }
    }
  }

  /// Returns the codes that the sources declare or use in a diagnostic.
  static func declared() throws -> Set<String> {
    let code = /(?:DiagnosticCode = |Diagnostic\(\s*)"([a-z0-9-]+)"/
    var result: Set<String> = []
    for path in FileManager.default.subpaths(atPath: Repository.path("Sources")) ?? [] where path.hasSuffix(".swift") {
      let lines = try text("Sources/\(path)").split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("///") }
      for match in lines.joined(separator: "\n").matches(of: code) { result.insert(String(match.output.1)) }
    }
    return result
  }

  @Test func `the documentation page of diagnostics lists every code once`() throws {
    let listed = try Self.rows().map { $0[0].replacing("`", with: "") }
    let declared = try Self.declared()
    #expect(declared.count > 90)
    #expect(declared.union(Self.failures).subtracting(listed).sorted() == [], "codes without a row in \(Self.page)")
    #expect(Set(listed).subtracting(declared).subtracting(Self.failures).sorted() == [], "rows of codes that are gone")
    #expect(listed.count == Set(listed).count)
  }

  @Test func `each row on the documentation page of diagnostics has a sentence, a wrong example and a right example`() throws {
    for row in try Self.rows() {
      #expect(row.count == 4, "\(row)")
      #expect(row.dropFirst().allSatisfy { $0.count > 4 }, "\(row)")
      #expect(row.count > 1 && row[1].hasSuffix("."), "\(row)")
    }
  }
}
