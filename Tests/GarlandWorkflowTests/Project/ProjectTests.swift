import GarlandDiagnostics
import Testing

@testable import GarlandWorkflow

/// Tests of documents that inherit settings of their project.
@Suite struct ProjectTests {
  private static let folders: Set<String> = ["/", "/project", "/project/tests", "/project/tests/deep", "/project/.git", "/other"]

  /// Decodes `/project/tests/test.yaml` over `/project/garland.project.yaml`.
  private func decode(
    _ document: String, project: String, profile: String? = nil, overrides: [WorkflowDecoder.Override] = [], files: [String: String] = [:],
    in folder: String = "/project/tests"
  ) -> (workflow: Workflow?, diagnostics: DiagnosticList) {
    var contents = files
    contents["/project/garland.project.yaml"] = project
    contents["\(folder)/test.yaml"] = document
    let access = FileAccess(MemoryFiles(contents: contents, folders: Self.folders), roots: ["/project"])
    var options = WorkflowDecoder.Options(files: access, profile: profile, overrides: overrides)
    options.projects = ProjectFinder(.nearest, files: access, workingDirectory: "/project")
    return WorkflowDecoder.decode(name: "tests/test.yaml", bytes: Array(document.utf8), directory: folder, options: options)
  }

  private func words(_ diagnostics: DiagnosticList) -> [String] {
    diagnostics.all.map { diagnostic in
      let place = diagnostic.range.map { "\($0) " } ?? ""
      return "\(place)\(diagnostic.code.rawValue): \(diagnostic.message)"
    }
  }

  private let plain = "garland: 1\nsteps: { a: { get: /x } }"

  private func header(_ name: String, of workflow: Workflow?) -> String? {
    workflow?.steps.first?.sent.headers.first { $0.name.value == name }?.values.first?.constantText
  }

  // MARK: Layers

  @Test func `a document without base_url uses the base_url of the project`() throws {
    let (workflow, diagnostics) = decode(plain, project: "defaults: { base_url: 'http://h' }")
    #expect(words(diagnostics) == [])
    #expect(workflow?.steps.first?.sent.baseURL?.source == "http://h")
  }

  @Test func `a relative URL is refused if neither the document nor its project has a base_url`() throws {
    let (workflow, _) = decode(plain, project: "name: x")
    #expect(workflow == nil)
  }

  @Test func `keys in the document's defaults override the same keys in the project's defaults`() {
    let (workflow, _) = decode(
      "garland: 1\ndefaults: { headers: { B: own, C: own } }\nsteps: { a: { get: /x, headers: { C: step } } }",
      project: "defaults: { base_url: 'http://h', headers: { A: project, B: project, C: project } }")
    #expect(["A", "B", "C"].map { header($0, of: workflow) } == ["project", "own", "step"])
  }

  @Test func `a credential in a document's defaults replaces the project's credential, even if their kinds differ`() {
    let (workflow, diagnostics) = decode(
      "garland: 1\ndefaults: { bearer: t }\nsteps: { a: { get: /x } }", project: "defaults: { base_url: 'http://h', basic: 'a:b' }")
    #expect(words(diagnostics) == [])
    guard case .bearer? = workflow?.steps.first?.sent.auth?.kind else {
      Issue.record("no bearer")
      return
    }
  }

  @Test func `a step can extend a step template of the project`() {
    let (workflow, _) = decode(
      "garland: 1\nsteps: { a: { extends: call } }",
      project: "defaults: { base_url: 'http://h', steps: { call: { put: /from/project } } }")
    #expect(workflow?.steps.first?.sent.method.value == "PUT")
  }

  @Test func `a step template of the document replaces the project's template of the same name`() {
    let (workflow, _) = decode(
      "garland: 1\ndefaults: { steps: { call: { get: /own } } }\nsteps: { a: { extends: call }, b: { extends: other } }",
      project: "defaults: { base_url: 'http://h', steps: { call: { put: /x }, other: { delete: /x } } }")
    #expect(workflow?.steps.map(\.sent.method.value) == ["GET", "DELETE"])
  }

  @Test func `auth entries and resources of the project can be used by their names`() {
    let (workflow, diagnostics) = decode(
      "garland: 1\nauth: { own: { bearer: t } }\nsteps: { a: { get: /x, auth: shop, uses: db } }",
      project: "defaults: { base_url: 'http://h' }\nauth: { shop: { basic: 'a:b' } }\nresources: { db: 1 }")
    #expect(words(diagnostics) == [])
    #expect(workflow?.authentications.map(\.name.value) == ["shop", "own"])
  }

  @Test func `keys under 'reachability' of a document override the same keys of the project`() {
    let (workflow, _) = decode(
      "garland: 1\nreachability: { wait: 5s }\nsteps: { a: { get: /x } }",
      project: "defaults: { base_url: 'http://h' }\nreachability: { preflight: true, wait: 60s }")
    #expect(workflow?.reachability.preflight == true)
    #expect(workflow?.reachability.wait == .seconds(5))
  }

  // MARK: Variables

  @Test func `variables of the project are overridden by the document, then by profiles, then by the command line`() throws {
    let project = """
      defaults: { base_url: 'http://h' }
      vars: { a: project, b: project, c: project, d: project, e: project }
      profiles: { base: { vars: { c: base } }, p: { extends: base, vars: { d: project profile, e: project profile } } }
      """
    let document = """
      garland: 1
      vars: { b: document, c: document, d: document, e: document }
      profiles: { p: { vars: { e: document profile } } }
      steps: { a: { get: "/${vars.a}${vars.b}${vars.c}${vars.d}${vars.e}" } }
      """
    let (workflow, diagnostics) = decode(document, project: project, profile: "p")
    #expect(words(diagnostics) == [])
    let values = try #require(workflow).variables.map { "\($0.name): \($0.value.constant?.stringValue ?? "")" }
    #expect(values.sorted() == ["a: project", "b: document", "c: base", "d: project profile", "e: document profile"])
    #expect(workflow?.variables.first { $0.name == "a" }?.origin == .project)
    #expect(workflow?.variables.first { $0.name == "c" }?.origin == .profile("base"))
  }

  @Test func `a variable of the project causes no warning if a document does not use the variable`() {
    let (_, diagnostics) = decode(plain, project: "vars: { unused: 1 }\ndefaults: { base_url: 'http://h' }")
    #expect(words(diagnostics) == [])
  }

  // MARK: Profiles

  @Test func `settings of a profile override the defaults of project and document`() {
    let project = """
      defaults: { base_url: 'http://h', headers: { A: project } }
      profiles: { p: { base_url: 'http://staging', headers: { A: profile } } }
      """
    let document = "garland: 1\ndefaults: { headers: { A: document, B: document } }\nsteps: { a: { get: /x } }"
    let (workflow, diagnostics) = decode(document, project: project, profile: "p")
    #expect(words(diagnostics) == [])
    #expect(workflow?.steps.first?.sent.baseURL?.source == "http://staging")
    #expect(["A", "B"].map { header($0, of: workflow) } == ["profile", "document"])
  }

  @Test func `the settings of a profile apply to a document without 'defaults'`() {
    let (workflow, diagnostics) = decode(
      "garland: 1\nprofiles: { p: { base_url: 'http://staging' } }\nsteps: { a: { get: /x } }", project: "name: x", profile: "p")
    #expect(words(diagnostics) == [])
    #expect(workflow?.steps.first?.sent.baseURL?.source == "http://staging")
  }

  @Test func `the project's default profile is used when no profile is named`() {
    let project = "defaults: { base_url: 'http://h' }\ndefault_profile: p\nprofiles: { p: { headers: { A: p } }, q: { headers: { A: q } } }"
    #expect(header("A", of: decode(plain, project: project).workflow) == "p")
    #expect(header("A", of: decode(plain, project: project, profile: "q").workflow) == "q")
  }

  @Test func `a profile inherits the key 'confirm' of the profile that it extends unless it sets 'confirm' to false`() {
    let project = """
      defaults: { base_url: 'http://h' }
      profiles: { a: { confirm: true }, b: { extends: a }, c: { extends: a, confirm: false } }
      """
    #expect(decode(plain, project: project, profile: "a").workflow?.confirmation?.value == "a")
    #expect(decode(plain, project: project, profile: "b").workflow?.confirmation?.value == "b")
    #expect(decode(plain, project: project, profile: "c").workflow?.confirmation == nil)
  }

  @Test(arguments: [
    "profiles: { live: { confirm: false } }", "profiles: { live: { extends: test, confirm: false } }",
    "profiles: { eu: { confirm: false } }", "profiles: { eu: { extends: test } }", "profiles: { own: { extends: eu, confirm: false } }",
  ]) func `if the project requires a confirmation, a profile of a document cannot turn it off`(profiles: String) {
    let project = """
      defaults: { base_url: 'http://h' }
      profiles: { test: {}, live: { confirm: true }, eu: { extends: live } }
      """
    let name = profiles.contains("own") ? "own" : profiles.contains("eu") ? "eu" : "live"
    let document = "garland: 1\n\(profiles)\nsteps: { a: { get: /x } }"
    let (workflow, diagnostics) = decode(document, project: project, profile: name)
    #expect(words(diagnostics) == [])
    #expect(workflow?.confirmation?.value == name)
    #expect(workflow?.confirmation?.range.file.name == "garland.project.yaml")
    #expect(decode(document, project: project, profile: "test").workflow?.confirmation == nil)
  }

  @Test func `a profile of a document can require a confirmation that the project does not require`() {
    let document = "garland: 1\nprofiles: { p: { confirm: true } }\nsteps: { a: { get: /x } }"
    let (workflow, _) = decode(document, project: "defaults: { base_url: 'http://h' }\nprofiles: { p: { confirm: false } }", profile: "p")
    #expect(workflow?.confirmation?.value == "p")
  }

  @Test(arguments: [
    ("profiles: { a: { extends: b } }", "garland.project.yaml:1:27 undefined-profile: there is no profile `b`"),
    ("profiles: { a: { extends: a } }", "garland.project.yaml:1:27 profile-cycle: the profile `a` extends itself"),
    (
      "profiles: { a: { extends: b }, b: { extends: a } }",
      "garland.project.yaml:1:27 profile-cycle: profiles extend each other in a circle: a → b → a"
    ),
    (
      "profiles: { \((0..<100).map { "p\($0): { extends: p\($0 + 1) }, " }.joined())p100: {} }",
      "garland.project.yaml:1:28 nested-too-deep: profiles extend each other more than 64 deep"
    ),
    ("default_profile: x\nprofiles: { a: {} }", "garland.project.yaml:1:18 undefined-profile: there is no profile `x`"),
    ("profiles: { a: { confirm: perhaps } }", "garland.project.yaml:1:27 wrong-type: expected `true` or `false`, found the text `perhaps`"),
    ("profiles: { a: { headres: {} } }", "garland.project.yaml:1:18 unknown-key: unknown key `headres`"),
    ("profiles: { a: { tls: { caa: x } } }", "garland.project.yaml:1:25 unknown-key: unknown key `caa`"),
    ("run: { concurency: 1 }", "garland.project.yaml:1:8 unknown-key: unknown key `concurency`"),
    ("run: { concurrency: many }", "garland.project.yaml:1:21 wrong-type: expected a whole number of at least 1, found the text `many`"),
    ("defualts: {}", "garland.project.yaml:1:1 unknown-key: unknown key `defualts`"),
    ("steps: {}", "garland.project.yaml:1:1 unknown-key: unknown key `steps`"),
    ("secrets: { A: hunter2 }", "garland.project.yaml:1:15 wrong-type: a document must not contain the value of a secret"),
    (
      "defaults: { timeout: fast }",
      "garland.project.yaml:1:22 wrong-type: expected a duration such as `30s`, found the text `fast`"
    ),
  ]) func `a mistake in a project file is reported at its position`(project: String, first: String) {
    let (workflow, diagnostics) = decode("garland: 1\nsteps: { a: { get: 'http://h/' } }", project: project)
    #expect(workflow == nil)
    #expect(words(diagnostics).contains(first), "\(words(diagnostics))")
  }

  @Test(arguments: [
    ("default_profil: p\nprofiles: { p: { vars: { who: me }, base_url: 'http://h' } }", "1:1", "default_profil"),
    ("profile: p\nprofiles: { p: { vars: { who: me }, base_url: 'http://h' } }", "1:1", "profile"),
    ("default_profile: p\nprofils: { p: { vars: { who: me }, base_url: 'http://h' } }", "2:1", "profils"),
    ("default_profile: q\nprofils: { p: { base_url: 'http://h' } }\nprofiles: { q: { extends: p, vars: { who: me } } }", "2:1", "profils"),
    ("default_profile: p\nprofiles: { p: { vras: { who: me }, base_url: 'http://h' } }", "2:18", "vras"),
    ("default_profile: p\nprofiles: { p: { who: me, base_url: 'http://h' } }", "2:18", "who"),
    ("vras: { who: me }\ndefaults: { base_url: 'http://h' }", "1:1", "vras"),
    ("vars: { who: me }\ndefalts: { base_url: 'http://h' }", "2:1", "defalts"),
  ]) func `if a key of a project file is misspelt, a step that uses a setting of this key causes no further error`(
    project: String, place: String, key: String
  ) {
    let (workflow, diagnostics) = decode("garland: 1\nsteps: { a: { get: '/x/${vars.who}' } }", project: project)
    #expect(workflow == nil)
    #expect(Set(words(diagnostics)) == ["garland.project.yaml:\(place) unknown-key: unknown key `\(key)`"], "\(words(diagnostics))")
  }

  @Test(arguments: [
    ("vras: { who: me }", "get: 'http://h/${vars.who}'", "vras"),
    ("profils: { p: { vars: { who: me }, base_url: 'http://h' } }", "get: '/x/${vars.who}'", "profils"),
    ("input: { who: { default: me } }", "get: 'http://h/${inputs.who}'", "input"),
    ("auths: { api: { basic: 'a:b' } }", "get: 'http://h/', auth: api", "auths"),
    ("uses: { shop: shop.yaml }", "get: 'http://h/${shop.login.json.id}'", "uses"),
    ("defalts: { base_url: 'http://h' }", "get: /x", "defalts"),
  ]) func `if a key is misspelt, steps that use a name or base URL defined under this key cause no further error`(
    declaration: String, step: String, key: String
  ) {
    let (workflow, diagnostics) = decode("garland: 1\n\(declaration)\nsteps: { a: { \(step) } }", project: "name: x")
    #expect(workflow == nil)
    #expect(words(diagnostics) == ["tests/test.yaml:2:1 unknown-key: unknown key `\(key)`"])
  }

  @Test func `an undefined variable is reported even if the document has a misspelt key that does not resemble 'vars'`() {
    let document = "garland: 1\nnmae: x\nsteps: { a: { get: 'http://h/${vars.who}' } }"
    let (_, diagnostics) = decode(document, project: "profiles: { p: { headrs: { A: b } } }")
    #expect(words(diagnostics).contains("tests/test.yaml:3:37 undefined-name: there is no variable `who`"), "\(words(diagnostics))")
  }

  @Test func `a profile that is not selected may refer to its own variables and to missing files`() {
    let project = """
      defaults: { base_url: 'http://h' }
      profiles: { p: { vars: { x: 1 }, headers: { A: "${vars.x}" }, tls: { ca: only/there.pem } } }
      """
    #expect(words(decode(plain, project: project).diagnostics) == [])
  }

  // MARK: Places

  @Test func `an error in the project's defaults has its position in the project file and names the affected document`() throws {
    let (_, diagnostics) = decode(plain, project: "defaults:\n  base_url: 'http://h'\n  bearer: ${vars.tokne}")
    let first = try #require(diagnostics.all.first)
    #expect(words(diagnostics) == ["garland.project.yaml:3:18 undefined-name: there is no variable `tokne`"])
    #expect(first.notes.map(\.message) == ["found for tests/test.yaml, which starts from this project"])
  }

  @Test func `paths in a project file are relative to the project file`() throws {
    let files = ["/project/certs/ca.pem": "x", "/project/tests/certs/ca.pem": "y", "/project/note.txt": "n"]
    let (workflow, diagnostics) = decode(
      "garland: 1\nsteps: { a: { get: /x, headers: { N: \"${vars.note}\" } } }",
      project:
        "vars: { dir: d, note: \"${file('note.txt')}\" }\ndefaults: { base_url: 'http://h', tls: { ca: certs/ca.pem, cert: \"certs/${vars.dir}.pem\", key: \"${vars.dir}/k\" }, cookies: jar.txt, unix_socket: run/s }",
      files: files)
    #expect(words(diagnostics) == [])
    let transport = try #require(workflow?.steps.first?.sent.transport)
    #expect(transport.tls.ca?.resolved == "/project/certs/ca.pem")
    guard case .text(let pieces)? = transport.tls.cert?.path.content, case .literal(let start)? = pieces.first else {
      Issue.record("no text")
      return
    }
    #expect(start == "/project/certs/")
    #expect(transport.cookieJar?.constant == .file("/project/jar.txt"))
    #expect(transport.unixSocket?.constant == "/project/run/s")
  }

  @Test func `a secret may come from a file in the project or in the container's secrets folder`() throws {
    let (workflow, diagnostics) = decode(
      plain, project: "defaults: { base_url: 'http://h' }\nsecrets: { A: { file: a.txt }, B: { file: /run/secrets/b }, C: }")
    #expect(words(diagnostics) == [])
    let files = try #require(workflow).secrets.map { $0.file?.value }
    #expect(files == ["/project/a.txt", "/run/secrets/b", nil])
    for path in ["/etc/passwd", "/run/secrets/../x", "../../x"] {
      let (refused, found) = decode(plain, project: "defaults: { base_url: 'http://h' }\nsecrets: { A: { file: \(path) } }")
      #expect(refused == nil && found.all.first?.code == .fileOutside, "\(path)")
    }
  }

  // MARK: Shared documents

  private let login = "garland: 1\nsteps: { sign_in: { post: /login, extract: { token: $.token } } }"
  private let shared = """
    use: { login: ./shared/login.yaml }
    auth: { other: { bearer: "${login.sign_in.token}" } }
    defaults: { base_url: 'http://h', bearer: "${login.sign_in.token}", headers: { A: project } }
    """

  @Test func `a document can use the steps of a document that is listed under the project's key 'use'`() throws {
    let (workflow, diagnostics) = decode(plain, project: shared, files: ["/project/shared/login.yaml": login])
    #expect(words(diagnostics) == [])
    #expect(workflow?.uses.map(\.name.value) == ["login"])
    #expect(workflow?.uses.first?.workflow.file.name == "shared/login.yaml")
  }

  @Test func `a default of the project does not apply to a document that this default uses`()
    throws
  {
    let (workflow, _) = decode(plain, project: shared, files: ["/project/shared/login.yaml": login])
    let used = try #require(workflow?.uses.first?.workflow)
    #expect(used.steps.first?.sent.auth == nil)
    #expect(used.authentications.isEmpty && used.uses.isEmpty)
    #expect(used.steps.first?.sent.headers.map(\.name.value) == ["A"])
  }

  @Test func `a document that is listed under the project's key 'use' may use another document of the project`() {
    let (workflow, diagnostics) = decode(
      plain, project: "use: { login: shared/login.yaml }\ndefaults: { base_url: 'http://h' }",
      files: [
        "/project/shared/login.yaml": "garland: 1\nuse: { t: ../tests/test.yaml }\n" + "steps: { b: { get: \"/${t.a.status}\" } }"
      ])
    #expect(words(diagnostics) == [])
    #expect(workflow != nil)
  }

  @Test func `for steps in a project file, the error says that steps belong in a workflow document`() throws {
    let found = decode(plain, project: "defaults: { base_url: 'http://h' }\nsteps: { b: { get: /b } }").diagnostics
    let diagnostic = try #require(found.all.first { $0.code == .unknownKey })
    #expect(diagnostic.helps.first?.message.hasPrefix("steps belong in a workflow document") == true, "\(diagnostic.helps)")
  }

  // MARK: Finding

  private func finder(_ contents: [String: String], _ choice: ProjectFinder.Choice = .nearest, folders: Set<String>) -> ProjectFinder {
    let access = FileAccess(MemoryFiles(contents: contents, folders: folders), roots: ["/project"])
    return ProjectFinder(choice, files: access, workingDirectory: "/project/tests")
  }

  @Test func `of several project files, the one in the nearest folder is used`() {
    let contents = [
      "/project/garland.project.yaml": "run: { concurrency: 1 }",
      "/project/tests/deep/garland.project.yaml": "run: { concurrency: 2 }",
    ]
    let finder = finder(contents, folders: Self.folders)
    #expect(finder.project(of: "/project/tests/deep")?.run.concurrency?.value == 2)
    #expect(finder.project(of: "/project/tests/deep")?.file.name == "deep/garland.project.yaml")
    #expect(finder.project(of: "/project/tests")?.run.concurrency?.value == 1)
    #expect(finder.project(of: "/project/tests")?.file.name == "../garland.project.yaml")
    #expect(finder.found.count == 2)
  }

  @Test func `the search for a project file ends at the root of the repository`() {
    let contents = ["/project/garland.project.yaml": "name: outer"]
    #expect(finder(contents, folders: Self.folders.union(["/project/tests/.git"])).project(of: "/project/tests") == nil)
  }

  @Test func `the search for a project file ignores folders that Garland is not allowed to read`() {
    #expect(finder(["/garland.project.yaml": "name: foreign"], folders: ["/", "/project"]).project(of: "/project") == nil)
  }

  @Test func `the project file of the option --project applies to workflows in every folder`() {
    let finder = finder(["/other/p.yaml": "run: { concurrency: 1 }"], .file("/other/p.yaml"), folders: Self.folders)
    #expect(finder.project(of: "/project/tests")?.run.concurrency?.value == 1)
    #expect(finder.project(of: "/project")?.directory == "/other")
  }

  @Test func `a project file with the extension yml is an error that names the right file name`() {
    let finder = finder(["/project/garland.project.yml": "name: outer"], folders: Self.folders)
    let found = finder.project(of: "/project/tests").map { words($0.diagnostics) }
    #expect(found == ["missing-file: ../garland.project.yml is not read, since a project file has the name `garland.project.yaml`"])
    let both = [
      "/project/garland.project.yml": "run: { concurrency: 1 }", "/project/garland.project.yaml": "run: { concurrency: 2 }",
    ]
    #expect(self.finder(both, folders: Self.folders).project(of: "/project/tests")?.run.concurrency?.value == 2)
    let named = self.finder(both, .file("/project/garland.project.yml"), folders: Self.folders)
    #expect(named.project(of: "/project")?.run.concurrency?.value == 1)
  }

  @Test func `an empty project file is valid`() {
    #expect(words(decode("garland: 1\nsteps: { a: { get: 'http://h/' } }", project: "# nothing yet\n").diagnostics) == [])
  }
}
