import TestSupport
import Testing

/// Warnings appear where they have to do with what was asked for.
@Suite(.timeLimit(.minutes(5))) struct WarningScopeTests {
  private static let unused = "extract: { id: $.id }"

  /// Two documents with a warning in each step, and one that a step calls, with one more.
  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let head = "garland: 1\ndefaults: { base_url: \"${env.GARLAND_SANDBOX}\" }\nsteps:\n"
    try folder.write(
      "a.yaml", head + "  one: { get: /json, \(Self.unused) }\n  two: { get: /json, \(Self.unused) }\n  calls: { call: lib.yaml }\n")
    try folder.write("b.yaml", head + "  three: { get: /json, \(Self.unused) }\n")
    try folder.write("lib.yaml", head + "  inner: { post: /json, retry: 2 }\n")
    return folder
  }

  /// The steps that warnings of a plan of some steps are about.
  private func warned(_ words: [String]) async throws -> Set<String> {
    let folder = try folder()
    let result = try await Garland.run(["plan"] + words, in: folder.path)
    #expect(result.status == 0, "\(result.error)")
    return Set(["one", "two", "three", "inner"].filter { result.error.contains(" \($0): {") })
  }

  @Test(arguments: [
    (["a.yaml", "b.yaml"], ["one", "two", "three", "inner"]), (["a.yaml", "b.yaml", "one"], ["one"]),
    (["a.yaml", "b.yaml", "three"], ["three"]),
    (["a.yaml", "b.yaml", "calls"], ["inner"]), (["a.yaml", "one", "calls"], ["one", "inner"]), (["a.yaml", "--only", "t*"], ["two"]),
  ]) func `a warning is shown with the steps that it is about`(words: [String], steps: [String]) async throws {
    #expect(try await warned(words) == Set(steps))
  }

  @Test func `a report of a run in which nothing was carried out still says how steps ended`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("a.yaml", "garland: 1\nsteps: { a: { get: \"http://127.0.0.1:1/\" } }\n")
    let run = try await Garland.run(["run", "a.yaml", "--report", "json=r.json"], in: folder.path)
    #expect(run.status == 3)
    for (format, sign) in [("svg", "✗ unreachable"), ("dot", "tooltip=\"unreachable\"")] {
      let plan = try await Garland.run(["plan", "a.yaml", "--from", "r.json", "--format", format], in: folder.path)
      #expect(plan.status == 0 && plan.output.contains(sign), "\(plan.error)")
    }
    try folder.write("b.yaml", "garland: 1\nsteps: { b: { get: \"http://127.0.0.1:1/\" } }\n")
    let other = try await Garland.run(["plan", "b.yaml", "--from", "r.json"], in: folder.path)
    #expect(other.status == 2 && other.error.contains("knows none of these steps"))
  }
}
