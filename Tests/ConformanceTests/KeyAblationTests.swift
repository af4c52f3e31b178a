import GarlandJSON
import Testing

@testable import GarlandWorkflow

/// Each key of the language does something that a case would miss: with the key taken out of it, a case or a twin comes out otherwise.
@Suite(.timeLimit(.minutes(5))) struct KeyAblationTests {
  /// Keys that change nothing of what steps come to, with what shows them instead.
  static let unseen: [String: String] = [:]

  private static let walk = Result { () throws -> KeyWalk in
    var walk = KeyWalk()
    for example in Conformance.cases { try? walk.visit(example.text, example.name) }
    return walk
  }

  static let keys: [String] = SchemaTables.all.filter { $0.name != "template" && !$0.name.hasPrefix("predicates of") }
    .flatMap { table in table.keys.map { "\(table.name).\($0.name)" } }
    .filter { unseen[$0] == nil }

  /// What the case comes to as it is, once for all keys: nil for one that is refused.
  private actor Whole {
    static let shared = Whole()
    private var known: [String: Task<[[Trial]?], Never>] = [:]

    /// Twice: what differs by itself says nothing.
    func trials(of example: Conformance.Case) async -> [[Trial]?] {
      if let task = known[example.name] { return await task.value }
      let task = Task {
        let text = KeyAblationTests.json(example)?.jsonText()
        return [await KeyAblationTests.trial(example, text), await KeyAblationTests.trial(example, text)]
      }
      known[example.name] = task
      return await task.value
    }
  }

  private static func json(_ example: Conformance.Case) -> JSONValue? {
    (try? KeyWalk.tree(example.text, example.name)).map(SchemaWriter.value)
  }

  private static func trial(_ example: Conformance.Case, _ text: String?) async -> [Trial]? {
    guard let text else { return nil }
    return try? await Trial.run(example, text: text)
  }

  @Test(arguments: keys) func `each key is missed`(_ key: String) async throws {
    let places = try Self.walk.get().places[key] ?? []
    var tried: [String] = []
    // The cases of a feature of that name first: they are the likeliest to miss it.
    let name = key.split(separator: ".").last.map(String.init) ?? key
    for place in places.sorted(by: { Self.rank($0.document, name) < Self.rank($1.document, name) }).prefix(24) {
      let example = Conformance.Case(name: place.document)
      guard let document = Self.json(example) else { continue }
      let whole = await Whole.shared.trials(of: example)
      let without = await Self.trial(example, document.removing(place.way[...]).jsonText())
      if whole[0] == whole[1] {
        if without != whole[0] { return }
      } else if without?.map(\.outcome) != whole[0]?.map(\.outcome) {
        return
      }
      tried.append(place.document)
    }
    Issue.record("without `\(key)` nothing comes out otherwise, of \(tried)")
  }

  private static func rank(_ document: String, _ name: String) -> Int {
    document.hasSuffix("/\(name).fails") ? 0 : document.hasSuffix("/\(name)") ? 1 : document.contains(name) ? 2 : 3
  }
}
