import Foundation
import TestSupport
import Testing

/// The table of capabilities names tests that there are, and leaves none of them out.
@Suite struct CapabilitiesTests {
  private static let folders = ["Tests/GarlandNetworkingTests", "Tests/GarlandTransferTests"].map { Repository.path($0) }

  /// The tests of each suite, nested ones under their own name.
  private static func suites() throws -> [String: Set<String>] {
    var suites: [String: Set<String>] = [:]
    let files = try folders.flatMap { folder in
      try #require(FileManager.default.enumerator(atPath: folder)).compactMap { ($0 as? String).map { folder + "/" + $0 } }
    }
    for file in files where file.hasSuffix(".swift") {
      let text = try String(contentsOfFile: file, encoding: .utf8)
      let functions = Set(text.matches(of: /func (\w+)/).map { String($0.1) })
      for match in text.matches(of: /(?:struct|class|enum|extension|suite) ([\w.]+)/) {
        for name in match.1.split(separator: ".") { suites[String(name), default: []].formUnion(functions) }
      }
    }
    return suites
  }

  private static func table() throws -> String {
    let path = Repository.path("Sources/GarlandNetworking/GarlandNetworking.docc/Capabilities.md")
    return try String(contentsOfFile: path, encoding: .utf8)
  }

  @Test func namesTestsThatThereAre() throws {
    let suites = try Self.suites()
    var count = 0
    for line in try Self.table().split(separator: "\n") {
      var suite = ""
      // Without the links to symbols.
      for match in line.replacing(/``[^`]*``/, with: "").matches(of: /`([\w.]+)`/) {
        var parts = match.1.split(separator: ".").map(String.init)
        if !match.1.hasPrefix(".") {
          // Values, types and fields are named in this way as well.
          guard parts[0].hasSuffix("Tests") else { continue }
          let last = parts.removeLast()
          if parts.isEmpty || suites[last] != nil {
            #expect(suites[last] != nil, "\(match.1)")
            suite = last
            continue
          }
          suite = parts.last ?? ""
          parts = [last]
        }
        guard !suite.isEmpty, let test = parts.first else { continue }
        count += 1
        #expect(suites[suite]?.contains(test) == true, "\(suite).\(test)")
      }
    }
    #expect(count > 200)
  }

  @Test func leavesNoSuiteOut() throws {
    let table = try Self.table()
    for suite in try Self.suites().keys where suite.hasSuffix("Tests") && suite != "CapabilitiesTests" {
      #expect(table.contains("`\(suite)"), "\(suite)")
    }
  }

  @Test func hasEveryCapability() throws {
    let numbers = try Self.table().matches(of: /\n\| (\d+) \|/).compactMap { Int($0.1) }
    #expect(Set(numbers) == Set(1...19))
  }
}
