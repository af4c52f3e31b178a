import GarlandDiagnostics
import GarlandPlanner
import TestSupport
import Testing

struct CycleTests {
  @Test(arguments: [
    (
      "cycle-of-three",
      "steps:\n  a:\n    get: /${c.id}\n  b:\n    get: /b\n    after: a\n  c:\n    get: /x\n    headers: ${b.token} and ${b.other}\n"
    ),
    ("cycle-with-itself", "steps:\n  login:\n    post: /login/${login.token}\n"),
    ("cycle-by-default", "defaults: {bearer: \"${login.token}\"}\nsteps:\n  login:\n    post: /login\n  other:\n    get: /\n"),
    (
      "cycle-by-default-through-another",
      "defaults: {bearer: \"${login.token}\"}\nsteps:\n  login:\n    post: /login/${config.id}\n    auth: none\n  config:\n    get: /config\n"
    ),
    (
      "cycle-of-cleanups",
      "steps:\n  a: {post: /a}\n  b: {post: /b}\n  xa: {delete: /${a.id}/${b.id}, cleanup: a}\n  xb: {delete: /${b.id}/${a.id}, cleanup: b}\n"
    ),
    (
      "cycle-by-order",
      "order: file\nsteps:\n  a: {get: /${f.id}}\n  b: {get: /}\n  c: {get: /}\n  d: {get: /}\n  e: {get: /}\n  f: {get: /}\n"
    ),
    (
      "cycles-apart",
      "steps:\n  a: {get: /${b.x}}\n  b: {get: /${a.x}}\n  c: {get: /${d.x}}\n  d: {get: /, after: c}\n  e: {get: /${e.x}}\n  f: {get: /${e.x}}\n"
    ),
  ]) func `a cycle of dependencies is reported with an explanation`(name: String, text: String) throws {
    let result = try Sample(files: [("test.yaml", text)]).result()
    #expect(result.plan == nil && result.diagnostics.hasErrors)
    expectGolden(plainText(result.diagnostics), "\(name).txt")
  }

  @Test func `a report of cycles shortens a cycle of 400 steps and contains at most ten cycles`() throws {
    var text = "steps:\n"
    for index in 0..<400 { text += "  s\(index): {get: /${s\((index + 1) % 400).id}}\n" }
    let one = try Sample(files: [("test.yaml", text)]).result().diagnostics
    #expect(one.all.count == 1 && one.all[0].notes.count == 26)
    #expect(one.all[0].message == "the steps `s0`, `s399` … `s1` (400 steps) wait for each other, so none of them can start")
    text = "steps:\n"
    for index in 0..<30 { text += "  s\(index): {get: /${s\(index).id}}\n" }
    #expect(try Sample(files: [("test.yaml", text)]).result().diagnostics.all.count == 10)
  }
}
