import GarlandPlanner
import Testing

/// Tests of the dependencies of listening steps.
struct ListenTests {
  private func plan(_ steps: String, order: String = "") throws -> Plan {
    let text = "garland: 1\ndefaults: {base_url: http://h}\n\(order)steps:\n" + steps.split(separator: "\n").map { "  \($0)\n" }.joined()
    return try Sample(files: [("test.yaml", text)], isWrittenOut: true).plan()
  }

  @Test func `if a step uses only the callback URL of a listening step, it does not depend on that step`() throws {
    let plan = try plan("hook: {listen: /hook}\ncall: {post: '/x?u=${hook.url}'}\nuse: {get: '/${hook.query.code}/${hook.method}'}")
    #expect(plan.pairs == ["hook>use"])
  }

  @Test func `a step that uses the URL of a listening step with a loop waits for the step that provides the loop's list`() throws {
    let plan = try plan(
      """
      list: {get: /list}
      limit: {get: /limit}
      hook: {for_each: '${list.json.items}', listen: {path: /hook, within: '${limit.json.within}'}}
      call: {for_each: '${list.json.items}', post: '/x?u=${hook.url[index]}'}
      other: {post: '/y?u=${hook.url | json}'}
      """)
    #expect(plan.pairs == ["list>hook", "limit>hook", "list>call", "list>other"])
  }

  @Test func `a listening step and the step that sends a request to its URL are always selected together`() throws {
    let plan = try plan(
      "first: {get: /}\nhook: {listen: /hook, after: first}\ncall: {post: '/x?u=${hook.url}'}\nalone: {get: /alone}\nuse: {get: '/${hook.json.a}'}"
    )
    #expect(try plan.select(Selection(steps: ["call"])).ids == ["first", "hook", "call"])
    #expect(try plan.select(Selection(steps: ["alone"])).ids == ["alone"])
    // Selecting a listening step also selects its caller.
    #expect(try plan.select(Selection(steps: ["hook"])).ids == ["first", "hook", "call"])
    #expect(try plan.select(Selection(steps: ["use"])).ids == ["first", "hook", "call", "use"])
  }

  @Test func `with 'order: file', a listening step delays only the steps below it that use the received request`() throws {
    let plan = try plan(
      "a: {get: /a}\nhook: {listen: /hook}\ncall: {post: '/x?u=${hook.url}'}\nuse: {get: '/${hook.json.a}'}", order: "order: file\n")
    #expect(plan.pairs == ["a>hook", "a>call", "hook>use", "call>use"])
  }

  @Test(
    arguments: [
      ("hook: {listen: /hook}", ["unheard-url"]), ("hook: {listen: /hook}\ncall: {post: '/x?u=${hook.url}'}", []),
      ("hook: {listen: /hook}\ncall: {post: '/x?u=${hook.url}', after: hook}", ["listen-deadlock"]),
      ("hook: {listen: /hook}\nm: {get: '/m/${hook.json.x}'}\ncall: {post: '/x?u=${hook.url}', after: m}", ["listen-deadlock"]),
      ("hook: {listen: /hook}\nb: {get: '/b?u=${hook.url}', after: hook}\ncall: {post: '/x?u=${hook.url}'}", []),
    ] as [(String, [String])]) func `the check of a plan reports a listening step that can never receive a request`(
      steps: String, codes: [String]
    ) throws
  {
    #expect(try plan(steps).check().all.map(\.code.rawValue) == codes)
  }
}
