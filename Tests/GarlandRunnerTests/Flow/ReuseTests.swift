import GarlandDiagnostics
import GarlandPlanner
import GarlandResults
import GarlandSandbox
import GarlandWorkflow
import TestSupport
import Testing

@testable import GarlandRunner

@Suite("use: steps of other documents")
struct ReuseTests {
  static let auth = """
    garland: 1
    defaults: { base_url: "${env.SANDBOX}" }
    steps:
      login: { post: '/anything/login', json: { token: abc }, extract: { token: $.json.token, other: $.json } }
      logout: { delete: "/anything/${login.token}", cleanup: login }
      never: { get: /anything/never }
      again: { get: '/anything/again?${login.token}' }
    """

  /// Decodes and plans documents of a folder in the same way as the command.
  private func plan(_ names: [String], _ files: [String: String]) throws -> (
    plan: Plan?, diagnostics: DiagnosticList, folder: TemporaryFolder
  ) {
    let folder = try TemporaryFolder()
    for (name, text) in files { _ = try folder.write(name, text) }
    let options = WorkflowDecoder.Options(files: FileAccess(SystemFiles(), roots: [folder.path]))
    var diagnostics = DiagnosticList()
    var workflows: [Workflow] = []
    for name in names {
      let slash = name.lastIndex(of: "/")
      let directory = slash.map { folder.path + "/" + name[..<$0] } ?? folder.path
      let (workflow, found) = WorkflowDecoder.decode(name: name, bytes: try folder.read(name), directory: directory, options: options)
      diagnostics.append(found)
      if let workflow { workflows.append(workflow) }
    }
    guard workflows.count == names.count else { return (nil, diagnostics, folder) }
    let result = Planner(workingDirectory: folder.path).plan(workflows)
    diagnostics.append(result.diagnostics)
    if let plan = result.plan { diagnostics.append(plan.check()) }
    return (result.plan, diagnostics, folder)
  }

  private func run(_ names: [String], _ files: [String: String], _ sandbox: Sandbox) async throws -> [StepResult] {
    let (plan, diagnostics, folder) = try plan(names, files)
    let found = try #require(plan, "\(diagnostics.all.map(\.message))")
    let observer = RecordingObserver(detail: .everything)
    var configuration = TestRun.configuration(sandbox, folder: folder)
    configuration.observers = [observer]
    let run = try #require(Run.prepare(found, configuration).run)
    _ = await run.start()
    return observer.results
  }

  @Test func `if several documents of a run use the same login document, the login request is sent once`() async throws {
    try await withSandbox { sandbox in
      let user = """
        garland: 1
        use: { shop: ./shared/auth.yaml }
        defaults: { base_url: "${env.SANDBOX}" }
        steps:
          me: { get: "/anything/${shop.login.token}" }
          last: { get: "/anything/${shop.login.status}", after: shop.again }
        """
      let results = try await run(
        ["a.yaml", "b.yaml"], ["shared/auth.yaml": Self.auth, "a.yaml": user, "b.yaml": user], sandbox)
      #expect(results.allSatisfy { $0.outcome == .passed }, "\(results.map { ($0.step.id, $0.outcome, $0.failures) })")
      #expect(
        results.map { "\($0.step.file) \($0.step.id)" }.sorted() == [
          "a.yaml last", "a.yaml me", "b.yaml last", "b.yaml me", "shared/auth.yaml again", "shared/auth.yaml login",
          "shared/auth.yaml logout",
        ])
      #expect(sandbox.records.filter { $0.target == "/anything/login" }.count == 1)
      #expect(sandbox.records.filter { $0.target == "/anything/abc" }.count == 3)
      let logout = try #require(results.firstIndex { $0.step.id == "logout" })
      #expect(logout > (try #require(results.lastIndex { $0.step.id == "me" })))
    }
  }

  @Test func `a document that is an argument and is also used by another document runs once`() async throws {
    try await withSandbox { sandbox in
      let results = try await run(
        ["auth.yaml", "user.yaml"],
        [
          "auth.yaml": Self.auth,
          "user.yaml": "garland: 1\nuse: { shop: auth.yaml }\nsteps: { me: { get: \"${env.SANDBOX}/anything/${shop.login.token}\" } }",
        ], sandbox)
      #expect(results.count == 5)
      #expect(sandbox.records.filter { $0.target == "/anything/login" }.count == 1)
    }
  }

  @Test func `if a document uses a login directly and through another document, the login request is sent once`() async throws {
    try await withSandbox { sandbox in
      let results = try await run(
        ["a.yaml"],
        [
          "auth.yaml": Self.auth,
          "b.yaml":
            "garland: 1\nuse: { x: auth.yaml }\nsteps: { b: { post: \"${env.SANDBOX}/anything/${x.login.token}\", extract: { path: $.target } } }",
          "a.yaml":
            "garland: 1\nuse: { y: b.yaml, z: auth.yaml }\nsteps: { a: { get: \"${env.SANDBOX}/anything${y.b.path}?${z.login.token}\" } }",
        ], sandbox)
      #expect(results.first { $0.step.id == "a" }?.exchanges.first?.hops[0].url.hasSuffix("/anything%2Fanything%2Fabc?abc") == true)
    }
  }

  struct Mistake: Sendable, CustomTestStringConvertible {
    var name: String
    var files: [String: String]
    var message: String
    var testDescription: String { name }
  }

  /// Returns documents, each of which is used by the previous one. They would need more stack than is available.
  private static func chain(_ link: (String) -> String) -> [String: String] {
    var files = ["a.yaml": "garland: 1\n" + link("d0.yaml"), "d999.yaml": "garland: 1\nsteps: { a: { get: 'http://h' } }"]
    for level in 0..<999 { files["d\(level).yaml"] = "garland: 1\n" + link("d\(level + 1).yaml") }
    return files
  }

  static let mistakes: [Mistake] = [
    Mistake(
      name: "a thousand, each in the one before", files: chain { "use: { x: \($0) }\nsteps: { a: { get: 'http://h' } }" },
      message: "documents use or call one another more than 64 deep"),
    Mistake(
      name: "a thousand calls, each in the one before", files: chain { "steps: { a: { call: \($0) } }" },
      message: "documents use or call one another more than 64 deep"),
    Mistake(
      name: "no such file", files: ["a.yaml": "garland: 1\nuse: { x: nope.yaml }\nsteps: { a: { get: 'http://h' } }"],
      message: "there is no file `nope.yaml`"),
    Mistake(
      name: "itself", files: ["a.yaml": "garland: 1\nuse: { x: a.yaml }\nsteps: { a: { get: 'http://h' } }"],
      message: "the document uses itself"),
    Mistake(
      name: "in a circle",
      files: [
        "a.yaml": "garland: 1\nuse: { x: b.yaml }\nsteps: { a: { get: 'http://h' } }",
        "b.yaml": "garland: 1\nuse: { x: a.yaml }\nsteps: { a: { get: 'http://h' } }",
      ], message: "the documents use each other in a circle: a.yaml → b.yaml → a.yaml"),
    Mistake(
      name: "no such step",
      files: [
        "auth.yaml": auth, "a.yaml": "garland: 1\nuse: { x: auth.yaml }\nsteps: { a: { get: 'http://h/${x.lgin.token}' } }",
      ], message: "`x` has no step `lgin`"),
    Mistake(
      name: "no such extract",
      files: [
        "auth.yaml": auth, "a.yaml": "garland: 1\nuse: { x: auth.yaml }\nsteps: { a: { get: 'http://h/${x.login.tokn}' } }",
      ], message: "`x.login` has no member `tokn`"),
    Mistake(
      name: "the document alone",
      files: ["auth.yaml": auth, "a.yaml": "garland: 1\nuse: { x: auth.yaml }\nsteps: { a: { get: 'http://h/${x}' } }"],
      message: "the document `x` can't be used as a value"),
    Mistake(
      name: "a step of that name",
      files: ["auth.yaml": auth, "a.yaml": "garland: 1\nuse: { a: auth.yaml }\nsteps: { a: { get: 'http://h' } }"],
      message: "a step and a document in `use` have the same name, `a`"),
    Mistake(
      name: "after no such step",
      files: ["auth.yaml": auth, "a.yaml": "garland: 1\nuse: { x: auth.yaml }\nsteps: { a: { get: 'http://h', after: x.logn } }"],
      message: "`x` has no step `logn`"),
    Mistake(
      name: "cleanup of another's step",
      files: ["auth.yaml": auth, "a.yaml": "garland: 1\nuse: { x: auth.yaml }\nsteps: { a: { get: 'http://h', cleanup: x.login } }"],
      message: "`x.login` is a step of another document: a cleanup must be in the document of its step"),
    Mistake(
      name: "what is wrong there",
      files: [
        "auth.yaml": "garland: 1\nsteps: { login: { gt: 'http://h' } }",
        "a.yaml": "garland: 1\nuse: { x: auth.yaml, y: auth.yaml }\nsteps: { a: { get: 'http://h/${x.login.token}${y.any.thing}' } }",
      ], message: "unknown key `gt`"),
    Mistake(
      name: "a name of the language",
      files: ["auth.yaml": auth, "a.yaml": "garland: 1\nuse: { run: auth.yaml }\nsteps: { a: { get: 'http://h' } }"],
      message: "`run` can't be the name of a used document: this name is reserved"),
  ]

  @Test(arguments: mistakes)
  func `each kind of mistake in a list of used documents gives its own error message`(_ mistake: Mistake) throws {
    let (_, diagnostics, _) = try plan(["a.yaml"], mistake.files)
    let errors = diagnostics.all.filter { $0.severity == .error }.map(\.message)
    #expect(errors.contains(mistake.message), "\(errors)")
    #expect(errors.count == 1 || mistake.name == "what is wrong there", "\(errors)")
  }

  @Test func `an extract that only other documents use causes no warning`() throws {
    let (_, diagnostics, _) = try plan(
      ["auth.yaml", "a.yaml"],
      [
        "auth.yaml": "garland: 1\nsteps: { login: { get: 'http://h', extract: { token: $.t, other: $.o } } }",
        "a.yaml": "garland: 1\nuse: { x: auth.yaml }\nsteps: { a: { get: 'http://h/${x.login.token}' } }",
      ])
    #expect(diagnostics.all.map(\.message) == [])
    let (_, alone, _) = try plan(
      ["auth.yaml"], ["auth.yaml": "garland: 1\nsteps: { login: { get: 'http://h', extract: { token: $.t } } }"])
    #expect(alone.all.map(\.message) == ["the extract `login.token` is not used"])
  }
}
