import Foundation
import TestSupport
import Testing

/// Tests the pages for users of other libraries, together with the lists of symbols in
/// `Tests/Fixtures/symbols`.
@Suite struct ComingFromTests {
  private func rows(_ library: String) throws -> [[String]] {
    let path = Repository.path("Sources/GarlandNetworking/GarlandNetworking.docc/ComingFrom\(library).md")
    return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("| `") }
      .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
  }

  private func symbols(_ library: String) throws -> [String] {
    try String(contentsOfFile: Repository.path("Tests/Fixtures/symbols/\(library).txt"), encoding: .utf8).split(separator: "\n").map(
      String.init)
  }

  @Test(arguments: ["Alamofire", "URLSession", "AFNetworking"])
  func `for Alamofire, URLSession and AFNetworking, each public symbol has a row on the migration page`(_ library: String) throws {
    let named = Set(try rows(library).map { $0[0] })
    #expect(try symbols(library).filter { !named.contains("`\($0)`") } == [])
  }

  @Test func `the migration page for Alamofire lists only symbols of Alamofire, each of them once`() throws {
    let named = try rows("Alamofire").filter { $0.count > 2 }.map { $0[0] }
    #expect(Set(named).subtracting(try symbols("Alamofire").map { "`\($0)`" }) == [])
    #expect(named.count == Set(named).count)
  }

  @Test func `each row of the Alamofire migration page has a matching symbol of this library or a reason why there is none`() throws {
    let listed = Set(try symbols("Alamofire").map { "`\($0)`" })
    for row in try rows("Alamofire") where listed.contains(row[0]) && row.count > 2 {
      let isThere = ["same", "renamed", "other"].contains(row[2]) && row[1] != "–"
      #expect(isThere || (row[2].hasPrefix("none: ") && row[1] == "–"), "\(row)")
    }
  }
}
