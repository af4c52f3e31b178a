import GarlandJSON
import TestSupport
import Testing

/// Tests of projects, profiles and a project's settings for runs, with the command.
@Suite(.timeLimit(.minutes(15))) struct ProjectCommandTests {
  private static let project = """
    vars: { base: "${env.GARLAND_SANDBOX}", who: project }
    defaults: { base_url: "${vars.base}", headers: { Who: "${vars.who}" } }
    profiles:
      staging: { vars: { who: staging } }
      live: { extends: staging, confirm: true }
    run: { paths: tests, reports: [json=out/report.json], concurrency: 2, deadline: 1m }

    """
  private static let document = """
    garland: 1
    profiles: { own: { vars: { who: own } } }
    steps: { look: { get: /anything, expect: { json: { $.header.who: { in: [project, staging, own] } } } } }

    """

  /// Returns a repository with the project, `tests/a.yaml`, and `tests/b.yaml`, which has no profile of its own.
  private func repository() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(".git/HEAD", "")
    try folder.write("garland.project.yaml", Self.project)
    try folder.write("tests/a.yaml", Self.document)
    try folder.write("tests/b.yaml", "garland: 1\nsteps: { look: { get: /anything } }\n")
    return folder
  }

  @Test func `a document in a subfolder of a project uses the settings of the project from any working directory`() async throws {
    let folder = try repository()
    for (path, place) in [("tests/a.yaml", folder.path), ("a.yaml", folder.path + "/tests"), ("../tests/a.yaml", folder.path + "/tests")] {
      let run = try await Garland.run(["run", path, "--sandbox"], in: place)
      #expect(run.status == 0, "\(path): \(run.error)")
    }
    let alone = try await Garland.run(["check", "tests/b.yaml", "--no-project"], in: folder.path)
    #expect(alone.status == 2 && alone.error.contains("relative-url"), "\(alone.error)")
  }

  @Test func `if a document lacks the profile that is selected for a run, errors of the document mention the missing profile`() async throws
  {
    let folder = try TemporaryFolder()
    try folder.write("garland.project.yaml", "profiles: { staging: { base_url: 'http://h' } }\n")
    try folder.write("a.yaml", "garland: 1\nprofiles: { qa: { extends: staging } }\nsteps: { look: { get: /a } }\n")
    try folder.write("b.yaml", "garland: 1\nsteps: { look: { get: /b } }\n")
    let result = try await Garland.run(["check", "a.yaml", "b.yaml", "--profile", "qa"], in: folder.path)
    let help = "help: b.yaml has no profile `qa`, and neither has garland.project.yaml"
    #expect(result.status == 2 && result.error.split(separator: help).count == 2, "\(result.error)")
  }

  @Test func `an error in the project file is reported once for all documents`() async throws {
    let folder = try repository()
    try folder.write("garland.project.yaml", Self.project.replacing("defaults: {", with: "defaults: { timeuot: 1s,"))
    let check = try await Garland.run(["check", "tests"], in: folder.path)
    #expect(check.status == 2)
    #expect(check.error.contains("garland.project.yaml:2:13") && check.error.hasSuffix("1 error\n"), "\(check.error)")
    #expect(check.error.contains("found for tests/a.yaml, which starts from this project"), "\(check.error)")
  }

  @Test(arguments: [[], ["look"]])
  func `if the project file is invalid and no path is given, the error does not mention a missing garland.yaml`(steps: [String])
    async throws
  {
    let folder = try repository()
    for (text, code) in [("vars: { a: 1\n", "yaml-syntax"), ("rnu: { paths: tests }\n", "unknown-key"), ("- a\n", "wrong-type")] {
      try folder.write("garland.project.yaml", text)
      let check = try await Garland.run(["check"] + steps, in: folder.path)
      #expect(check.status == 2 && check.error.contains("error[\(code)]"), "\(check.error)")
      #expect(check.error.contains("--> garland.project.yaml:"), "\(check.error)")
      #expect(!check.error.contains("garland.yaml"), "\(check.error)")
    }
    let none = try await Garland.run(["run", "--project", "none.yaml"] + steps, in: folder.path)
    #expect(none.error.contains("the project none.yaml can't be read") && none.error.hasSuffix("1 error\n"), "\(none.error)")
  }

  @Test func `if a path under the key 'run' of the project file does not exist, the error has the position of this path`() async throws {
    let folder = try repository()
    try folder.write("garland.project.yaml", "run: { paths: [tests, smoek] }\n")
    try folder.write("empty/x.txt", "")
    let check = try await Garland.run(["check"], in: folder.path)
    #expect(check.error.contains("there is no file smoek\n --> garland.project.yaml:1:23"), "\(check.error)")
    try folder.write("garland.project.yaml", "run: { paths: empty }\n")
    let empty = try await Garland.run(["check"], in: folder.path)
    #expect(
      empty.error.contains("the folder `empty` has no workflow") && empty.error.contains(" --> garland.project.yaml:1:15"), "\(empty.error)"
    )
  }

  @Test func `--fix corrects a misspelt key in the project file`() async throws {
    let folder = try repository()
    try folder.write("garland.project.yaml", Self.project.replacing("defaults:", with: "defualts:"))
    let fixed = try await Garland.run(["check", "tests", "--fix"], in: folder.path)
    #expect(fixed.status == 0, "\(fixed.error)")
    #expect(String(decoding: try folder.read("garland.project.yaml"), as: UTF8.self) == Self.project)
  }

  @Test func `garland check with a project file as its argument reports the errors of the project file`() async throws {
    let folder = try repository()
    #expect(try await Garland.run(["check", "garland.project.yaml"], in: folder.path).status == 0)
    try folder.write("garland.project.yaml", "defaults: { timeout: fast }\n")
    let check = try await Garland.run(["check", "garland.project.yaml"], in: folder.path)
    #expect(check.status == 2 && check.error.contains("wrong-type"), "\(check.error)")
  }

  @Test func `garland list --profiles marks each profile that asks for confirmation, also if 'confirm' is inherited`()
    async throws
  {
    let folder = try repository()
    let more = "  live: { extends: staging, confirm: true }\n  eu: { extends: live }\n  mock: { extends: live, confirm: false }\n"
    try folder.write("garland.project.yaml", Self.project.replacing("  live: { extends: staging, confirm: true }\n", with: more))
    let list = try await Garland.run(["list", "tests", "--profiles"], in: folder.path)
    #expect(list.output.contains("extends live, asks before a run\n") && list.output.contains("extends live\n"), "\(list.output)")
  }

  @Test func `a run with only a project file as its argument is refused, and its reports contain the refusal`() async throws {
    let folder = try repository()
    let run = try await Garland.run(["run", "garland.project.yaml", "--sandbox", "--report", "junit=r.xml"], in: folder.path)
    #expect(run.status == 2 && run.output == "", "\(run.output)")
    #expect(run.error.contains("error[no-step-selected]: the project file `garland.project.yaml` has no steps"), "\(run.error)")
    #expect(run.error.contains("to run the documents of the project, write `garland run`"), "\(run.error)")
    #expect(String(decoding: try folder.read("r.xml"), as: UTF8.self).contains("errors=\"1\""))
    let below = try await Garland.run(["run", "../garland.project.yaml"], in: folder.path + "/tests")
    #expect(below.status == 2 && below.error.contains("write `garland run") == false, "\(below.error)")
    #expect(below.error.contains("`garland run ../`"), "\(below.error)")
    #expect(try await Garland.run(["run", "garland.project.yaml", "tests", "--sandbox"], in: folder.path).status == 0)
    try folder.write(
      "auth.yaml", "garland: 1\nauth: { a: { oauth2: { grant: client_credentials, token_url: 'http://h/t', client_id: x } } }\n")
    let nothing = try await Garland.run(["run", "auth.yaml"], in: folder.path)
    #expect(nothing.status == 2 && nothing.error.contains("no document has a step"), "\(nothing.error)")
  }

  @Test
  func `if a project file outside of the working directory is ignored and the command fails, the error names the file`()
    async throws
  {
    let folder = try TemporaryFolder()
    try folder.write("p/garland.project.yaml", Self.project)
    try folder.write("p/tests/a.yaml", Self.document)
    try folder.write("other/x.txt", "")
    func words(_ path: String) -> String {
      "\(path) is not used, since it is outside of the working directory and of any repository: to use it, write `--project \(path)`"
    }
    for (arguments, place, path) in [
      (["run", "a.yaml"], "p/tests", "../garland.project.yaml"), (["run"], "p/tests", "../garland.project.yaml"),
      (["check", "../p/tests"], "other", "\(folder.path)/p/garland.project.yaml"),
    ] {
      let result = try await Garland.run(arguments, in: "\(folder.path)/\(place)")
      #expect(result.status == 2, "\(result.error)")
      #expect(result.error.split(separator: words(path), omittingEmptySubsequences: false).count == 2, "\(result.error)")
      let without = try await Garland.run(arguments + ["--no-project"], in: "\(folder.path)/\(place)")
      #expect(!without.error.contains("is not used"), "\(without.error)")
    }
    let given = try await Garland.run(["run", "a.yaml", "--project", "../garland.project.yaml", "--sandbox"], in: folder.path + "/p/tests")
    #expect(given.status == 0, "\(given.error)")
  }

  @Test func `garland check uses the --project file for all documents, and reports only one error if the file is missing`() async throws {
    let folder = try repository()
    try folder.write("other/p.yaml", "defaults: { base_url: 'http://h' }\n")
    #expect(try await Garland.run(["check", "tests/b.yaml", "--project", "other/p.yaml"], in: folder.path).status == 0)
    let missing = try await Garland.run(["check", "tests", "--project", "none.yaml"], in: folder.path)
    #expect(missing.status == 2 && missing.error.hasSuffix("1 error\n"), "\(missing.error)")
    #expect(try await Garland.run(["check", "tests", "--project", "other/p.yaml", "--no-project"], in: folder.path).status == 2)
  }

  // MARK: Profiles

  @Test func `if a document does not define the selected profile, the project's profile with this name is used`() async throws {
    let folder = try repository()
    for profile in ["staging", "own"] {
      let run = try await Garland.run(["run", "tests", "--sandbox", "--profile", profile], in: folder.path)
      #expect(run.status == 0, "\(profile): \(run.output)\(run.error)")
    }
  }

  @Test(arguments: ["local", "staging", "production"])
  func `the example in the folder 'collection' has no warnings in any profile`(profile: String) async throws {
    let check = try await Garland.run(
      ["check", "examples/collection", "--profile", profile, "--strict"], environment: ["SHOP_PASSWORD": "wonderland"])
    #expect(check.status == 0, "\(check.error)")
  }

  @Test func `a DELETE in one document and a GET of the same URL in another document are reported as a likely race`()
    async throws
  {
    let folder = try TemporaryFolder()
    func check(_ method: String) async throws -> String {
      try folder.write("a.yaml", "garland: 1\nsteps: { a: { \(method): 'http://h/x', expect: { status: 200 } } }\n")
      try folder.write("b.yaml", "garland: 1\nsteps: { b: { get: 'http://h/x', expect: { status: 200 } } }\n")
      return try await Garland.run(["check", "a.yaml", "b.yaml"], in: folder.path).error
    }
    #expect(try await check("post").isEmpty)
    let deleted = try await check("delete")
    #expect(deleted.contains("likely-race") && deleted.contains("exclusive: true") && !deleted.contains("after: a"), "\(deleted)")
  }

  @Test func `an undefined profile is reported with the list of defined profiles`() async throws {
    let folder = try repository()
    let run = try await Garland.run(["run", "tests", "--sandbox", "--profile", "nightly"], in: folder.path)
    #expect(run.status == 2 && run.error.contains("--profile:1:1"), "\(run.error)")
    #expect(
      run.error.contains("no document has a profile `nightly`, and neither has garland.project.yaml")
        && run.error.contains("available: `staging`, `live`, `own`"), "\(run.error)")
  }

  @Test func `an undefined profile is reported without follow-up errors about a missing base URL`() async throws {
    let folder = try TemporaryFolder()
    #expect(try await Garland.run(["init"], in: folder.path).status == 0)
    let run = try await Garland.run(["run", "--profile", "nightly"], in: folder.path)
    #expect(run.status == 2 && run.error.contains("available: `local`, `staging`"), "\(run.error)")
    #expect(run.error.hasSuffix("1 error\n") && !run.error.contains("relative-url"), "\(run.error)")
    // A document that can't be read may have the profile.
    try folder.write("tests/broken.yaml", "garland: 1\nsteps: [\n")
    let broken = try await Garland.run(["run", "tests/broken.yaml", "none.yaml", "--profile", "nightly"], in: folder.path)
    #expect(broken.status == 2 && broken.error.contains("there is no file none.yaml"), "\(broken.error)")
  }

  @Test func `if the key 'profiles' of the project is misspelt, the profile that --profile selects is not reported as undefined`()
    async throws
  {
    let folder = try TemporaryFolder()
    try folder.write("garland.project.yaml", "profils: { staging: { base_url: 'http://h' } }\n")
    try folder.write("a.yaml", "garland: 1\nsteps: { a: { get: /a } }\n")
    let check = try await Garland.run(["check", "a.yaml", "--profile", "staging"], in: folder.path)
    #expect(check.status == 2 && check.error.contains("did you mean `profiles`?"), "\(check.error)")
    #expect(check.error.hasSuffix("1 error\n") && !check.error.contains("undefined-profile"), "\(check.error)")
  }

  @Test func `--fix corrects the project key 'profile' to 'default_profile' if its value is a name, and to 'profiles' if it is a mapping`()
    async throws
  {
    for (key, value) in [("default_profile", "local"), ("profiles", "{ local: { base_url: 'http://h' } }")] {
      let folder = try TemporaryFolder()
      let rest = key == "profiles" ? "" : "profiles: { local: { base_url: 'http://h' } }\n"
      try folder.write("garland.project.yaml", "profile: \(value)\n\(rest)")
      try folder.write("a.yaml", "garland: 1\nsteps: { a: { get: /a, expect: { status: 200 } } }\n")
      let fixed = try await Garland.run(["check", "--fix", "a.yaml", "--profile", "local"], in: folder.path)
      #expect(fixed.status == 0, "\(fixed.error)")
      #expect(String(decoding: try folder.read("garland.project.yaml"), as: UTF8.self) == "\(key): \(value)\n\(rest)")
    }
  }

  @Test func `a missing secret is reported before the confirmation that the profile requires`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("garland.project.yaml", "profiles: { live: { confirm: true } }\n")
    try folder.write(
      "a.yaml", "garland: 1\nsecrets: [SHOP_TOKEN]\nsteps: { a: { get: 'http://127.0.0.1:1/', bearer: '${secrets.SHOP_TOKEN}' } }\n")
    let arguments = ["run", "a.yaml", "--profile", "live", "--report", "json=out.json"]
    let missing = try await Garland.run(arguments, in: folder.path)
    #expect(missing.status == 2 && missing.error.contains("error[missing-secret]"), "\(missing.error)")
    #expect(!missing.error.contains("has to be confirmed") && missing.error.hasSuffix("1 error\n"), "\(missing.error)")
    let report = try JSONValue(parsing: try folder.read("out.json"))
    #expect(report.jsonText().contains("missing-secret"), "\(report.jsonText())")
    let asked = try await Garland.run(arguments, environment: ["SHOP_TOKEN": "tops3cret"], in: folder.path)
    #expect(asked.status == 2 && asked.error.contains("has to be confirmed"), "\(asked.error)")
  }

  @Test func `without a terminal, a run with a profile that requires confirmation needs --yes`() async throws {
    let folder = try repository()
    let asked = try await Garland.run(["run", "tests", "--sandbox", "--profile", "live"], in: folder.path)
    #expect(asked.status == 2 && asked.error.contains("run with --yes"), "\(asked.error)")
    #expect(asked.error.contains("garland.project.yaml:5:38"), "\(asked.error)")
    #expect(try await Garland.run(["run", "tests", "--sandbox", "--profile", "live", "--yes"], in: folder.path).status == 0)
    // A command that sends no requests needs no confirmation.
    #expect(try await Garland.run(["check", "tests", "--profile", "live"], in: folder.path).status == 0)
  }

  // MARK: Run

  @Test func `garland run uses the paths, reports and concurrency of the project unless options override them`() async throws {
    let folder = try repository()
    let run = try await Garland.run(["run", "--sandbox"], in: folder.path)
    #expect(run.status == 0, "\(run.error)")
    let report = try JSONValue(parsing: try folder.read("out/report.json"))
    #expect(report["results"]?.arrayValue?.count == 2)
    #expect(report["concurrency"]?.intValue == 2 || report["run"]?["concurrency"]?.intValue == 2, "\(report.jsonText())")
    let below = try await Garland.run(["run", "--sandbox", "--report", "json=own.json"], in: folder.path + "/tests")
    #expect(below.status == 0, "\(below.error)")
    #expect((try? folder.read("tests/own.json")) != nil && (try? folder.read("tests/out/report.json")) == nil)
  }

  @Test func `the deadline of the project ends a run, and --deadline overrides it`() async throws {
    let folder = try repository()
    try folder.write("garland.project.yaml", Self.project.replacing("deadline: 1m", with: "deadline: 1ms"))
    let ended = try await Garland.run(["run", "--sandbox"], in: folder.path)
    #expect(ended.status != 0, "\(ended.output)")
    #expect(try await Garland.run(["run", "--sandbox", "--deadline", "60s"], in: folder.path).status == 0)
  }

  @Test func `an unknown report format in the project file is reported with its location`() async throws {
    let folder = try repository()
    try folder.write("garland.project.yaml", Self.project.replacing("json=out", with: "jsno=out"))
    let run = try await Garland.run(["run", "--sandbox"], in: folder.path)
    #expect(run.status == 2 && run.error.contains("garland.project.yaml:6:32") && run.error.contains("json=FILE"), "\(run.error)")
    for path in ["tests", "garland.project.yaml"] {
      let check = try await Garland.run(["check", path], in: folder.path)
      #expect(check.status == 2 && check.error.contains("garland.project.yaml:6:32"), "\(check.error)")
      #expect(check.error.contains("there is no report `jsno`") && check.error.contains("did you mean `json=FILE`?"), "\(check.error)")
    }
  }

  @Test(arguments: [
    ("json", "the file of the report is missing", "write `json=FILE`"),
    ("json=", "the file of the report is missing", "write `json=FILE`"),
    ("=out/report.json", "there is no report ``", "write junit=FILE"),
    ("json=http://h/x", "only otlp goes to a URL", "write `json=FILE`, or `otlp=URL`"),
    ("otlp=ftp://h/x", "the URL ftp://h/x is not that of a collector", "write one such as http://localhost:4318"),
  ]) func `if an entry under 'reports' in a project file is invalid, garland check and garland run show the same message`(
    entry: String, message: String, help: String
  ) async throws {
    let folder = try repository()
    try folder.write("garland.project.yaml", Self.project.replacing("json=out/report.json", with: "'\(entry)'"))
    let check = try await Garland.run(["check", "tests"], in: folder.path)
    #expect(check.status == 2 && check.error.contains("error[wrong-type]: \(message)\n"), "\(check.error)")
    #expect(check.error.contains("= help: \(help)"), "\(check.error)")
    let run = try await Garland.run(["run", "--sandbox"], in: folder.path)
    #expect(run.status == 2 && run.error.contains("garland.project.yaml:6:32: \(message); \(help)"), "\(run.error)")
  }
}
