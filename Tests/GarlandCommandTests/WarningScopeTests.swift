import TestSupport
import Testing

/// Tests that warnings appear only if they concern the selected steps.
@Suite(.timeLimit(.minutes(15))) struct WarningScopeTests {
  private static let unused = "extract: { id: $.id }"

  /// Returns a folder with two documents that have a warning in each step, and a called document with one more warning.
  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let head = "garland: 1\ndefaults: { base_url: \"${env.GARLAND_SANDBOX}\" }\nsteps:\n"
    try folder.write(
      "a.yaml", head + "  one: { get: /json, \(Self.unused) }\n  two: { get: /json, \(Self.unused) }\n  calls: { call: lib.yaml }\n")
    try folder.write("b.yaml", head + "  three: { get: /json, \(Self.unused) }\n")
    try folder.write("lib.yaml", head + "  inner: { post: /json, retry: 2 }\n")
    return folder
  }

  /// The steps that warnings of a run of some steps are about.
  private func warned(_ words: [String]) async throws -> Set<String> {
    let folder = try folder()
    let result = try await Garland.run(["run", "--sandbox"] + words, in: folder.path)
    #expect(result.error.contains("warning["), "\(result.error)")
    return Set(["one", "two", "three", "inner"].filter { result.error.contains(" \($0): {") })
  }

  @Test(arguments: [
    (["a.yaml", "b.yaml"], ["one", "two", "three", "inner"]), (["a.yaml", "b.yaml", "one"], ["one"]),
    (["a.yaml", "b.yaml", "three"], ["three"]),
    (["a.yaml", "b.yaml", "calls"], ["inner"]), (["a.yaml", "one", "calls"], ["one", "inner"]), (["a.yaml", "--only", "t*"], ["two"]),
  ]) func `'garland run' shows only warnings about the selected steps`(words: [String], steps: [String]) async throws {
    #expect(try await warned(words) == Set(steps))
  }

  @Test(arguments: ["list", "plan", "env"]) func `garland list, garland plan and garland env show no warnings about documents`(
    command: String
  )
    async throws
  {
    let folder = try folder()
    let result = try await Garland.run(
      [command, "a.yaml", "b.yaml"], environment: ["GARLAND_SANDBOX": "http://127.0.0.1:1"], in: folder.path)
    #expect(result.status == 0 && result.error.isEmpty, "\(result.error)")
  }

  @Test func `garland curl shows only warnings about the steps that it prints`() async throws {
    let folder = try folder()
    let environment = ["GARLAND_SANDBOX": "http://127.0.0.1:1"]
    let result = try await Garland.run(["curl", "a.yaml", "b.yaml", "two"], environment: environment, in: folder.path)
    #expect(result.status == 0 && result.error.contains("`two.id`"), "\(result.error)")
    #expect(!result.error.contains("one.id") && !result.error.contains("three.id"), "\(result.error)")
  }

  @Test func `the critical path of 'garland plan --from' includes the delays of steps`()
    async throws
  {
    let folder = try TemporaryFolder()
    try folder.write(
      "a.yaml",
      """
      garland: 1
      defaults: { base_url: "${env.GARLAND_SANDBOX}" }
      steps:
        late: { get: /json, delay: 300ms, expect: { status: 201 }, extract: { id: $ } }
        after: { get: "/json?${late.id}" }
      """)
    _ = try await Garland.run(["run", "a.yaml", "--sandbox", "--report", "json=r.json"], in: folder.path)
    let path = try await Garland.run(["plan", "a.yaml", "--from", "r.json", "--critical-path"], in: folder.path)
    let lines = path.output.split(separator: "\n")
    try #require(lines.count == 3, "\(path.output) \(path.error)")
    #expect(lines[1].firstMatch(of: /late  \([3-9][0-9]{2} ms|late  \([1-9][0-9.]* s/) != nil, "\(path.output)")
    #expect(lines[2].hasSuffix("(not measured)"))
    let stats = try await Garland.run(["plan", "a.yaml", "--from", "r.json", "--stats"], in: folder.path)
    #expect(stats.output.contains("not measured     1\n"), "\(stats.output)")
  }

  @Test func `garland plan --from shows the outcome of a step whose request was never sent`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("a.yaml", "garland: 1\nsteps: { a: { get: \"http://127.0.0.1:1/\" } }\n")
    let run = try await Garland.run(["run", "a.yaml", "--report", "json=r.json"], in: folder.path)
    #expect(run.status == 3)
    for (format, sign) in [("svg", "? unreachable"), ("dot", "tooltip=\"unreachable\"")] {
      let plan = try await Garland.run(["plan", "a.yaml", "--from", "r.json", "--format", format], in: folder.path)
      #expect(plan.status == 0 && plan.output.contains(sign), "\(plan.error)")
    }
    let path = try await Garland.run(["plan", "a.yaml", "--from", "r.json", "--critical-path"], in: folder.path)
    #expect(path.output.contains(" in all:\n  a  (") && !path.output.contains("not measured"), "\(path.output)")
    try folder.write("b.yaml", "garland: 1\nsteps: { b: { get: \"http://127.0.0.1:1/\" } }\n")
    let other = try await Garland.run(["plan", "b.yaml", "--from", "r.json"], in: folder.path)
    #expect(other.status == 2 && other.error.contains("has none of these steps"))
  }
}
