import TestSupport
import Testing

/// Tests of the commands `garland import` and `garland report`.
@Suite(.timeLimit(.minutes(15))) struct ImportTests {
  @Test func `garland import makes the missing folders of its output file`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("a.sh", "curl http://h/\n")
    let result = try await Garland.run(["import", "a.sh", "--output", "tests/shop/a.yaml"], in: folder.path)
    #expect(result.status == 0, "\(result.error)")
    #expect(String(decoding: try folder.read("tests/shop/a.yaml"), as: UTF8.self).contains("http://h"))
  }

  @Test func `curl command lines are imported as a workflow that runs`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("a.sh", "curl \"$GARLAND_SANDBOX/get?a=1\"\ncurl -d 'a=1&b=2' \"$GARLAND_SANDBOX/post\" --frobnicate\n")
    let imported = try await Garland.run(["import", "a.sh", "--output", "a.yaml"], in: folder.path)
    #expect(imported.status == 0 && imported.error.contains("--frobnicate"), "\(imported.error)")
    #expect(imported.output == "Wrote a.yaml: 2 steps, 1 warning. Try it: garland check a.yaml\n")
    #expect(try await Garland.run(["check", "a.yaml", "--strict"], in: folder.path).status == 0)
    let run = try await Garland.run(["run", "a.yaml", "--sandbox", "--report", "json=r.json"], in: folder.path)
    #expect(run.status == 0, "\(run.output)")
    let report = try await Garland.run(["report", "r.json", "--report", "junit=r.xml"], in: folder.path)
    #expect(report.status == 0 && report.output.contains("2 passed"), "\(report.output)\(report.error)")
    #expect(String(decoding: try folder.read("r.xml"), as: UTF8.self).contains("<testcase"))
    // An existing file is replaced only on request.
    #expect(try await Garland.run(["import", "a.sh", "--output", "a.yaml"], in: folder.path).status == 2)
    #expect(try await Garland.run(["import", "a.sh", "--output", "a.yaml", "--force"], in: folder.path).status == 0)
    #expect(try await Garland.run(["import", "a.sh", "--strict"], in: folder.path).status == 2)
  }

  @Test func `garland import reads a source from standard input`() async throws {
    let imported = try await Garland.run(
      ["import", "-"], input: Array("curl https://example.com/x -H 'Authorization: Bearer t0ken-t0ken'".utf8))
    #expect(
      imported.status == 0 && imported.output.contains("bearer: ${secrets.TOKEN}") && !imported.output.contains("t0ken"),
      "\(imported.output)")
  }

  @Test(arguments: [
    (["import", "no-such-file"], "cannot read no-such-file"), (["import", "README.md"], "bad-import"),
    (["report", "README.md"], "not JSON"),
    (["report", "no-such-file"], "cannot read"), (["import"], "Missing expected argument"),
    (["import", "a", "--force"], "--force needs --output"),
    (["report", "a", "--report", "pdf=x"], "There is no report"),
  ]) func `an invalid file or argument makes 'garland import' and 'garland report' fail with exit status 2`(
    arguments: [String], words: String
  ) async throws {
    let result = try await Garland.run(arguments)
    #expect(result.status == 2 && (result.error + result.output).contains(words), "\(result.error)")
  }
}
