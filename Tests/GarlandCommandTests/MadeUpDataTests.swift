import GarlandJSON
import TestSupport
import Testing

/// Tests of generated test data, such as `fake_name()`, and of the seeds of `--seed` and `--shuffle`.
@Suite(.timeLimit(.minutes(15))) struct MadeUpDataTests {
  private static let document = """
    garland: 1
    vars: { mail: "${fake_email()}" }
    defaults: { base_url: "${env.GARLAND_SANDBOX}" }
    steps:
      one: { post: /anything, json: { a: "${fake_name()}", b: "${fake_name()}", c: "${fake_words(3)}", mail: "${vars.mail}" } }
      two: { post: /anything, json: { a: "${fake_name()}", n: "${fake_number(1, 1000000)}" } }

    """

  /// Returns the JSON that each step of a run sends, and the seed in the report.
  private func run(_ options: String...) async throws -> (sent: [String: JSONValue], seed: Int?, error: String) {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", Self.document)
    let result = try await Garland.run(
      ["run", "w.yaml", "--sandbox", "--report", "json=r.json", "--report-bodies", "all"] + options, in: folder.path)
    #expect(result.status == 0, "\(result.error)")
    let report = try JSONValue(parsing: try folder.read("r.json"))
    var sent: [String: JSONValue] = [:]
    for step in report["results"]?.arrayValue ?? [] {
      let body = step["exchanges"]?.arrayValue?.last?["requestBody"]?["text"]?.stringValue ?? "null"
      sent[step["id"]?.stringValue ?? ""] = try JSONValue(parsing: body)
    }
    return (sent, report["run"]?["seed"]?.intValue, result.error)
  }

  @Test func `two runs with the same --seed generate the same random data, even if their steps run in another order`() async throws {
    let first = try await run("--seed", "7")
    let second = try await run("--seed", "7", "--shuffle", "3", "--per-origin", "1")
    #expect(!first.sent.isEmpty && first.sent == second.sent)
    #expect(first.seed == 7)
    let other = try await run("--seed", "8")
    #expect(other.sent != first.sent)
  }

  @Test func `two expressions that generate random data give different values`() async throws {
    let sent = try await run("--seed", "7").sent
    let names = [sent["one"]?["a"], sent["one"]?["b"], sent["two"]?["a"]].compactMap { $0?.stringValue }
    #expect(Set(names).count == 3, "\(names)")
  }

  @Test func `a run without --seed chooses a random seed and prints it`() async throws {
    let first = try await run()
    let seed = try #require(first.seed)
    #expect(first.error.contains("Generated data; to repeat it, use --seed \(seed)."), "\(first.error)")
    #expect(try await run("--seed", "\(seed)").sent == first.sent)
  }

  @Test func `with --quiet, the seeds of --shuffle and --seed are printed only if Garland chooses them at random`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", Self.document)
    let arguments = ["run", "w.yaml", "--sandbox", "--quiet", "--report", "json=r.json"]
    let random = try await Garland.run(arguments + ["--shuffle", "random"], in: folder.path)
    let run = try JSONValue(parsing: folder.read("r.json"))["run"]
    let order = try #require(run?["shuffle"]?.intValue)
    let data = try #require(run?["seed"]?.intValue)
    #expect(random.error.contains("Random order; to repeat it, use --shuffle \(order)."), "\(random.error)")
    #expect(random.error.contains("Generated data; to repeat it, use --seed \(data)."), "\(random.error)")
    let given = try await Garland.run(arguments + ["--shuffle", "\(order)", "--seed", "\(data)"], in: folder.path)
    #expect(given.status == 0 && given.error.isEmpty, "\(given.error)")
    #expect(try await Garland.run(["report", "r.json", "--quiet", "--report", "json=again.json"], in: folder.path).status == 0)
    #expect(try JSONValue(parsing: folder.read("again.json"))["run"]?["shuffle"]?.intValue == order)
  }

  @Test func `the HTML page and the reports for CI systems show the seed of a run`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", Self.document)
    let files = ["html": "r.html", "markdown": "r.md", "junit": "r.xml", "tap": "r.tap", "otlp": "r.jsonl"]
    let result = try await Garland.run(
      ["run", "w.yaml", "--sandbox", "--seed", "4711"] + files.flatMap { ["--report", "\($0)=\($1)"] }, in: folder.path)
    #expect(result.status == 0, "\(result.error)")
    for (format, words) in [
      "html": "seed 4711", "markdown": "seed 4711", "junit": "name=\"garland.seed\" value=\"4711\"", "tap": "# seed 4711",
      "otlp": "garland.run.seed",
    ] {
      let text = String(decoding: try folder.read(files[format] ?? ""), as: UTF8.self)
      #expect(text.contains(words), "\(format)")
    }
  }

  @Test func `a run that generates no random data has no seed`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", "garland: 1\nsteps: { a: { get: \"${env.GARLAND_SANDBOX}/health\" } }\n")
    let result = try await Garland.run(["run", "w.yaml", "--sandbox", "--report", "json=r.json"], in: folder.path)
    #expect(result.status == 0 && !result.error.contains("--seed"))
    #expect(try JSONValue(parsing: try folder.read("r.json"))["run"]?["seed"] == nil)
  }
}
