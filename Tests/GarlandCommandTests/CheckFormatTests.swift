import GarlandJSON
import TestSupport
import Testing

/// Tests of `check --format`, and of annotations for CI systems.
@Suite(.timeLimit(.minutes(15))) struct CheckFormatTests {
  private static let mistaken = "garland: 1\nsteps: { a: { gte: \"http://127.0.0.1:1/##vso[x]y\" } }\n"

  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("bad.yaml", Self.mistaken)
    try folder.write("good.yaml", "garland: 1\nsteps: { a: { get: \"http://127.0.0.1:1/\", extract: { id: $.id } } }\n")
    return folder
  }

  private static func codes(_ format: String, _ value: JSONValue) -> [String?] {
    let list = format == "json" ? value["diagnostics"] : format == "sarif" ? value["runs"]?[0]?["results"] : value
    return (list?.arrayValue ?? []).map { ($0["code"] ?? $0["ruleId"] ?? $0["check_name"])?.stringValue }
  }

  @Test(arguments: ["json", "sarif", "code-quality"])
  func `garland check --format prints only the chosen format to standard output and keeps the exit status`(format: String) async throws {
    let folder = try folder()
    for (file, status, codes) in [("bad.yaml", 2, ["unknown-key"]), ("good.yaml", 0, ["unused-extract"])] as [(String, Int32, [String])] {
      let result = try await Garland.run(["check", file, "--format", format], environment: ["GITHUB_ACTIONS": "true"], in: folder.path)
      #expect(result.status == status && result.error == "", "\(result.error)")
      #expect(Self.codes(format, try JSONValue(parsing: result.output)) == codes)
    }
  }

  @Test func `the output of garland check --format also contains the errors of the command line`() async throws {
    let result = try await Garland.run(["check", "nowhere.yaml", "--format", "json"])
    #expect(result.status == 2)
    #expect(Self.codes("json", try JSONValue(parsing: result.output)) == ["no-such-file"])
  }

  @Test func `garland check --format github prints the same annotations as garland check in a GitHub job`() async throws {
    let folder = try folder()
    let format = try await Garland.run(["check", "bad.yaml", "--format", "github"], in: folder.path)
    let job = try await Garland.run(["check", "bad.yaml"], environment: ["GITHUB_ACTIONS": "true"], in: folder.path)
    #expect(format.status == 2 && format.error == "")
    #expect(format.output.hasPrefix("::error file=bad.yaml,line=2,col=15,title=unknown-key::unknown key `gte`"), "\(format.output)")
    #expect(job.output == format.output)
    #expect(job.error.contains("error[unknown-key]"))
  }

  @Test(arguments: [
    ("GITHUB_ACTIONS", "true", "::error file=bad.yaml,line=2,col=15,"),
    ("TF_BUILD", "True", "##vso[task.logissue type=error;sourcepath=bad.yaml;linenumber=2;"),
    ("TEAMCITY_VERSION", "2024", "##teamcity[inspectionType id='unknown-key' "),
  ]) func `in a CI job, 'garland check' and 'garland run' print an annotation for a document that they refuse`(
    name: String, value: String, start: String
  )
    async throws
  {
    let folder = try folder()
    for words in [["check", "bad.yaml"], ["run", "bad.yaml"]] {
      let result = try await Garland.run(words, environment: [name: value], in: folder.path)
      #expect(result.status == 2)
      #expect(result.output.hasPrefix(start), "\(result.output)")
      // No CI system may find a command in the text of the document.
      #expect(name == "TF_BUILD" ? !result.error.contains("##vso[") : result.error.contains("##vso[x]y"), "\(result.error)")
    }
    let printed = try await Garland.run(["run", "bad.yaml", "--print", "${a.status}"], environment: [name: value], in: folder.path)
    #expect(printed.output == "" && printed.error.contains(start))
  }

  /// Returns the file name of `bad.yaml` in each format.
  private static func files(_ folder: String, environment: [String: String?] = [:]) async throws -> [String] {
    var files: [String] = []
    for format in ["github", "sarif", "code-quality"] {
      let output = try await Garland.run(["check", "bad.yaml", "--format", format], environment: environment, in: folder).output
      guard format != "github" else {
        files.append(String(output.split(separator: "=", maxSplits: 1).last?.prefix { $0 != "," } ?? ""))
        continue
      }
      let value = try JSONValue(parsing: output)
      let path =
        format == "sarif"
        ? value["runs"]?[0]?["results"]?[0]?["locations"]?[0]?["physicalLocation"]?["artifactLocation"]?["uri"]
        : value[0]?["location"]?["path"]
      files.append(path?.stringValue ?? "")
    }
    return files
  }

  @Test func `paths in the output formats github, SARIF and Code Quality are relative to the root of the repository`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("api/tests/bad.yaml", Self.mistaken)
    let place = "\(folder.path)/api/tests"
    #expect(try await Self.files(place) == ["bad.yaml", "bad.yaml", "bad.yaml"])
    for name in ["GITHUB_WORKSPACE", "CI_PROJECT_DIR", "BUILD_SOURCESDIRECTORY"] {
      let files = try await Self.files(place, environment: [name: folder.path])
      #expect(files == Array(repeating: "api/tests/bad.yaml", count: 3))
    }
    // If the workspace contains another repository, file names are relative to that repository.
    try folder.write("api/.git/HEAD", "ref: refs/heads/main\n")
    let files = try await Self.files(place, environment: ["GITHUB_WORKSPACE": folder.path])
    #expect(files == Array(repeating: "tests/bad.yaml", count: 3))
  }

  @Test func `paths in the annotations and the Code Quality report of a run are relative to the root of the repository`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(".git/HEAD", "ref: refs/heads/main\n")
    try folder.write("tests/a.yaml", "garland: 1\nsteps: { a: { get: \"http://127.0.0.1:1/\" } }\n")
    let run = try await Garland.run(
      ["run", "../tests/./a.yaml", "--report", "code-quality=q.json"], environment: ["GITHUB_ACTIONS": "true"], in: "\(folder.path)/tests")
    #expect(run.status == 3 && (run.output + run.error).contains("::error file=tests/a.yaml,line=2"), "\(run.output)")
    let report = try JSONValue(parsing: String(decoding: try folder.read("tests/q.json"), as: UTF8.self))
    #expect(report[0]?["location"]?["path"] == "tests/a.yaml")
  }

  @Test func `a Code Quality report is written for a document that garland run refuses`() async throws {
    let folder = try folder()
    let result = try await Garland.run(["run", "bad.yaml", "--report", "code-quality=q.json"], in: folder.path)
    #expect(result.status == 2)
    let report = try JSONValue(parsing: String(decoding: try folder.read("q.json"), as: UTF8.self))
    #expect(Self.codes("code-quality", report) == ["unknown-key"])
  }

  @Test func `for a document without problems, garland check reports no results in any output format`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("a.yaml", "garland: 1\nsteps: { a: { get: \"http://127.0.0.1:1/\" } }\n")
    for format in ["json", "sarif", "code-quality", "github"] {
      let result = try await Garland.run(["check", "a.yaml", "--format", format], in: folder.path)
      #expect(result.status == 0 && result.error == "")
      #expect(format == "github" ? result.output == "" : Self.codes(format, try JSONValue(parsing: result.output)).isEmpty)
    }
  }

  @Test func `garland check accepts --fix together with --format for a file, but not for standard input`() async throws {
    let folder = try folder()
    let result = try await Garland.run(["check", "bad.yaml", "--fix", "--format", "json"], in: folder.path)
    #expect(result.status == 0)
    #expect(Self.codes("json", try JSONValue(parsing: result.output)).isEmpty)
    #expect(try String(decoding: folder.read("bad.yaml"), as: UTF8.self).contains("get:"))
    let input = try await Garland.run(["check", "-", "--fix", "--format", "json"], input: Array(Self.mistaken.utf8))
    #expect(input.status == 2 && input.error.contains("--fix - and --format can't be combined"))
  }
}
