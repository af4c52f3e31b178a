import FoundationEssentials
import GarlandJSON
import TestSupport

@testable import GarlandWorkflow

/// Removes keys from the documents of cases, and compares the results: in this process where that
/// shows a difference, and by the command where only its reports, output or files do. A fact that
/// several keys need is computed once.
actor KeyAblation {
  static let shared = KeyAblation()

  /// Keys that no case can show. Whether a step waits for the network is seen only where this
  /// machine has none, and then it does not reach the sandbox either: the tests of `NetworkAgent`
  /// take the network away in a namespace of their own. Jitter is chance, and the time of waiting
  /// for hosts is shown on standard error alone, while it lasts.
  static let unseen: Set<String> = [
    "defaults.wait_for_connectivity", "reachability.wait", "retry.jitter", "step.wait_for_connectivity",
  ]

  static let keys: [String] = SchemaTables.all.filter { $0.name != "template" && !$0.name.hasPrefix("predicates of") }
    .flatMap { table in table.keys.filter { !table.borrowed.contains($0.name) }.map { "\(table.name).\($0.name)" } }
    .filter { !unseen.contains($0) }

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

  /// A case as it is.
  private struct Whole: Sendable {
    /// Nil for one that is refused; twice, since what differs by itself, such as the port of who listens, says nothing.
    let trials: [[Trial]?]
    /// How long the shorter one took: at first all cases wait for each other.
    let time: Duration
  }

  /// A case that takes longer is ended by an option of the command, such as `--deadline`, and not
  /// here.
  private static let longest = Duration.seconds(20)

  private var wholes: [String: Task<Whole, Never>] = [:]

  /// The keys without which nothing comes out otherwise, and the cases in this process of which that was said.
  static func keysThatNobodyMisses() async throws -> [(key: String, tried: [String])] {
    let open = try await casesUnmoved()
    let missed = try await keysMissedByTheCommand(among: Set(open.keys))
    return open.filter { !missed.contains($0.key) }.sorted { $0.key < $1.key }.map { (key: $0.key, tried: $0.value) }
  }

  private func whole(_ example: Conformance.Case) async -> Whole {
    if let task = wholes[example.name] { return await task.value }
    let task = Task {
      let text = Self.json(example)?.jsonText()
      let (first, time) = await Self.trial(example, text, deadline: Self.longest)
      guard time < Self.longest else { return Whole(trials: [nil, nil], time: time) }
      let (second, otherTime) = await Self.trial(example, text, deadline: Self.longest)
      return Whole(trials: [first, second], time: min(time, otherTime))
    }
    wholes[example.name] = task
    return await task.value
  }

  private static func json(_ example: Conformance.Case) -> JSONValue? {
    KeyWalk.parsed(example.text, example.name).map(SchemaWriter.value)
  }

  private static func trial(
    _ example: Conformance.Case, _ text: String?, deadline: Duration? = nil
  ) async -> (trials: [Trial]?, time: Duration) {
    guard let text else { return (nil, .zero) }
    let clock = ContinuousClock()
    let start = clock.now
    let trials = try? await Trial.run(example, text: text, deadline: deadline)
    return (trials, clock.now - start)
  }

  // MARK: In this process

  /// More at once, and all of them take long.
  private static let mostAtOnce = 16

  /// The cases whose result did not change without a key, for each key for which none did.
  private static func casesUnmoved() async throws -> [String: [String]] {
    try await withThrowingTaskGroup(of: (key: String, cases: [String]?).self) { group in
      var begun = 0
      while begun < min(mostAtOnce, keys.count) {
        let key = keys[begun]
        group.addTask { (key: key, cases: try await casesUnmoved(by: key)) }
        begun += 1
      }
      var open: [String: [String]] = [:]
      while let ended = try await group.next() {
        if let cases = ended.cases { open[ended.key] = cases }
        guard begun < keys.count else { continue }
        let key = keys[begun]
        group.addTask { (key: key, cases: try await casesUnmoved(by: key)) }
        begun += 1
      }
      return open
    }
  }

  /// Nil if the result of a case changed.
  private static func casesUnmoved(by key: String) async throws -> [String]? {
    let places = try walk.get().places[key] ?? []
    var tried: [String] = []
    // The cases of a feature of that name first: they are the likeliest to miss it.
    let name = key.split(separator: ".").last.map(String.init) ?? key
    for place in places.sorted(by: { rank($0.document, name) < rank($1.document, name) }).prefix(24) {
      let example = Conformance.Case(name: place.document)
      guard let document = json(example) else { continue }
      let whole = await shared.whole(example)
      guard whole.time < longest else {
        tried.append(place.document)
        continue
      }
      // Without a key that spares it a wait it would wait for a minute, or for ever.
      let limit = whole.time + .seconds(10)
      let (without, time) = await trial(example, document.removing(place.way[...]).jsonText(), deadline: limit)
      if time >= limit {
        // That may also be a busy machine's doing.
        if await trial(example, document.jsonText()).time < limit / 2 { return nil }
      } else {
        let views: [([Trial]?) -> [[String]]?] = [
          { $0?.map { [$0.id, $0.outcome] } }, { $0?.map(\.messages) }, { $0?.map(\.requests) },
        ]
        if views.contains(where: { $0(whole.trials[0]) == $0(whole.trials[1]) && $0(without) != $0(whole.trials[0]) }) { return nil }
      }
      tried.append(place.document)
    }
    return tried
  }

  // MARK: By the command

  /// Keys for options of the command line, for reports, for files that are written, and for outputs
  /// of called documents. All keys at once: the servers of the cases are started once for them.
  private static func keysMissedByTheCommand(among open: Set<String>) async throws -> Set<String> {
    var lists = JSONObject()
    for key in keys where open.contains(key) { lists[key] = .array(try replacements(of: key)) }
    let scratch = try TemporaryFolder()
    let file = try scratch.write("replacements.json", JSONValue.object(lists).jsonText())
    guard let sandbox = try await Conformance.environment.value["GARLAND_SANDBOX"] else { return [] }
    let result = try await ChildProcess.run(
      "\(Conformance.folder)/run", [Repository.products + "/garland", "--sandbox", sandbox, "--jobs", "2", "--replace", file],
      in: Repository.path)
    guard result.status == 0, let answers = try JSONValue(parsing: Array(result.output.utf8)).objectValue else {
      throw Conformance.RunnerFailed(description: "conformance/run --replace: \(result.status)\n\(result.output)\(result.error)")
    }
    var missed: Set<String> = []
    for (key, answer) in answers where answer.stringValue != nil { missed.insert(key) }
    return missed
  }

  /// Documents of cases, whole and without a key, the likeliest to show it first.
  private static func replacements(of key: String) throws -> [JSONValue] {
    let name = key.split(separator: ".").last.map(String.init) ?? key
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
    return replacements.sorted { $0.rank < $1.rank }.prefix(12).map(\.value)
  }

  private static func rank(_ document: String, _ name: String) -> Int {
    if document.hasSuffix("/\(name).fails") { return 0 }
    if document.hasSuffix("/\(name)") { return 1 }
    // A case that must fail misses an expectation; one that passes does not.
    return (document.contains(name) ? 2 : 4) + (document.hasSuffix(".fails") ? 0 : 1)
  }
}
