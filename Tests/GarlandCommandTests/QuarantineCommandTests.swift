import GarlandJSON
import TestSupport
import Testing

/// Tests of quarantined steps with the command.
@Suite(.timeLimit(.minutes(15))) struct QuarantineCommandTests {
  static let shop = """
    garland: 1
    name: Shop
    defaults: { base_url: "${env.GARLAND_SANDBOX}" }
    steps:
      pay: { get: /status/503 }
      receipt: { get: "/get?paid=${pay.status}" }
      list: { get: /get }

    """

  private static func folder(until: String, step: String = "tests/shop.yaml#pay") throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(".git/HEAD", "")
    try folder.write("tests/shop.yaml", shop)
    try folder.write("quarantine.yaml", "- { step: \(step), reason: 'The bank, SHOP-123', until: \(until) }\n")
    return folder
  }

  @Test func `a failure of a quarantined step is reported, and the exit status is 0`() async throws {
    let folder = try Self.folder(until: "2199-12-31")
    let run = try await Garland.run(["run", "tests", "--sandbox", "--report", "json=r.json", "--max-failures", "1"], in: folder.path)
    #expect(run.status == 0, "\(run.output)\(run.error)")
    #expect(run.output.contains("quarantined: status is 503"))
    #expect(run.output.contains("(The bank, SHOP-123)"))
    #expect(run.output.contains("1 blocked, 1 quarantined, 1 passed"))
    let report = try JSONValue(parsing: folder.read("r.json"))
    #expect(report["run"]?["quarantined"] == 1 && report["run"]?["exitStatus"] == 0)
    #expect(report["steps"]?[0]?["quarantine"] == ["reason": "The bank, SHOP-123", "until": "2199-12-31"])
  }

  @Test func `if a quarantined step fails after its last day of quarantine, the exit status is 1`() async throws {
    let folder = try Self.folder(until: "2001-01-01")
    #expect(try await Garland.run(["run", "tests", "--sandbox"], in: folder.path).status == 1)
  }

  @Test func `--rerun-failed does not run a failed quarantined step again`() async throws {
    let folder = try Self.folder(until: "2199-12-31")
    try folder.write("tests/shop.yaml", Self.shop.replacing("  receipt: { get: \"/get?paid=${pay.status}\" }\n", with: ""))
    let run = try await Garland.run(["run", "tests", "--sandbox", "--rerun-failed", "2", "--report", "json=r.json"], in: folder.path)
    #expect(run.status == 0)
    #expect(try JSONValue(parsing: folder.read("r.json"))["run"]?["requests"] == 2)
  }

  @Test func `with --no-project, no step is quarantined`() async throws {
    let folder = try Self.folder(until: "2199-12-31")
    #expect(try await Garland.run(["run", "tests", "--sandbox", "--no-project"], in: folder.path).status == 1)
  }

  @Test func `garland check warns of a quarantine entry whose last day is over`() async throws {
    let folder = try Self.folder(until: "2001-01-01")
    let check = try await Garland.run(["check", "tests"], in: folder.path)
    #expect(check.status == 0, "\(check.error)")
    #expect(check.error.contains("warning[quarantine-over]: the quarantine of the step `pay` ended on 2001-01-01"), "\(check.error)")
    #expect(try await Garland.run(["check", "tests", "--strict"], in: folder.path).status == 2)
  }

  @Test func `garland check --fix corrects a misspelt step id in the quarantine list`() async throws {
    let folder = try Self.folder(until: "2199-12-31", step: "tests/shop.yaml#payy")
    let check = try await Garland.run(["check", "tests", "--fix"], in: folder.path)
    #expect(check.status == 0, "\(check.error)")
    #expect(String(decoding: try folder.read("quarantine.yaml"), as: UTF8.self).contains("step: 'tests/shop.yaml#pay',"))
  }

  @Test func `garland check with a quarantine list as its argument checks the list`() async throws {
    let folder = try Self.folder(until: "soon")
    let check = try await Garland.run(["check", "quarantine.yaml"], in: folder.path)
    #expect(check.status == 2 && check.error.contains("expected a date"), "\(check.error)")
  }

  @Test func `the quarantine list refers to a step of a called document by the path of that document`() async throws {
    let folder = try Self.folder(until: "2199-12-31")
    try folder.write("main.yaml", "garland: 1\nsteps: { all: { call: ./tests/shop.yaml } }\n")
    #expect(try await Garland.run(["run", "main.yaml", "--sandbox"], in: folder.path).status == 0)
  }

  @Test func `reports of shards with different quarantine lists are not merged`() async throws {
    let folder = try Self.folder(until: "2199-12-31")
    for number in 1...2 {
      try folder.write("quarantine.yaml", "- { step: tests/shop.yaml#pay, reason: r\(number), until: 2199-12-31 }\n")
      _ = try await Garland.run(
        ["run", "tests", "--sandbox", "--shard", "\(number)/2", "--report", "json=s\(number).json"], in: folder.path)
    }
    let merge = try await Garland.run(["report", "merge", "s1.json", "s2.json"], in: folder.path)
    #expect(merge.status == 4 && merge.error.contains("quarantine.yaml"), "\(merge.error)")
  }
}
