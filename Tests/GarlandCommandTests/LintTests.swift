import TestSupport
import Testing

/// Tests of the warnings of `garland check` about valid documents, and of switching them off in a project.
@Suite(.timeLimit(.minutes(15))) struct LintTests {
  private func check(_ text: String, project: String? = nil, _ options: String...) async throws -> ChildProcess.Result {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", "garland: 1\n" + text)
    if let project { try folder.write("garland.project.yaml", project) }
    return try await Garland.run(["check", "w.yaml"] + options, in: folder.path)
  }

  private static func step(_ keys: String) -> String {
    "steps:\n  a:\n    post: http://h/a\n    expect: { status: 201 }\n    \(keys)\n"
  }

  @Test(arguments: [
    step("bearer: 4f9a2c11"), step("basic: alice:wonderland"), step("headers: { X-Api-Key: 4f9a2c11 }"),
    step("json: { user: alice, password: wonderland }"), step("query: { access_token: 4f9a2c11 }"),
    "vars: { db_password: wonderland }\n" + step("json: { p: \"${vars.db_password}\" }"),
    "defaults: { bearer: 4f9a2c11 }\n" + step("tags: [x]"),
    "auth: { shop: { oauth2: { grant: client_credentials, token_url: 'http://h/t', client_id: me, client_secret: wonderland } } }\n"
      + step("auth: shop"),
    step("headers: { X: eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhbGljZSJ9.c2ln }"),
    step("headers: { X: ghp_\(String(repeating: "4f9a2c11", count: 4)) }"), step("headers: { Cookie: 'theme=dark; session=4f9a2c11' }"),
    step("proxy: 'http://alice:wonderland@proxy:3128'"), step("body: 'user=alice&password=wonderland'"),
    "defaults: { base_url: 'https://alice:wonderland@h/' }\n" + step("tags: [x]"),
    "steps: { a: { get: 'http://h/a?page=1&api_key=4f9a2c11#top', expect: { status: 200 } } }\n",
    "vars: { base: 'http://h' }\nsteps: { a: { get: '${vars.base}/a?access_token=4f9a2c11&b=${run.id}', expect: { status: 200 } } }\n",
  ]) func `a credential in a document causes a warning that does not show the credential`(text: String) async throws {
    let result = try await check(text)
    #expect(result.status == 0 && result.error.contains("warning[literal-credential]"), "\(result.error)")
    #expect(result.error.contains("1 warning"), "\(result.error)")
    for secret in ["4f9a2c11", "wonderland", "eyJhbGci"] { #expect(!result.error.contains(secret), "\(result.error)") }
    #expect(try await check(text, "--strict").status == 2)
  }

  @Test(arguments: [
    "profiles: { a: { secrets: [SHOP_PASSWORD] }, b: { secrets: { DB_TOKEN: { file: db.txt } } } }\n" + step("tags: [x]"),
    "secrets: [TOKEN]\n" + step("bearer: ${secrets.TOKEN ?? ''}"), step("json: { token: null, password: '', auth: none }"),
    step("extract: { token: { json: $.token, secret: true } }")
      + "  b: { get: 'http://h/b', bearer: '${a.token}', expect: { status: 200 } }\n",
    step("json: { token_url: /oauth/token }"), step("bearer: '{{token}}'"), step("headers: { Cookie: 'theme=dark; session=${run.id}' }"),
    step("body: 'what is a password=? and a token'"), step("headers: { X: 'http://alice:${run.id}@h/?token=${run.id}&page=2' }"),
    step("headers: { X: 'http://h:80/a@b?c=d&token=', Y: 'ghp_short' }"),
  ]) func `a document without a literal credential causes no warning about credentials`(text: String) async throws {
    let result = try await check(text)
    #expect(result.status == 0 && !result.error.contains("literal-credential"), "\(result.error)")
  }

  @Test(arguments: [
    (step("json: { to: '{{recipient}}' }"), "`{{recipient}}`"), (step("headers: { X: 'Bearer $token' }"), "`$token`"),
    (step("body: 'hello $NAME, bye'"), "`$NAME`"), (step("query: { a: '{{ base.url }}' }"), "`{{ base.url }}`"),
    (step("description: 'about {{thing}}'"), "`{{thing}}`"), ("vars: { x: '{{y}}' }\n" + step("json: { x: '${vars.x}' }"), "`{{y}}`"),
    (step("json: { '{{key}}': x }"), "`{{key}}`"),
  ]) func `a variable in the syntax of another tool causes a warning wherever it occurs in a text`(text: String, name: String) async throws
  {
    let result = try await check(text)
    #expect(result.status == 0 && result.error.contains("warning[foreign-template]: \(name)"), "\(result.error)")
    #expect(result.error.contains("1 warning"), "\(result.error)")
  }

  @Test(arguments: [
    step("json: { $ref: x }"), step("json: { a: '$${b}', price: '$5', path: '$.a.b', end: 'x$' }"),
    step("graphql: 'query($id: ID!) { book(id: $id) { title } }'"),
    step("json: { a: \"${'x' | regex_replace('x', '$1')}\" }"), step("extract: { id: $.id }") + "outputs: { id: '${a.id}' }\n",
  ]) func `a dollar sign in a JSON key, a price, a JSONPath or a GraphQL variable causes no warning`(text: String) async throws {
    let result = try await check(text)
    #expect(!result.error.contains("foreign-template"), "\(result.error)")
  }

  @Test func `a declared variable that is written in the syntax of another tool causes exactly one warning`()
    async throws
  {
    let result = try await check("vars: { who: alice }\n" + Self.step("json: { a: '{{who}}', b: '${vars.who}' }"))
    #expect(result.error.contains("to insert the value, write `${vars.who}`") && result.error.contains("1 warning"), "\(result.error)")
  }

  @Test(arguments: [
    ("{{$randomEmail}}", "fake_email()"), ("{{$timestamp}}", "now() | date('%s')"), ("{{$isoTimestamp}}", "now()"),
    ("{{$randomInt 1 6}}", "random(1, 5)"), ("{{$randomInt 5 6}}", "random(5, 5)"), ("{{$randomInt -5 -1}}", "random(-5, -2)"),
    ("{{$random.uuid}}", "uuid()"), ("{{process.env.PATH}}", "env.PATH"),
    ("{{login.response.body.$.token}}", "login.json.token"), ("{{$datetime iso8601}}", "now()"),
    ("{{$randomInt}}", "random(0, 1000)"), ("{{$timestamp -1 d}}", "now() | add('-1d') | date('%s')"),
    ("{{$datetime iso8601 5 m}}", "now() | add('5m')"), ("{{$processEnv PATH}}", "env.PATH"),
  ]) func `for a generated value in the syntax of another tool, such as a random email address, --fix writes the Garland expression`(
    written: String, expression: String
  ) async throws {
    let text = "steps:\n  login: { get: http://h/l }\n  a: { post: http://h/a, json: { a: \"\(written)\" } }\n"
    let result = try await check(text)
    #expect(result.status == 0 && result.error.contains("to insert the value, write `${\(expression)}`"), "\(result.error)")
    #expect(result.error.contains("1 warning"), "\(result.error)")
    #expect(try await check(text, "--fix", "--strict").status == 0)
  }

  @Test(arguments: [("$n", "n"), ("$base/x", "base"), ("{{n}}/{{other}}", "n")])
  func `if a text names a variable of the document in the syntax of another tool, the warning suggests Garland's syntax`(
    written: String, name: String
  )
    async throws
  {
    let result = try await check("vars: { n: 1, base: x }\n" + Self.step("json: { a: '\(written)', b: '${vars.n}${vars.base}' }"))
    #expect(result.error.contains("to insert the value, write `${vars.\(name)}`"), "\(result.error)")
  }

  @Test func `the warning about {{$randomColor}} suggests no expression, since Garland has no counterpart`() async throws {
    let result = try await check(Self.step("json: { a: '{{$randomColor}}' }"))
    #expect(result.error.contains("Garland has no `$randomColor`") && !result.error.contains("${vars."), "\(result.error)")
  }

  @Test(arguments: [
    "$datetime iso8601 1 y", "$timestamp -1 M", "$timestamp 1", "$randomInt 5", "$randomInt 6 1", "$randomInt 6 6", "$randomInt 1 2 3",
    "$randomInt +1 6", "$timestamp +1 d", "$guid 5", "$processEnv 1x", "$processEnv %NAME", "$datetime \"DD-MM-YYYY\" 1 d",
    "$localDatetime iso8601", "$random.integer(1, 6)",
  ]) func `--fix keeps a call of another tool's function, such as $randomInt, if Garland cannot express its arguments`(
    written: String
  ) async throws {
    let folder = try TemporaryFolder()
    let text = "garland: 1\n" + Self.step("json: { a: '{{\(written)}}' }")
    try folder.write("w.yaml", text)
    let result = try await Garland.run(["check", "--fix", "w.yaml"], in: folder.path)
    #expect(result.error.contains("Garland has no `\(written)`"), "\(result.error)")
    #expect(String(decoding: try folder.read("w.yaml"), as: UTF8.self) == text)
  }

  @Test func `if an expression contains another tool's variable such as $guid, the error suggests a Garland function`()
    async throws
  {
    let result = try await check(Self.step("json: { a: 'id-${$guid}' }"))
    #expect(result.status == 2 && result.error.contains("in Garland, write `uuid()`"), "\(result.error)")
  }

  @Test func `a template that no step extends causes a warning`() async throws {
    let text = "defaults: { steps: { used: { tags: [x] }, base: { tags: [y] }, idle: { extends: base } } }\n" + Self.step("extends: used")
    let result = try await check(text)
    #expect(result.error.contains("no step extends the template `idle`") && result.error.contains("1 warning"), "\(result.error)")
  }

  @Test func `a step without any expectation causes a warning unless its response is used`() async throws {
    let text = """
      steps:
        bare: { get: http://h/a }
        expects: { get: http://h/b, expect: { status: 200 } }
        extracts: { get: http://h/c, extract: { id: $.id } }
        used: { get: http://h/d }
        user: { get: "http://h/e/${used.json.id}/${extracts.id}", expect: { status: 200 } }
        tidy: { delete: http://h/f, cleanup: user }
        file: { get: http://h/g, download: g.bin }
        polls: { get: http://h/h, poll: { until: { status: 200 } } }
        streams: { get: http://h/i, events: { count: 3 } }
        lines: { get: http://h/j, lines: { each: { json: { $.id: 7 } } } }

      """
    let result = try await check(text, project: "name: Shop\n")
    #expect(
      result.error.contains("the step `bare` checks only that the status is 2xx") && result.error.contains("1 warning"), "\(result.error)")
    let withDefaults = try await check("defaults: { expect: { time: { lt: 5s } } }\n" + text, project: "name: Shop\n")
    #expect(!withDefaults.error.contains("no-expectation"), "\(withDefaults.error)")
    #expect(try await check(text).error.isEmpty)
  }

  @Test func `ignore_warnings in a project turns off warnings by their codes, also with --strict`() async throws {
    let text = Self.step("bearer: 4f9a2c11") + "  bare: { get: http://h/b }\n"
    let some = try await check(text, project: "ignore_warnings: [no-expectation]\n")
    #expect(some.error.contains("literal-credential") && some.error.contains("1 warning"), "\(some.error)")
    let none = try await check(text, project: "ignore_warnings: [no-expectation, literal-credential]\n", "--strict")
    #expect(none.status == 0 && none.error.isEmpty, "\(none.error)")
  }

  @Test func `each document is checked with the ignore_warnings of its own project`() async throws {
    let folder = try TemporaryFolder()
    for name in ["strict", "lenient"] { try folder.write("\(name)/w.yaml", "garland: 1\nsteps: { \(name): { get: 'http://h/' } }\n") }
    try folder.write("strict/garland.project.yaml", "name: Strict\n")
    try folder.write("lenient/garland.project.yaml", "ignore_warnings: [no-expectation]\n")
    let result = try await Garland.run(["check", "."], in: folder.path)
    #expect(result.error.contains("`strict` checks only that") && result.error.contains("1 warning"), "\(result.error)")
  }

  @Test func `for a misspelt code in ignore_warnings, the error suggests the correct code`() async throws {
    let result = try await check(Self.step("tags: [x]"), project: "ignore_warnings: [no-expectaton]\n")
    #expect(result.status == 2 && result.error.contains("did you mean `no-expectation`?"), "\(result.error)")
  }

  @Test func `a credential in a project file causes a warning`() async throws {
    let result = try await check(Self.step("tags: [x]"), project: "defaults: { headers: { X-Api-Key: 4f9a2c11 } }\n")
    #expect(result.error.contains("garland.project.yaml:1:35") && result.error.contains("1 warning"), "\(result.error)")
    #expect(!result.error.contains("4f9a2c11"), "\(result.error)")
  }

  @Test func `a run does not report lint warnings, even with --strict`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", "garland: 1\nsteps: { a: { get: \"${env.GARLAND_SANDBOX}/anything?q={{x}}\" } }\n")
    let run = try await Garland.run(["run", "w.yaml", "--sandbox", "--strict"], in: folder.path)
    #expect(!run.error.contains("no-expectation"), "\(run.error)")
  }

  // MARK: Templates of a project

  private func projectCheck(_ paths: String...) async throws -> String {
    let folder = try TemporaryFolder()
    try folder.write(
      "garland.project.yaml",
      "defaults:\n  steps:\n    used: { expect: { status: 200 } }\n    lost: { expect: { status: 201 } }\n")
    try folder.write("a.yaml", "garland: 1\nsteps: { a: { get: 'http://h/a', expect: { status: 200 } } }\n")
    try folder.write("sub/b.yaml", "garland: 1\nsteps: { b: { extends: used, get: 'http://h/b' } }\n")
    let result = try await Garland.run(["check"] + paths, in: folder.path)
    #expect(result.status == 0, "\(result.error)")
    return result.error
  }

  @Test func `if all documents are checked, a project template that no document uses causes a warning`() async throws {
    let error = try await projectCheck(".")
    #expect(error.contains("warning[unused-template]: no step extends the template `lost`"), "\(error)")
    #expect(error.contains("garland.project.yaml:4:5") && !error.contains("`used`"), "\(error)")
  }

  @Test func `if only some documents are checked, an unused project template causes no warning`() async throws {
    #expect(!(try await projectCheck("a.yaml").contains("unused-template")))
  }

  @Test(arguments: [
    step(#"json: '{"a": 1}'"#), step(#"json: "[1, 2]""#), step("json: |\n      {\"a\": ${env.HOME ?? 1}}"),
  ]) func `if the value of the key 'json' is a text that contains JSON, a warning is shown`(text: String) async throws {
    let result = try await check(text)
    #expect(result.status == 0 && result.error.contains("warning[json-text]"), "\(result.error)")
  }

  @Test(arguments: ["json: { a: 1 }", "json: 'a text'", "json: '{not JSON}'", #"body: '{"a": 1}'"#])
  func `the warning 'json-text' is not shown for a mapping, for text that is not JSON, or under the key 'body'`(
    keys: String
  ) async throws {
    #expect(try await !check(Self.step(keys)).error.contains("json-text"))
  }

  @Test func `--fix replaces a text that contains JSON under the key 'json' by the JSON value`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", "garland: 1\n" + Self.step(#"json: '{"a": 1.50, "b": "x"}'"#))
    let result = try await Garland.run(["check", "w.yaml", "--fix"], in: folder.path)
    #expect(result.status == 0, "\(result.error)")
    #expect(String(decoding: try folder.read("w.yaml"), as: UTF8.self).contains(#"json: {"a": 1.50, "b": "x"}"#))
  }
}
