import GarlandImport
import GarlandSandbox
import Glibc
import TestSupport
import Testing

@testable import garland

/// Tests of `garland send`, which sends a request without a file.
@Suite(.timeLimit(.minutes(15))) struct SendTests {
  private static let document = """
    # The shop.
    garland: 1
    defaults: { base_url: "${env.GARLAND_SANDBOX}", headers: { X-Team: blue } }
    steps:
      login:   # who asks
        post: /login
        json: { user: alice, password: wonderland }
        extract: { token: $.token }

    # the end

    """

  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("shop.yaml", Self.document)
    return folder
  }

  private func text(_ folder: TemporaryFolder, _ name: String = "shop.yaml") throws -> String {
    String(decoding: try folder.read(name), as: UTF8.self)
  }

  private func send(_ words: String..., in folder: TemporaryFolder) async throws -> ChildProcess.Result {
    try await Garland.run(["send"] + words, in: folder.path)
  }

  // MARK: Requests

  @Test func `without a document, 'garland send' prints the body of the response`() async throws {
    let result = try await send(
      "POST", "${env.GARLAND_SANDBOX}/anything", "--json", "title=Dune", "--json", "price=9.50", "--json", "tags=[a, b]", "--header",
      "X-One: 1", "--query", "q=a b", "--sandbox", in: try TemporaryFolder())
    #expect(result.status == 0, "\(result.error)")
    #expect(result.output.contains(#""json":{"title":"Dune","price":9.50,"tags":["a","b"]}"#), "\(result.output)")
    #expect(result.output.contains(#""x-one":"1""#) && result.output.contains(#""q":"a b""#), "\(result.output)")
    #expect(result.error.contains("1 passed"))
  }

  @Test(arguments: [
    (["--json", #"{"a": ["${run.id}"], "n": 1}"#], "\"json\":{\"a\":["), (["--form", "a=b c", "--form", "a=d"], "\"form\":{"),
    (["--body", "plain"], "\"text\":\"plain\""),
  ]) func `garland send with a body sends a POST request unless a method is given`(options: [String], found: String) async throws {
    let folder = try TemporaryFolder()
    let result = try await Garland.run(["send", "${env.GARLAND_SANDBOX}/anything", "--sandbox"] + options, in: folder.path)
    #expect(
      result.status == 0 && result.output.contains("\"method\":\"POST\"") && result.output.contains(found),
      "\(result.output)\(result.error)")
  }

  @Test func `if 'garland send' is given a URL, the heading of its output is 'the command line' instead of the URL`() async throws {
    let result = try await send("${env.GARLAND_SANDBOX}/health", "--sandbox", in: try TemporaryFolder())
    #expect(result.error.hasPrefix("the command line  1 step\n"), "\(result.error)")
  }

  @Test func `garland send --sandbox with a relative URL sends the request to the embedded sandbox`() async throws {
    let folder = try TemporaryFolder()
    let result = try await send("/health", "--sandbox", in: folder)
    #expect(result.status == 0 && result.output.contains("ok") && !result.error.contains("warning"), "\(result.output)\(result.error)")
    // A project says itself what is relative to what.
    try folder.write("garland.project.yaml", "defaults: { base_url: \"${env.GARLAND_SANDBOX}/anything\" }\n")
    let project = try await send("/health", "--sandbox", in: folder)
    #expect(project.output.contains("/anything/health"), "\(project.output)\(project.error)")
  }

  @Test(arguments: [
    (["POST", "http://h/", "-H", "A: b"], "Unknown option '-H': write `--header 'NAME: VALUE'`"),
    (["POST", "http://h/", "--data", "a=1"], "write `--body TEXT`, `--json NAME=VALUE` or `--form NAME=VALUE`"),
    (["-X", "POST", "http://h/"], "are words of their own: `garland send POST URL`"),
    (["http://h/", "-u", "alice:x"], "write `--basic USER:PASSWORD`"),
    (["http://h/", "-k"], "or put a whole command line of curl in quotes: `garland send \"curl …\"`"),
    (["POST", "http://h/", "too", "many"], "found 4 words"),
  ]) func `if garland send is given an option of curl, the error suggests the matching option of garland send`(
    words: [String], message: String
  ) async throws {
    let folder = try TemporaryFolder()
    let result = try await Garland.run(["send"] + words, in: folder.path)
    #expect(result.status == 2 && result.error.contains(message), "\(result.error)")
  }

  @Test func `if garland send is given a method in lower case, the method is sent in upper case`() async throws {
    let result = try await send("put", "${env.GARLAND_SANDBOX}/anything", "--sandbox", in: try TemporaryFolder())
    #expect(result.output.contains("\"method\":\"PUT\""), "\(result.output)\(result.error)")
  }

  @Test func `garland send exits with status 1 if the status of the response is not 2xx`() async throws {
    let result = try await send("${env.GARLAND_SANDBOX}/status/404", "--sandbox", in: try TemporaryFolder())
    #expect(result.status == 1 && result.error.contains("status is 404, expected 2xx"), "\(result.error)")
    #expect(!result.error.contains("Run again"), "\(result.error)")
  }

  @Test func `garland send with a curl command line sends the same request as curl`() async throws {
    let folder = try TemporaryFolder()
    let sandbox = try await Garland.run(
      ["send", "curl -u alice:looking-glass -d a=1 ${GARLAND_SANDBOX}/anything", "--sandbox"], in: folder.path)
    #expect(sandbox.status == 0, "\(sandbox.error)")
    #expect(sandbox.output.contains("\"form\":{") && sandbox.output.contains("\"method\":\"POST\""), "\(sandbox.output)")
    #expect(!(sandbox.output + sandbox.error).contains("looking-glass"))
  }

  @Test(arguments: [("| jq .a", "this text is not a curl command"), ("> a.json", "this redirection was left out")])
  func `garland send with a curl command line warns of a pipe or a redirection after the curl command`(rest: String, warning: String)
    async throws
  {
    let folder = try TemporaryFolder()
    let result = try await Garland.run(["send", "curl ${GARLAND_SANDBOX}/health \(rest)", "--sandbox"], in: folder.path)
    #expect(result.status == 0 && result.output.contains("ok"), "\(result.output)\(result.error)")
    #expect(result.error.contains("warning[not-imported]: \(warning)"), "\(result.error)")
    #expect(result.error.contains("the command line:1:"), "\(result.error)")
  }

  @Test func `credentials on the command line of garland send are masked in the printed response`() async throws {
    let result = try await send(
      "${env.GARLAND_SANDBOX}/anything", "--bearer", "tops3cret", "--json", "password=hunter22", "--sandbox", "--show", "all",
      in: try TemporaryFolder())
    #expect(result.status == 0, "\(result.error)")
    let all = result.output + result.error
    #expect(!all.contains("tops3cret") && !all.contains("hunter22") && all.contains("***"), "\(all)")
  }

  @Test(arguments: [
    ["/a", "--bearer", "${hunter2x"], ["/a", "--header", "Authorization Bearer hunter2x"], ["/a", "--json", "pw:hunter2x"],
    ["/a", "--json", "pw=[hunter2x"], ["/a", "--json", "{\"pw\": hunter2x"], ["/a", "--form", "hunter2x"], ["/a", "--query", "hunter2x"],
    ["/a", "--basic", "hunter2x"], ["/a", "--body", "${hunter2x"], ["http://h/?pw=${hunter2x"],
    ["curl -u alice:hunter2x http://127.0.0.1:1/ http://127.0.0.1:1/"], ["curl -H 'Authorization: Bearer hunter2x"],
    ["curl --oauth2-bearer hunter2x"], ["curl -u alice:hunter2x --no-such http://127.0.0.1:1/"],
  ]) func `an error about the command line of garland send shows no value that may be a credential`(words: [String]) async throws {
    let folder = try TemporaryFolder()
    let result = try await Garland.run(["send"] + words, in: folder.path)
    #expect(result.status == (words.last?.contains("--no-such") == true ? 3 : 2), "\(result.error)")
    #expect(!(result.output + result.error).contains("unter2x"), "\(result.error)")
  }

  @Test func `garland send --in uses the defaults and steps of a document and does not change the file`() async throws {
    let folder = try folder()
    let result = try await send("/anything", "--bearer", "${login.token}", "--in", "shop.yaml", "--sandbox", in: folder)
    #expect(result.status == 0, "\(result.error)")
    #expect(result.output.contains(#""x-team":"blue""#) && result.output.contains("Bearer "), "\(result.output)")
    #expect(result.error.contains("✓ login"), "\(result.error)")
    #expect(try text(folder) == Self.document)
  }

  @Test
  func `if 'garland send --in' fails, a note says that the document file is unchanged`()
    async throws
  {
    let folder = try folder()
    let result = try await send("/status/500", "--in", "shop.yaml", "--sandbox", in: folder)
    #expect(result.status == 1 && result.error.contains("shop.yaml is unchanged. The errors above show its lines"), "\(result.error)")
    #expect(try text(folder) == Self.document)
  }

  @Test func `garland send without a document uses the defaults of the project`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("garland.project.yaml", "defaults: { base_url: \"${env.GARLAND_SANDBOX}\", headers: { X-Team: red } }\n")
    let result = try await send("/anything", "--sandbox", in: folder)
    #expect(result.status == 0 && result.output.contains(#""x-team":"red""#), "\(result.output)\(result.error)")
  }

  @Test(arguments: [
    (["GET", "/a", "/b"], "found 3 words"), (["/a", "--json", "a=1", "--form", "b=2"], "two bodies"),
    (["/a", "--bearer", "x", "--basic", "a:b"], "two credentials"), (["/a", "--json", "a"], "--json needs NAME=VALUE"),
    (["/a", "--query", "a=${b"], "has a `${` that no `}` closes"), (["/a", "--header", "nothing"], "--header needs 'NAME: VALUE'"),
    (["http://h/?q={{x}}"], "`{{` in the URL is template syntax of another tool"),
    (["http://h/", "--bearer", "{{x}}"], "`{{` in --bearer is template syntax of another tool"),
    (["http://h/", "--basic", "a:{{x}}"], "`{{` in --basic is template syntax of another tool"),
    (["http://h/", "--json", "a=[hi"], "neither JSON nor YAML; text with brackets or braces needs quotes"),
    (["/a", "--save", "x"], "--save needs the document"), (["/a", "--in", "none.yaml"], "cannot read none.yaml: no such file"),
    (["/a", "--in", "no/none.yaml"], "cannot read no/none.yaml: no such file"), (["/a", "--in", "."], "it is a folder"),
    (["curl", "http://h/"], "put it in quotes"), (["curl http://h/ --next http://i/"], "the command line has 2 requests, expected 1"),
    (["GET"], "There is no URL"),
    (["/a", "--basic", "alice"], "--basic needs a user and a password"), (["/a", "--json", "a=1", "--json", "a=2"], "has `a` twice"),
  ]) func `garland send exits with status 2 if its command line contains no request`(words: [String], message: String) async throws {
    let folder = try TemporaryFolder()
    let result = try await Garland.run(["send"] + words, in: folder.path)
    #expect(result.status == 2 && result.error.contains(message) && result.output.isEmpty, "\(result.error)")
  }

  @Test(arguments: [
    ["--query", "q={{x}}"], ["--header", "X-A: {{x}}"], ["--body", "hi {{x}}"], ["--json", "a=\"{{x}}\""], ["--form", "a={{x}}"],
  ]) func `garland send warns of another tool's placeholder, such as {{x}}, in the request, but not in other steps of the document`(
    options: [String]
  ) async throws {
    let empty = try TemporaryFolder()
    let alone = try await Garland.run(["send", "/anything", "--sandbox"] + options, in: empty.path)
    #expect(alone.status == 0 && alone.error.contains("warning[foreign-template]: `{{x}}` is sent literally"), "\(alone.error)")
    let folder = try folder()
    try folder.write("shop.yaml", Self.document.replacing("  login:", with: "  other: { post: /anything, json: { a: '{{y}}' } }\n  login:"))
    let added = try await Garland.run(["send", "/anything", "--sandbox", "--in", "shop.yaml"] + options, in: folder.path)
    #expect(added.status == 0 && added.error.contains("`{{x}}` is sent literally") && added.error.contains("1 warning"), "\(added.error)")
    #expect(!added.error.contains("{{y}}"), "\(added.error)")
  }

  @Test func `for a relative URL without a base URL, garland send suggests naming a document with --in`() async throws {
    let result = try await send("/a", in: try TemporaryFolder())
    #expect(result.status == 2 && result.error.contains("name the document with `--in FILE`"), "\(result.error)")
  }

  // MARK: Saving

  @Test func `garland send --save adds the request to the document, which remains valid`() async throws {
    let folder = try folder()
    let result = try await send(
      "POST", "/anything", "--json", "title=Dune", "--bearer", "${login.token}", "--in", "shop.yaml", "--save", "create", "--sandbox",
      in: folder)
    #expect(result.status == 0 && result.error.contains("Added `create` to shop.yaml:10:3"), "\(result.error)")
    let added = "\n  create:\n    post: /anything\n    bearer: ${login.token}\n    json: { title: Dune }\n"
    #expect(try text(folder) == Self.document.replacing("$.token }\n", with: "$.token }\n" + added))
    let check = try await Garland.run(["check", "shop.yaml"], in: folder.path)
    #expect(check.status == 0, "\(check.error)")
  }

  @Test(arguments: [
    ["--body", "user=alice&password=tops3cret"], ["--header", "Referer: http://h/?page=1&api_key=tops3cret"],
    ["--header", "Origin: http://alice:tops3cret@h"], ["--body", #"{"callback":"http://alice:tops3cret@h/"}"#],
    ["--header", "Content-Type: application/x-www-form-urlencoded", "--body", "next=http://alice:tops3cret@h/"],
  ])
  func `garland send --save replaces credentials in a request body or header field by references to secrets`(options: [String]) async throws
  {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", "garland: 1\ndefaults: { base_url: \"${env.GARLAND_SANDBOX}\" }\n")
    let result = try await Garland.run(
      ["send", "POST", "/anything", "--in", "w.yaml", "--sandbox", "--save", "added"] + options, in: folder.path)
    #expect(result.status == 0 && result.error.contains("to later runs"), "\(result.error)")
    let saved = String(decoding: try folder.read("w.yaml"), as: UTF8.self)
    #expect(saved.contains("${secrets.") && !saved.contains("tops3cret"), "\(saved)")
  }

  @Test func `garland send --save does not mistake an XML body with an equals sign for a form`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", "garland: 1\ndefaults: { base_url: \"${env.GARLAND_SANDBOX}\" }\n")
    let body = "<l><password>tops3cret</password><s>a=</s></l>"
    let result = try await Garland.run(
      ["send", "POST", "/anything", "--in", "w.yaml", "--sandbox", "--save", "added", "--body", body], in: folder.path)
    #expect(result.status == 0 && !result.error.contains("to later runs"), "\(result.error)")
    #expect(String(decoding: try folder.read("w.yaml"), as: UTF8.self).contains("body: \"\(body)\""))
  }

  @Test func `if a query parameter is a URL with a password, garland send --save adds no Basic credential to the step`()
    async throws
  {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", "garland: 1\ndefaults: { base_url: \"${env.GARLAND_SANDBOX}\" }\n")
    let result = try await Garland.run(
      ["send", "POST", "/anything?next=http://alice:tops3cret@h/", "--in", "w.yaml", "--sandbox", "--save", "added"], in: folder.path)
    let saved = String(decoding: try folder.read("w.yaml"), as: UTF8.self)
    #expect(result.status == 0 && !saved.contains("basic") && !saved.contains("tops3cret"), "\(saved)")
    #expect(saved.contains("next=http://alice:${secrets."), "\(saved)")
  }

  @Test func `garland send --save replaces credentials with secrets and lists these secrets`() async throws {
    let folder = try folder()
    let result = try await send("/anything", "--bearer", "tops3cret", "--in", "shop.yaml", "--save", "me", "--sandbox", in: folder)
    #expect(result.status == 0 && result.error.contains("give the secret `TOKEN` to later runs"), "\(result.error)")
    let saved = try text(folder)
    #expect(saved.contains("secrets: [TOKEN]\n") && saved.contains("bearer: ${secrets.TOKEN}") && !saved.contains("tops3cret"), "\(saved)")
    let run = try await Garland.run(["run", "shop.yaml", "me", "--sandbox"], environment: ["TOKEN": "abcdef"], in: folder.path)
    #expect(run.status == 0, "\(run.error)")
  }

  @Test func `garland send --save with --quiet still lists the secrets that later runs need`() async throws {
    let folder = try folder()
    let result = try await send("/anything", "--bearer", "tops3cret", "--in", "shop.yaml", "--save", "me", "--sandbox", "-q", in: folder)
    #expect(result.status == 0 && result.error.contains("give the secret `TOKEN` to later runs"), "\(result.error)")
    #expect(!result.error.contains("Added `me`"), "\(result.error)")
  }

  @Test func `garland send --save sends nothing if the document can't be written`() async throws {
    let folder = try folder()
    let sandbox = try await Sandbox.start()
    chmod(folder.path + "/shop.yaml", 0o444)
    chmod(folder.path, 0o755)
    // Root can write every file.
    let user = geteuid() == 0 ? ["/usr/bin/setpriv", "--reuid=65534", "--clear-groups"] : ["/usr/bin/env"]
    let result = try await ChildProcess.run(
      user[0], user.dropFirst() + [Garland.path, "send", "\(sandbox.url)/anything", "--in", "shop.yaml", "--save", "x"],
      environment: ["GARLAND_SANDBOX": sandbox.url], in: folder.path)
    #expect(result.status == 4 && result.error.contains("the file `shop.yaml` can't be written: Permission denied"), "\(result.error)")
    #expect(sandbox.records.isEmpty)
    await sandbox.stop()
  }

  @Test(arguments: [
    (["/status/500"], "status is 500"), (["/anything", "--header", "Bad Name: x"], "bad-header"),
    (["/anything", "--bearer", "${nobody.x}"], "undefined-name"),
  ]) func `garland send --save changes the document only if the request passes`(words: [String], message: String) async throws {
    let folder = try folder()
    let result = try await Garland.run(["send"] + words + ["--in", "shop.yaml", "--save", "x", "--sandbox"], in: folder.path)
    #expect(result.status != 0 && result.error.contains(message), "\(result.error)")
    #expect(result.error.contains("`x` was not added to shop.yaml"), "\(result.error)")
    #expect(try text(folder) == Self.document)
  }

  @Test func `garland send --save refuses the name of an existing step`() async throws {
    let folder = try folder()
    let result = try await send("/anything", "--in", "shop.yaml", "--save", "login", "--sandbox", in: folder)
    #expect(result.status == 2 && result.error.contains("shop.yaml has a step `login` already"), "\(result.error)")
  }

  // MARK: Text

  private static let step = ImportedValue.object([("get", .string("/b"))])

  private func added(_ text: String) throws -> String {
    var addition = DocumentAddition("w.yaml", Array(text.utf8))
    try addition.add("b", Self.step, to: "steps")
    return String(decoding: addition.bytes, as: UTF8.self)
  }

  @Test(arguments: [
    // Block style, at the end of the file and before another key, with the indentation of the other steps.
    ("garland: 1\nsteps:\n  a: { get: /a }\n", "garland: 1\nsteps:\n  a: { get: /a }\n\n  b:\n    get: /b\n"),
    ("steps:\n    a:\n      get: /a", "steps:\n    a:\n      get: /a\n\n    b:\n      get: /b\n"),
    (
      "steps:\n  a: { get: /a }  # c\n  # of a\n\n# vars\nvars: {}\n",
      "steps:\n  a: { get: /a }  # c\n  # of a\n\n  b:\n    get: /b\n\n# vars\nvars: {}\n"
    ),
    ("steps:\n  a: { get: /a }\n  c: { get: /c }\n", "steps:\n  a: { get: /a }\n  c: { get: /c }\n  b:\n    get: /b\n"),
    // A text whose blank lines are significant.
    ("steps:\n  a:\n    body: |+\n      x\n\n\nvars: {}\n", "steps:\n  a:\n    body: |+\n      x\n\n\n  b:\n    get: /b\nvars: {}\n"),
    // Windows line breaks.
    ("steps:\r\n  a: { get: /a }\r\n", "steps:\r\n  a: { get: /a }\r\n\r\n  b:\r\n    get: /b\r\n"),
    // No steps yet.
    ("garland: 1\nsteps:  # none\n", "garland: 1\nsteps:  # none\n  b:\n    get: /b\n"),
    ("garland: 1\n", "garland: 1\n\nsteps:\n  b: { get: /b }\n"),
    // Flow style, in braces.
    ("{garland: 1, steps: {a: {get: /a}}}", "{garland: 1, steps: {a: {get: /a}, b: { get: /b }}}"),
    ("steps: {a: {get: /a}, # c, d\n}\n", "steps: {a: {get: /a}, b: { get: /b } # c, d\n}\n"),
    ("steps: {}\n", "steps: { b: { get: /b } }\n"),
    // Entries of a merge key are written in another place.
    (
      "x: &x\n  z: { get: /z }\nsteps:\n  <<: *x\n  a: { get: /a }\n",
      "x: &x\n  z: { get: /z }\nsteps:\n  <<: *x\n  a: { get: /a }\n\n  b:\n    get: /b\n"
    ),
  ]) func `garland send --save writes a step in the YAML style of the document`(text: String, result: String) throws {
    #expect(try added(text) == result)
  }

  @Test(arguments: ["steps: *x\n", "- a\n", "a: [\n", "steps: text\n", "x: &x {}\nsteps: *x\n"])
  func `garland send --save refuses a document to which no step can be added`(text: String) {
    #expect(throws: DocumentAddition.Refusal.self) { try added(text) }
  }

  @Test(arguments: [
    ("secrets: [A]\n", "secrets: [A, B]\n"), ("secrets:\n  - A\n", "secrets:\n  - A\n  - B\n"), ("secrets:\n- A\n", "secrets:\n- A\n- B\n"),
    ("secrets:\n  A: { file: a }\n", "secrets:\n  A: { file: a }\n\n  B: null\n"), ("# s\nsteps: {}\n", "secrets: [B]\n\n# s\nsteps: {}\n"),
    ("secrets: { A: , C: }\n", "secrets: { A: , C: , B: null }\n"), ("secrets: { A: , }\n", "secrets: { A: , B: null }\n"),
  ]) func `a secret that garland send --save adds is declared in the YAML style of the document`(text: String, result: String) throws {
    var addition = DocumentAddition("w.yaml", Array(text.utf8))
    try addition.declareSecret("B")
    #expect(String(decoding: addition.bytes, as: UTF8.self) == result)
  }
}
