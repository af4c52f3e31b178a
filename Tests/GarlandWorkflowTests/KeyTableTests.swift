import Testing

@testable import GarlandWorkflow

@Suite struct KeyTableTests {
  @Test func `every key is found by its name, and nothing else`() {
    for key in StepKey.allCases {
      #expect(StepKey.table.key(key.rawValue) == (key == .steps ? nil : key))
      #expect(StepKey.table.key(key.rawValue + "x") == nil)
      #expect(StepKey.table.key(key.rawValue + "\0") == nil)
      #expect(StepKey.table.key(key.rawValue.uppercased()) == nil)
    }
    for key in PredicateKey.allCases { #expect(PredicateKey.table.key(key.rawValue) == key) }
    for name in [
      "", "\0", "ge", "gett", "wait_for_connectivity_", String(repeating: "a", count: 24), String(repeating: "a", count: 40), "größe",
    ] {
      #expect(StepKey.table.key(name) == nil)
    }
  }

  @Test func `packed names are the same only if the names are`() {
    let names = (0...PackedName.longest).flatMap { count in
      (0..<max(1, count)).map { place in
        String(decoding: (0..<count).map { $0 == place ? UInt8(ascii: "b") : UInt8(ascii: "a") }, as: UTF8.self)
      }
    }
    for left in names {
      for right in names where left.utf8.count == right.utf8.count {
        #expect((PackedName(left) == PackedName(right)) == (left == right))
      }
    }
    #expect(PackedName(String(repeating: "a", count: PackedName.longest + 1)) == nil)
  }
}
