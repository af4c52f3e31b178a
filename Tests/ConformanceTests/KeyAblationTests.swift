import FoundationEssentials
import GarlandJSON
import TestSupport
import Testing

@testable import GarlandWorkflow

/// Each key of the language does something that a case would miss: with the key taken out of it, a case or a twin comes out otherwise.
@Suite(.timeLimit(.minutes(5))) struct KeyAblationTests {
  /// Keys that no case can show. Whether a step waits for the network is seen only where this machine has none, and then it does not reach the sandbox either:
  /// the tests of `NetworkAgent` take the network away in a namespace of their own. Jitter is chance, and how long hosts are waited for is told on standard error
  /// alone, while it lasts.
  static let unseen: Set<String> = [
    "defaults.wait_for_connectivity", "reachability.wait", "retry.jitter", "step.wait_for_connectivity",
  ]

  private static let walk = Result { () throws -> KeyWalk in
    var walk = KeyWalk()
    for example in Conformance.cases where KeyWalk.parsed(example.text, example.name) != nil { try walk.visit(example.text, example.name) }
    return walk
  }

  /// The same for documents that cases use or call.
  private static let supporting = Result { () throws -> KeyWalk in
    var walk = KeyWalk()
    for document in Conformance.supporting { try walk.visit(document.text, document.name) }
    return walk
  }

  static let keys: [String] = SchemaTables.all.filter { $0.name != "template" && !$0.name.hasPrefix("predicates of") }
    .flatMap { table in table.keys.map { "\(table.name).\($0.name)" } }
    .filter { !unseen.contains($0) }

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
    KeyWalk.parsed(example.text, example.name).map(SchemaWriter.value)
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
      // What differs by itself, such as the port of who listens, says nothing.
      let views: [([Trial]?) -> [[String]]?] = [
        { $0?.map { [$0.id, $0.outcome] } }, { $0?.map(\.messages) }, { $0?.map(\.requests) },
      ]
      if views.contains(where: { $0(whole[0]) == $0(whole[1]) && $0(without) != $0(whole[0]) }) { return }
      tried.append(place.document)
    }
    if try await Self.isMissedByTheCommand(key, name) { return }
    Issue.record("without `\(key)` nothing comes out otherwise, of \(tried)")
  }

  /// What is asked for on the command line, what is reported, files that are written, and what a document gives to those that call it.
  private static func isMissedByTheCommand(_ key: String, _ name: String) async throws -> Bool {
    var replacements: [(rank: Int, value: JSONValue)] = []
    for place in (try walk.get().places[key] ?? []) + (try supporting.get().places[key] ?? []) {
      let document = Conformance.Case(name: place.document)
      guard let whole = json(document), let file = place.document.split(separator: "/", maxSplits: 1).last.map({ "\($0).yaml" }) else {
        continue
      }
      let isSupporting = file.hasPrefix("support/")
      let cases = isSupporting ? Conformance.cases.filter { $0.topic == document.topic && $0.text.contains(file) } : [document]
      for example in cases {
        let replacement: JSONObject = [
          "case": .string(example.name), "document": .string(file), "whole": .string(whole.jsonText()),
          "without": .string(whole.removing(place.way[...]).jsonText()),
        ]
        replacements.append((rank(example.name, name), .object(replacement)))
      }
    }
    guard !replacements.isEmpty else { return false }
    let scratch = try TemporaryFolder()
    let list = JSONValue.array(replacements.sorted { $0.rank < $1.rank }.prefix(12).map(\.value))
    try Data(list.jsonText().utf8).write(to: URL(filePath: scratch.path + "/replacements.json"))
    let sandbox = try #require(await Conformance.environment.value["GARLAND_SANDBOX"])
    let result = try await ChildProcess.run(
      "\(Conformance.folder)/run",
      [Repository.products + "/garland", "--sandbox", sandbox, "--replace", scratch.path + "/replacements.json"], in: Repository.path)
    return try JSONValue(parsing: Array(result.output.utf8))["missed"]?.stringValue != nil
  }

  private static func rank(_ document: String, _ name: String) -> Int {
    if document.hasSuffix("/\(name).fails") { return 0 }
    if document.hasSuffix("/\(name)") { return 1 }
    // What must fail misses an expectation, what passes does not.
    return (document.contains(name) ? 2 : 4) + (document.hasSuffix(".fails") ? 0 : 1)
  }
}
