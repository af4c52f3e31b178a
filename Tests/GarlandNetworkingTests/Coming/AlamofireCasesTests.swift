import Foundation
import TestSupport
import Testing

/// Tests the table of Alamofire's own test cases, `Tests/Fixtures/alamofire-cases.txt`.
@Suite struct AlamofireCasesTests {
  struct Case {
    var file: String
    var name: String
    var state: String
    var detail: String
  }

  private func cases() throws -> [Case] {
    var file = ""
    return try String(contentsOfFile: Repository.path("Tests/Fixtures/alamofire-cases.txt"), encoding: .utf8).split(separator: "\n")
      .compactMap { line in
        if line.hasPrefix("#") { return nil }
        guard line.hasPrefix(" ") else {
          file = String(line)
          return nil
        }
        let parts = line.split(separator: "|", maxSplits: 2).map { $0.trimmingCharacters(in: .whitespaces) }
        return Case(file: file, name: parts[0], state: parts.count > 1 ? parts[1] : "", detail: parts.count > 2 ? parts[2] : "")
      }
  }

  /// Returns the names of the tests of a target.
  private func tests(_ target: String) throws -> Set<String> {
    let folder = Repository.path("Tests/\(target)")
    var names: Set<String> = []
    for path in FileManager.default.enumerator(atPath: folder)?.compactMap({ $0 as? String }) ?? [] where path.hasSuffix(".swift") {
      let text = try String(contentsOfFile: folder + "/" + path, encoding: .utf8)
      names.formUnion(text.matches(of: /func `([^`]+)`/).map { String($0.1) })
    }
    return names
  }

  @Test func `each Alamofire test case is listed as covered, different on purpose or not applicable`() throws {
    for item in try cases() {
      #expect(["covered", "different", "not applicable"].contains(item.state), "\(item)")
      #expect(!item.detail.isEmpty, "\(item)")
    }
  }

  @Test func `each Garland test in the list of covered Alamofire test cases exists`() throws {
    let existing = try tests("GarlandNetworkingTests").union(try tests("GarlandTransferTests"))
    for item in try cases() where item.state == "covered" {
      for name in item.detail.split(separator: ";").map({ $0.trimmingCharacters(in: .whitespaces) }) {
        #expect(existing.contains(name), "\(item.file) \(item.name): no test is named `\(name)`")
      }
    }
  }

  @Test func `the list of differences from Alamofire names only tests that exist`() throws {
    let existing = try tests("GarlandNetworkingTests").union(try tests("GarlandTransferTests"))
    for item in try cases() where item.state != "covered" {
      for match in item.detail.matches(of: /see `([^`]+ [^`]+)`/) {
        #expect(existing.contains(String(match.1)), "\(item.file) \(item.name): no test is named `\(match.1)`")
      }
    }
  }

  @Test func `the list of Alamofire's test cases contains no test case twice`() throws {
    let names = try cases().map { "\($0.file) \($0.name)" }
    #expect(names.count == Set(names).count, "\(Dictionary(grouping: names, by: { $0 }).filter { $1.count > 1 }.keys)")
    #expect(names.count > 500)
  }
}
