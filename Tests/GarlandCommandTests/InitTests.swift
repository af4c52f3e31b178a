import GarlandJSON
import TestSupport
import Testing

/// Tests of `garland init`, most of them without a file: then it creates a small project.
@Suite(.timeLimit(.minutes(15))) struct InitTests {
  private static let files = [".gitignore", "garland.project.yaml", "shared/session.yaml", "tests/account.yaml", "tests/books.yaml"]

  private func text(_ folder: TemporaryFolder, _ name: String) throws -> String { String(decoding: try folder.read(name), as: UTF8.self) }

  @Test func `garland init creates a project that passes garland check and runs on the sandbox without changes`() async throws {
    let folder = try TemporaryFolder()
    let made = try await Garland.run(["init"], in: folder.path)
    #expect(made.status == 0, "\(made.error)")
    for file in Self.files { #expect(made.output.contains(file), "\(file)") }
    let check = try await Garland.run(["check", "--strict"], in: folder.path)
    #expect(check.status == 0, "\(check.error)")
    let project = try await Garland.run(["check", "--strict", "garland.project.yaml"], in: folder.path)
    #expect(project.status == 0, "\(project.error)")
    let run = try await Garland.run(["run", "--sandbox"], in: folder.path)
    #expect(run.status == 0, "\(run.output)\(run.error)")
    // Two documents share one login and one logout step.
    #expect(run.output.contains("7 passed"), "\(run.output)")
    #expect(run.output.split(separator: "\n").count { $0.contains("✓ login") } == 1)
  }

  @Test func `garland init FILE in a project writes a workflow that uses the settings of the project`() async throws {
    let folder = try TemporaryFolder()
    #expect(try await Garland.run(["init"], in: folder.path).status == 0)
    let made = try await Garland.run(["init", "tests/more.yaml"], in: folder.path)
    #expect(made.output == "Wrote tests/more.yaml. Try it: garland run tests/more.yaml --sandbox\n", "\(made.output)")
    expectGolden(try text(folder, "tests/more.yaml"), "init/in-a-project.yaml")
    let run = try await Garland.run(["run", "tests/more.yaml", "--sandbox"], in: folder.path)
    #expect(run.status == 0 && run.error.isEmpty, "\(run.output)\(run.error)")
    try folder.write("garland.project.yaml", "defaults: { base_url: 'http://127.0.0.1:1' }\n")
    let other = try await Garland.run(["init", "other.yaml"], in: folder.path)
    #expect(other.output == "Wrote other.yaml. Try it: garland run other.yaml\n", "\(other.output)")
  }

  @Test func `garland init overwrites an existing file only with --force`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("garland.project.yaml", "name: mine\n")
    let refused = try await Garland.run(["init"], in: folder.path)
    #expect(refused.status == 2 && refused.error.contains("garland.project.yaml` exists already"), "\(refused.error)")
    #expect(folder.names == ["garland.project.yaml"])
    #expect(try await Garland.run(["init", "--force"], in: folder.path).status == 0)
    #expect(try text(folder, "garland.project.yaml").contains("My API"))
  }

  @Test func `garland init keeps the lines of an existing gitignore file and adds the missing lines`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(".gitignore", "build\n.env")
    #expect(try await Garland.run(["init"], in: folder.path).status == 0)
    let lines = try text(folder, ".gitignore").split(separator: "\n")
    #expect(lines.prefix(3) == ["build", ".env", ".env.*"])
    #expect(lines.count { $0 == ".env" } == 1)
  }

  @Test(
    arguments: [
      ("github", [".github/workflows/garland.yml"]), ("gitlab", [".gitlab-ci.yml"]), ("none", []),
    ] as [(String, [String])])
  func `garland init --ci writes the configuration file of the chosen CI system`(system: String, files: [String]) async throws {
    let folder = try TemporaryFolder()
    #expect(try await Garland.run(["init", "--ci", system], in: folder.path).status == 0)
    for file in [".github/workflows/garland.yml", ".gitlab-ci.yml"] {
      #expect(((try? folder.read(file)) != nil) == files.contains(file), "\(file)")
    }
    for file in files { expectGolden(try text(folder, file), "init/\(system).yml") }
  }

  @Test(arguments: [
    ("git@github.com:me/shop.git", ".github/workflows/garland.yml"), ("https://gitlab.example.com/me/shop.git", ".gitlab-ci.yml"),
  ]) func `garland init chooses the CI system by the remote of the repository`(remote: String, file: String) async throws {
    let folder = try TemporaryFolder()
    try folder.write(".git/config", "[remote \"origin\"]\n\turl = \(remote)\n")
    #expect(try await Garland.run(["init"], in: folder.path).status == 0)
    #expect((try? folder.read(file)) != nil)
  }

  @Test func `for a subfolder, 'garland init' writes a CI file at the repository's root whose commands run in the subfolder`()
    async throws
  {
    let folder = try TemporaryFolder()
    try folder.write(".git/HEAD", "")
    try folder.write(".github/CODEOWNERS", "")
    let made = try await Garland.run(["init", "api/shop"], in: folder.path)
    #expect(made.status == 0 && made.output.contains(", .github/workflows/garland.yml."), "\(made.output)\(made.error)")
    let workflow = try text(folder, ".github/workflows/garland.yml")
    #expect(workflow.contains("    defaults: { run: { working-directory: \"api/shop\" } }\n"), "\(workflow)")
    #expect(workflow.contains("path: \"api/shop/report.html\""), "\(workflow)")
    let added = try await Garland.run(["init", "--ci", "gitlab"], in: folder.path + "/api/shop")
    #expect(added.status == 0 && added.output == "Wrote ../../.gitlab-ci.yml.\n", "\(added.output)\(added.error)")
    let pipeline = try text(folder, ".gitlab-ci.yml")
    #expect(pipeline.contains("    - cd api/shop\n") && pipeline.contains("paths: [\"api/shop/report.html\"]"), "\(pipeline)")
  }

  @Test(arguments: ["a: b", "it's #1", "say \"hi\"", "$HOME", "end:", "back\\slash", "-x"])
  func `the CI file of garland init enters the project's folder even if its name has special characters`(name: String)
    async throws
  {
    let folder = try TemporaryFolder()
    try folder.write(".git/HEAD", "")
    #expect(try await Garland.run(["init", "./" + name, "--ci", "gitlab"], in: folder.path).status == 0)
    let lines = try text(folder, ".gitlab-ci.yml").split(separator: "\n").map(String.init)
    let line = try #require(lines.first { $0.hasPrefix("    - ") }?.dropFirst(6))
    // A text in double quotes is the same in YAML as in JSON.
    let command = line.hasPrefix("\"") ? try JSONValue(parsing: String(line)).stringValue ?? "" : String(line)
    let shell = try await ChildProcess.run("/bin/bash", ["-c", command + " && cat garland.project.yaml"], in: folder.path)
    let project = try text(folder, name + "/garland.project.yaml")
    #expect(shell.status == 0 && shell.output == project, "\(command)\(shell.error)")
    #expect(line.hasPrefix("\"") || !line.contains { ":#'\"".contains($0) }, "\(line)")
    let report = try #require(lines.first { $0.hasPrefix("      junit: ") }?.dropFirst(13))
    #expect(try JSONValue(parsing: String(report)).stringValue?.hasSuffix(name + "/report.xml") == true, "\(report)")
  }

  @Test func `garland init does not change an existing CI file`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(".gitlab-ci.yml", "mine: {}\n")
    #expect(try await Garland.run(["init"], in: folder.path).status == 0)
    #expect(try text(folder, ".gitlab-ci.yml") == "mine: {}\n")
  }

  @Test(arguments: ["new", "new/", "deep/er/new", "my shop", "v1.2"])
  func `garland init FOLDER creates the folder and writes the project into it`(path: String) async throws {
    let folder = try TemporaryFolder()
    let made = try await Garland.run(["init", path], in: folder.path)
    let name = path.hasSuffix("/") ? String(path.dropLast()) : path
    #expect(made.status == 0 && made.output.contains("Wrote \(name)/garland.project.yaml, "), "\(made.output)\(made.error)")
    #expect(made.output.hasSuffix("Try it: cd \(name == "my shop" ? "'my shop'" : name) && garland run --sandbox\n"), "\(made.output)")
    let run = try await Garland.run(["run", "--sandbox"], in: folder.path + "/" + name)
    #expect(run.status == 0 && run.output.contains("7 passed"), "\(run.output)\(run.error)")
    let again = try await Garland.run(["init", path], in: folder.path)
    #expect(again.status == 2 && again.error.contains("\(name)/garland.project.yaml` exists already"), "\(again.error)")
  }

  @Test func `garland init writes a project into an existing folder, and needs --force to replace a file`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("old/a.txt", "mine")
    #expect(try await Garland.run(["init", "old", "--ci", "github"], in: folder.path).status == 0)
    for file in Self.files + [".github/workflows/garland.yml"] { #expect((try? folder.read("old/" + file)) != nil, "\(file)") }
    #expect(try text(folder, "old/a.txt") == "mine" && folder.names == ["old"])
    let absolute = try await Garland.run(["init", folder.path + "/other"], in: "/")
    #expect(absolute.status == 0 && (try? folder.read("other/garland.project.yaml")) != nil, "\(absolute.error)")
  }

  @Test func `if garland init fails, it removes the files that it has written`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("new/tests", "a file where a folder belongs")
    let result = try await Garland.run(["init", "new"], in: folder.path)
    #expect(result.status == 4 && result.error.contains("cannot write new/tests/account.yaml"), "\(result.error)")
    #expect((try? folder.read("new/garland.project.yaml")) == nil)
  }

  @Test func `garland init replaces an existing CI file only if both --ci and --force are given`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(".gitlab-ci.yml", "mine: {}\n")
    let kept = try await Garland.run(["init", "--ci", "gitlab"], in: folder.path)
    #expect(kept.status == 0 && kept.output.contains(".gitlab-ci.yml` exists already and was not changed"), "\(kept.output)")
    let found = try await Garland.run(["init", "--force"], in: folder.path)
    #expect(found.output.contains(".gitlab-ci.yml` exists already and was not changed"), "\(found.output)")
    #expect(try text(folder, ".gitlab-ci.yml") == "mine: {}\n")
    #expect(try await Garland.run(["init", "--force", "--ci", "gitlab"], in: folder.path).status == 0)
    #expect(try text(folder, ".gitlab-ci.yml").contains("garland check"))
  }

  @Test func `garland init --ci --force in a project replaces the CI file and keeps every other file`() async throws {
    let folder = try TemporaryFolder()
    #expect(try await Garland.run(["init", "--ci", "gitlab"], in: folder.path).status == 0)
    try folder.write("garland.project.yaml", "name: mine\n")
    try folder.write("tests/books.yaml", "garland: 1\n")
    try folder.write(".gitlab-ci.yml", "mine: {}\n")
    let refused = try await Garland.run(["init", "--ci", "gitlab"], in: folder.path)
    #expect(refused.status == 2 && refused.error.contains(".gitlab-ci.yml` exists already; --force replaces it"), "\(refused.error)")
    let forced = try await Garland.run(["init", "--ci", "gitlab", "--force"], in: folder.path)
    #expect(forced.status == 0 && forced.output == "Wrote .gitlab-ci.yml.\n", "\(forced.output)\(forced.error)")
    #expect(try text(folder, ".gitlab-ci.yml").contains("garland check"))
    #expect(try text(folder, "garland.project.yaml") == "name: mine\n")
    #expect(try text(folder, "tests/books.yaml") == "garland: 1\n")
  }

  @Test(arguments: [("./a/../b", "b", "b"), ("b//c/.", "b/c", "b/c"), ("../work/b", "../work/b", "b"), ("./-x", "-x", "-x")])
  func `the commands that garland init prints contain the folder path without parts such as './' and 'a/..'`(
    path: String, shown: String, stored: String
  )
    async throws
  {
    let folder = try TemporaryFolder()
    try folder.write("work/.git/HEAD", "")
    let made = try await Garland.run(["init", path, "--ci", "github"], in: folder.path + "/work")
    #expect(made.status == 0 && made.output.contains("Wrote \(shown)/garland.project.yaml, "), "\(made.output)\(made.error)")
    let word = shown.hasPrefix("-") ? "./" + shown : shown
    #expect(made.output.hasSuffix("Try it: cd \(word) && garland run --sandbox\n"), "\(made.output)")
    let workflow = try text(folder, "work/.github/workflows/garland.yml")
    #expect(workflow.contains("working-directory: \"\(stored)\""), "\(workflow)")
    #expect((try? folder.read("work/\(stored)/garland.project.yaml")) != nil)
  }

  @Test func `garland init with a path that is equivalent to the current folder, such as a/.., writes into the current folder`()
    async throws
  {
    let folder = try TemporaryFolder()
    let made = try await Garland.run(["init", "a/.."], in: folder.path)
    #expect(made.status == 0 && made.output.hasSuffix("Try it: garland run --sandbox\n"), "\(made.output)\(made.error)")
    #expect((try? folder.read("garland.project.yaml")) != nil && !folder.names.contains("a"))
  }

  @Test func `'garland init' refuses --ci if the command line names a workflow file`() async throws {
    #expect(try await Garland.run(["init", "a.yaml", "--ci", "github"]).status == 2)
  }
}
