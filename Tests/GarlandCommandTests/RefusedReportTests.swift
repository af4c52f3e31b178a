import GarlandJSON
import TestSupport
import Testing

/// Tests that a run which does not begin writes reports that say so, instead of leaving the reports of an earlier run.
@Suite(.timeLimit(.minutes(15))) struct RefusedReportTests {
  static let good = """
    garland: 1
    defaults: { base_url: "${env.GARLAND_SANDBOX}" }
    steps: { a: { get: /health } }

    """
  static let wrong = """
    garland: 1
    defaults: { base_url: "${env.GARLAND_SANDBOX}" }
    steps: { a: { gte: /health }, b: { get: /health, expect: { status: [] } } }

    """
  static let secret = """
    garland: 1
    secrets: [MISSING_TOKEN]
    steps: { a: { get: "http://127.0.0.1:1/", bearer: "${secrets.MISSING_TOKEN}" } }

    """
  static let warned = """
    garland: 1
    vars: { spare: 1 }
    steps: { a: { get: "http://127.0.0.1:1/" } }

    """

  private func text(_ folder: TemporaryFolder, _ name: String) throws -> String { String(decoding: try folder.read(name), as: UTF8.self) }

  @Test func `the reports of a refused run replace the reports of the previous run`() async throws {
    let folder = try TemporaryFolder()
    for (name, text) in [("good", Self.good), ("wrong", Self.wrong), ("secret", Self.secret), ("warned", Self.warned)] {
      try folder.write("\(name).yaml", text)
    }
    let reports = ["--report", "junit=r.xml", "--report", "json=r.json"]
    for (arguments, status, codes) in [
      (["wrong.yaml"], 2, ["unknown-key", "never-holds"]), (["secret.yaml"], 2, ["missing-secret"]),
      (["warned.yaml", "--strict"], 2, ["unused-variable"]), (["nowhere.yaml"], 2, ["no-such-file"]),
      (["good.yaml", "--only", "nothing*"], 2, ["no-step-selected"]), (["good.yaml", "--from", "good.yaml", "--sandbox"], 2, ["no-run"]),
      (["good.yaml", "--sandbox", "--report", "json=/dev/null/r.json"], 4, ["no-run"]),
    ] as [([String], Int32, [String])] {
      let before = try await Garland.run(["run", "good.yaml", "--sandbox"] + reports, in: folder.path)
      #expect(before.status == 0, "\(before.error)")
      #expect(try text(folder, "r.xml").contains("tests=\"1\" failures=\"0\" errors=\"0\""))
      let result = try await Garland.run(["run"] + arguments + reports, in: folder.path)
      #expect(result.status == status, "\(arguments): \(result.error)")
      let junit = try text(folder, "r.xml")
      #expect(!junit.contains("errors=\"0\"") && junit.contains("the run did not begin"), "\(arguments): \(junit)")
      for code in codes { #expect(junit.contains("<error type=\"\(code)\""), "\(arguments): \(junit)") }
      let json = try JSONValue(parsing: folder.read("r.json"))
      #expect(json["run"]?["refused"]?.boolValue == true, "\(arguments)")
      #expect(json["run"]?["exitStatus"]?.intValue == Int(status), "\(arguments)")
      let told = (json["notices"]?.arrayValue ?? []).compactMap { $0["code"]?.stringValue }
      #expect(Set(codes).isSubset(of: told), "\(arguments): \(told)")
      // A report that is created from the JSON report is the same.
      let again = try await Garland.run(["report", "r.json", "--report", "junit=again.xml"], in: folder.path)
      #expect(again.status == 0, "\(again.error)")
      for code in codes { #expect(try text(folder, "again.xml").contains("<error type=\"\(code)\""), "\(arguments)") }
    }
  }

  @Test func `an invalid command line does not change an existing report`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("good.yaml", Self.good)
    try folder.write("r.xml", "mine")
    for arguments in [["--concurrency", "0"], ["--nope"], ["--report", "juni=r.xml"]] {
      let result = try await Garland.run(["run", "good.yaml", "--report", "junit=r.xml"] + arguments, in: folder.path)
      #expect(result.status == 2)
      #expect(try text(folder, "r.xml") == "mine", "\(arguments)")
    }
  }
}
