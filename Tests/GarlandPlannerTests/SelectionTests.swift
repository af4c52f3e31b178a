import GarlandDiagnostics
import GarlandPlanner
import TestSupport
import Testing

struct SelectionTests {
  static let shop = """
    steps:
      login: {post: /login, tags: [auth]}
      create: {post: /${login.t}/books, tags: [smoke, books]}
      cover: {put: /${create.id}, tags: [books]}
      read: {get: /${create.id}, after: cover, tags: [smoke]}
      remove: {delete: /${create.id}/${admin.t}, cleanup: create}
      admin: {post: /admin}
      health: {get: /health, tags: [smoke]}
      logout: {delete: /${login.t}, cleanup: login, always: true}
      list: {get: /books, after: login}
    """

  struct Case: CustomTestStringConvertible, Sendable {
    let selection: Selection
    let ids: [String]
    var testDescription: String { "\(selection)" }
  }

  @Test(arguments: [
    Case(selection: Selection(), ids: ["login", "create", "cover", "read", "remove", "admin", "health", "logout", "list"]),
    Case(selection: Selection(steps: ["health"]), ids: ["health"]),
    Case(selection: Selection(steps: ["list"]), ids: ["login", "logout", "list"]),
    Case(selection: Selection(steps: ["create"]), ids: ["login", "create", "remove", "admin", "logout"]),
    Case(selection: Selection(steps: ["read"]), ids: ["login", "create", "cover", "read", "remove", "admin", "logout"]),
    Case(selection: Selection(steps: ["hea*", "ad?in"]), ids: ["admin", "health"]),
    Case(selection: Selection(steps: ["test.yaml#health"]), ids: ["health"]),
    Case(selection: Selection(steps: ["t*.yaml#h*"]), ids: ["health"]),
    Case(selection: Selection(tags: ["auth"]), ids: ["login", "logout"]),
    Case(selection: Selection(tags: ["auth", "smoke"], only: ["h*", "l*"]), ids: ["login", "health", "logout"]),
    Case(selection: Selection(only: ["nothing*", "admin"], skip: ["none*"]), ids: ["admin"]),
    Case(selection: Selection(skip: ["create"]), ids: ["login", "admin", "health", "logout", "list"]),
    Case(selection: Selection(skip: ["login"]), ids: ["admin", "health"]),
    // `admin` is skipped, but the cleanup of a selected step needs it.
    Case(selection: Selection(steps: ["create"], skip: ["admin"]), ids: ["login", "create", "remove", "admin", "logout"]),
    Case(selection: Selection(tags: ["smoke"], skip: ["c*"]), ids: ["health"]),
  ]) func `after steps are selected, the plan contains the selected steps, their dependencies and their cleanups`(_ test: Case) throws {
    let plan = try Sample.plan(SelectionTests.shop).select(test.selection)
    #expect(plan.ids == test.ids)
    for step in plan.steps { #expect(plan.step(step.step.ordinal, of: 0)?.index == step.index) }
    #expect(plan.steps.map(\.number) == plan.steps.map(\.step.ordinal))
  }

  @Test func `a plan of selected steps keeps the edges between these steps`() throws {
    let plan = try Sample.plan(SelectionTests.shop).select(Selection(steps: ["create"]))
    #expect(plan.pairs == ["login>create", "create>remove", "admin>remove", "login>logout", "remove>logout"])
    #expect(plan.step(2, of: 0) == nil)
    let again = try plan.select(Selection(steps: ["login"]))
    #expect(again.ids == ["login", "logout"] && again.pairs == ["login>logout"])
  }

  @Test func `if the steps of a document run in file order, selecting a step does not select the steps before it`() throws {
    let plan = try Sample.plan(
      "order: file\nsteps:\n  a: {get: /}\n  b: {get: /}\n  c: {get: /${a.x}}\n  d: {get: /}\n  e: {get: /${a.x}}\n")
    #expect(try plan.select(Selection(steps: ["d"])).ids == ["d"])
    let some = try plan.select(Selection(steps: ["c", "e"]))
    #expect(some.ids == ["a", "c", "e"] && some.pairs == ["a>c", "a>e", "c>e"])
  }

  @Test func `a selection can name the steps of one document or of all documents`() throws {
    let text = "steps:\n  login: {post: /}\n  get: {get: /${login.t}}\n"
    let plan = try Sample(files: [("shop/a.yaml", text), ("shop/b.yaml", text), ("c.yaml", "steps:\n  only: {get: /}\n")]).plan()
    #expect(try plan.select(Selection(steps: ["get"])).steps.map(\.number) == [0, 1, 2, 3])
    #expect(try plan.select(Selection(steps: ["b.yaml#get"])).steps.map(\.number) == [2, 3])
    #expect(try plan.select(Selection(steps: ["shop/*#login"])).steps.map(\.number) == [0, 2])
    #expect(try plan.select(Selection(steps: ["c.yaml#*"])).steps.map(\.index) == [0])
    #expect(plan.selecting([3]).steps.map(\.number) == [2, 3])
    #expect(plan.withDependents([2]) == [2, 3])
  }

  @Test func `a step that is in the documents, but not in the part of the plan, can be skipped`() throws {
    let part = try Sample.plan(SelectionTests.shop).select(Selection(steps: ["list"]))
    #expect(try part.select(Selection(skip: ["health"])).ids == ["login", "logout", "list"])
  }

  @Test func `for a selection that matches no step, the error explains the mistake`() throws {
    let plan = try Sample(files: [("shop.yaml", SelectionTests.shop), ("other.yaml", "steps:\n  helth: {get: /}\n")]).plan()
    var text = ""
    for selection in [
      Selection(steps: ["cretae", "xyz"]), Selection(steps: ["shop.yaml#helath"]), Selection(steps: ["shopp.yaml#health"]),
      Selection(steps: ["z*"]), Selection(tags: ["somke"]), Selection(tags: ["nightly"]),
      Selection(only: ["lgoin", "health"], skip: ["creat"]), Selection(skip: ["shop.yaml#helth"]),
      Selection(steps: ["health"], tags: ["auth"], only: ["a*"], skip: ["login", "b*"]),
    ] {
      let error = #expect(throws: SelectionError.self) { try plan.select(selection) }
      text += plainText(error?.diagnostics ?? DiagnosticList()) + "\n"
    }
    expectGolden(text, "selection-mistakes.txt")
  }
}
