import Testing

@testable import GarlandWorkflow

@Suite struct KeyTableTests {
  @Test func `the table of workflow keys finds every key by its exact name, and finds no other name`() {
    for key in StepKey.allCases {
      #expect(StepKey.table.key(key.rawValue) == ([.steps, .traces].contains(key) ? nil : key))
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

  @Test func `each key of a step is described in exactly one of the lists of keys`() {
    for key in StepKey.allCases { #expect(key.descriptions.count == 1, "\(key)") }
  }

  @Test func `each key that decides the kind of a step belongs to exactly one kind`() {
    #expect(KindDecoders.all.compactMap { $0.key }.sorted() == StepKey.kinds.keys.map(\.rawValue).sorted())
  }

  @Test func `each key that belongs to one kind of step is possible in that kind, which has an error for other kinds`() {
    for kind in StepKey.kinds.keys {
      let own = StepKey.ofKinds.keys.filter { $0.kind == kind }
      #expect((KindDecoders.decoder(for: kind)?.ownKeys == nil) == own.isEmpty, "\(kind.rawValue)")
      for key in own { #expect(key.allowedIn.contains(kind), "\(key.rawValue)") }
    }
  }

  @Test func `a key is possible beside an action only if a step with that action can have the key`() {
    #expect(StepKey.with.isPossible(beside: [.call]) && StepKey.after.isPossible(beside: [.call]))
    #expect(!StepKey.extract.isPossible(beside: [.call]) && !StepKey.get.isPossible(beside: [.call]))
    #expect(!StepKey.with.isPossible(beside: [.get]) && !StepKey.within.isPossible(beside: [.get]))
    #expect(StepKey.extract.isPossible(beside: [.get]) && StepKey.extract.isPossible(beside: []))
  }

  @Test func `a step with any action can have the key 'always', by which the hints recognise a step`() {
    for action in StepKey.everyAction.keys { #expect(StepKey.always.isPossible(beside: [action]), "\(action.rawValue)") }
  }

  @Test func `a key of one kind of step is possible in a step without an action`() {
    #expect(StepKey.within.isPossible(beside: [.after]) && StepKey.talk.isPossible(beside: []))
  }

  @Test func `two key names of equal length are packed into equal integers only if the names are equal`() {
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

  private func checkPlaces<Key: DocumentKey>(_ type: Key.Type) {
    for (index, key) in Key.allCases.enumerated() { #expect(Int(key.place) == index, "\(key)") }
    #expect(Key.allCases.count <= 128)
  }

  @Test func `the property 'place' of each key of the workflow format is the key's index in 'allCases'`() {
    checkPlaces(StepKey.self)
    checkPlaces(ExpectKey.self)
    checkPlaces(PredicateKey.self)
    checkPlaces(RootKey.self)
    checkPlaces(OAuth2Key.self)
    for key in ExpectKey.allCases { #expect(key.path == "expect.\(key.rawValue)") }
  }

  @Test func `a set of the type KeySet contains exactly the workflow keys that were put into the set`() {
    let set: KeySet<StepKey> = [.tls, .description, .expect]
    #expect(set.keys == [.description, .expect, .tls])
    #expect(set.count == 3)
    for key in StepKey.allCases { #expect(set.contains(key) == set.keys.contains(key)) }
    #expect(set.union([.get]).count == 4)
    #expect(set.intersection([.get, .tls]).keys == [.tls])
    #expect(set.isDisjoint(with: [.get, .post]))
    #expect(!set.isDisjoint(with: [.tls]))
    #expect(KeySet<StepKey>().isEmpty)
  }

  @Test func `a set of the type NameSet contains exactly the names with which the set was created`() {
    let names = ["vars", "a", "", "secrets", String(repeating: "x", count: 24)]
    let set = NameSet(names)
    for name in names { #expect(set.contains(name)) }
    for name in ["var", "varz", "b", "secretz", String(repeating: "x", count: 23), String(repeating: "x", count: 40), "größe"] {
      #expect(!set.contains(name))
    }
  }
}
