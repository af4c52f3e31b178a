import GarlandJSON
import Testing

@testable import GarlandWorkflow

/// Each key of the language does something that a case would miss: with the key taken out of it, a case or a twin comes out otherwise.
@Suite(.timeLimit(.minutes(5))) struct KeyAblationTests {
  /// Keys that change nothing of what the steps of a case come to here, without its command line, its called documents and what is sent and reported of it:
  /// `conformance/run` compares these. Whoever writes a case that misses one takes it out of this list.
  static let unseen: Set<String> = [
    "assertion.audience", "assertion.claims", "defaults.allow_failure", "defaults.bools", "defaults.deadline", "defaults.delay",
    "defaults.destination", "defaults.encoding", "defaults.exclusive", "defaults.http", "defaults.interface", "defaults.nulls",
    "defaults.paginate", "defaults.poll", "defaults.rate_limit", "defaults.resolve", "defaults.retry", "defaults.spaces", "defaults.tags",
    "defaults.timeout", "defaults.uses", "defaults.wait_for_connectivity", "document.description", "document.inputs", "document.name",
    "document.order", "document.outputs", "document.profiles", "document.reachability", "document.secrets", "download.name",
    "download.replace", "download.resume", "error.kind", "input.default", "input.description", "input.required", "input.type",
    "listen.within", "named part.filename", "named part.headers", "named part.type", "oauth1.token_secret", "oauth2.actor",
    "oauth2.actor_token", "oauth2.actor_token_type", "oauth2.algorithm", "oauth2.audience", "oauth2.extra", "oauth2.jwks_url",
    "oauth2.key_id", "oauth2.resource", "oauth2.subject", "oauth2.subject_token_type", "part.filename", "part.headers", "part.type",
    "poll.every", "profile.vars", "reachability.wait", "redirect.follow", "retry.delay", "retry.factor", "retry.jitter", "retry.limit",
    "retry.max_delay", "step.description", "step.tags", "step.timeout", "step.wait_for_connectivity", "tls.min",
  ]

  private static let walk = Result { () throws -> KeyWalk in
    var walk = KeyWalk()
    for example in Conformance.cases where KeyWalk.parsed(example.text, example.name) != nil { try walk.visit(example.text, example.name) }
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
    Issue.record("without `\(key)` nothing comes out otherwise, of \(tried)")
  }

  private static func rank(_ document: String, _ name: String) -> Int {
    if document.hasSuffix("/\(name).fails") { return 0 }
    if document.hasSuffix("/\(name)") { return 1 }
    // What must fail misses an expectation, what passes does not.
    return (document.contains(name) ? 2 : 4) + (document.hasSuffix(".fails") ? 0 : 1)
  }
}
