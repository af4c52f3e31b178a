import Foundation
import TestSupport
import Testing

@Suite struct CapabilitiesTests {
  @Test func `the feature tables on the documentation page 'Capabilities' have rows with the numbers 1 to 19`() throws {
    let path = Repository.path("Sources/GarlandNetworking/GarlandNetworking.docc/Capabilities.md")
    let table = try String(contentsOfFile: path, encoding: .utf8)
    let numbers = table.matches(of: /\n\| (\d+) \|/).compactMap { Int($0.1) }
    #expect(Set(numbers) == Set(1...19))
  }
}
