import Foundation
import TestSupport
import Testing

/// docs/architecture.md says of the targets what Package.swift says.
@Suite struct ArchitectureTests {
  private static func read(_ path: String) throws -> String { try String(contentsOfFile: Repository.path(path), encoding: .utf8) }

  private static func isOurs(_ name: Substring) -> Bool { name.hasPrefix("Garland") || name == "garland" }

  /// The targets of `Sources`, each with those of its dependencies that are ours.
  private static func targets() throws -> [String: Set<String>] {
    var targets: [String: Set<String>] = [:]
    // Each declaration ends where the next one begins.
    let declarations = try read("Package.swift").split(separator: /\n {4}(?=room\(|tests\(|\.\w+\()/)
    for declaration in declarations where declaration.hasPrefix("room(") || declaration.hasPrefix(".executableTarget(") {
      let names = declaration.matches(of: /"(\w+)"/).map(\.1)
      guard let name = names.first, isOurs(name) else { continue }
      targets[String(name)] = Set(names.dropFirst().filter(isOurs).map(String.init))
    }
    return targets
  }

  /// Everything that a target needs, by way of others too.
  private static func reach(_ name: String, _ targets: [String: Set<String>]) -> Set<String> {
    (targets[name] ?? []).reduce(into: []) { $0.formUnion(reach($1, targets).union([$1])) }
  }

  @Test func `the diagram of Garland's modules has an arrow for each dependency that does not follow from other dependencies`() throws {
    let targets = try Self.targets()
    var expected: Set<String> = []
    for (name, dependencies) in targets {
      for other in dependencies where !dependencies.contains(where: { Self.reach($0, targets).contains(other) }) {
        expected.insert("\(name) --> \(other)")
      }
    }
    let drawn = try Self.read("docs/architecture.md").matches(of: /(?m)^ +(\w+ --> \w+)$/).map { String($0.1) }
    #expect(drawn.count > 15)
    #expect(Set(drawn) == expected)
  }

  @Test func `the table on the architecture page has a row for each target of the package`() throws {
    let rows = try Self.read("docs/architecture.md").matches(of: /(?m)^\| `(garland|Garland\w+)` \|/).map { String($0.1) }
    #expect(Set(rows) == Set(try Self.targets().keys))
    #expect(rows.count == Set(rows).count)
  }

  @Test func `the source files that the architecture page lists for the step kind 'websocket' exist`() throws {
    let page = try Self.read("docs/architecture.md")
    let rows = page.matches(of: /(?m)^\| (\w+): ((?:`[^`]+`(?:, )?)+) \|/)
    let files = rows.flatMap { row in row.2.matches(of: /`([^`]+)`/).map { "Sources/\(row.1)/\($0.1)" } }
    #expect(files.count > 30)
    for file in files { #expect(FileManager.default.fileExists(atPath: Repository.path(file)), "\(file)") }
  }

  @Test func `each folder that the architecture page describes exists`() throws {
    let tables = try Self.read("docs/architecture.md").split(separator: "| folder of ").dropFirst()
    #expect(tables.count == 2)
    for table in tables {
      let name = table.dropFirst().prefix { $0 != "`" }
      let cells = table.matches(of: /(?m)^\| ((?:`\w+` )+)\|/).flatMap { $0.1.matches(of: /\w+/) }.map(\.0)
      #expect(cells.count > 10)
      for folder in cells {
        var isFolder: ObjCBool = false
        let path = Repository.path("Sources/\(name)/\(folder)")
        #expect(FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue, "\(path)")
      }
    }
  }
}
