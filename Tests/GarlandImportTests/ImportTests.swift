import GarlandDiagnostics
import GarlandJSON
import GarlandPlanner
import GarlandWorkflow
import TestSupport
import Testing

@testable import GarlandImport

/// Tests of workflows imported from files of other tools. They are compared with golden files, and must pass `garland check`.
struct ImportTests {
  static let files: [(name: String, text: String)] = [
    ("curl.sh", Samples.curl), ("recording.har", Samples.har), ("shop.postman_collection.json", Samples.postman),
  ]

  @Test(arguments: files) func `a curl, HAR or Postman file is imported as the workflow in its golden file, which garland check accepts`(
    name: String, text: String
  ) throws {
    let result = Importer.workflow(from: [SourceFile(name: name, bytes: Array(text.utf8))])
    let workflow = try #require(result.text, "\(Self.render(result.diagnostics))")
    let problems = Self.check(workflow)
    #expect(problems == "", "\(workflow)")
    expectGolden(workflow, "\(name).yaml")
    expectGolden(Self.render(result.diagnostics), "\(name).warnings.txt")
  }

  @Test func `Postman test scripts with arrow functions are imported, with and without semicolons`() throws {
    let script = [
      "pm.test('a', () => pm.response.to.have.status(201))", "pm.test('b', () => {", "  const j = pm.response.json()",
      "  pm.expect(j.b).to.eql('x') })", "pm.test('c => d', () => { pm.expect(pm.response.json().c).to.eql({ \"k\": { \"l\": 1 } }) });",
      "pm.test('e', () =>", "  pm.expect(pm.response.json().e).to.be.a('string')", ")",
    ]
    let lines = JSONValue.array(script.map { .string($0) }).jsonText()
    let event = "{\"listen\": \"test\", \"script\": {\"exec\": \(lines)}}"
    let item = "{\"name\": \"a\", \"request\": {\"url\": \"http://h/\"}, \"event\": [\(event)]}"
    let source = "{\"info\": {\"name\": \"A\"}, \"item\": [\(item)]}"
    let result = Importer.workflow(from: [SourceFile(name: "a.postman_collection.json", bytes: Array(source.utf8))])
    let text = try #require(result.text)
    #expect(result.diagnostics.all.isEmpty, "\(Self.render(result.diagnostics))")
    #expect(text.contains("status: 201"), "\(text)")
    #expect(text.contains(#"json: { "$.b": x, "$.c": { eq: { k: { l: 1 } } }, "$.e": { type: string } }"#), "\(text)")
  }

  @Test func `a Postman variable with a space in its name keeps its value in a URL`() throws {
    let item = #"{"name": "a", "request": {"url": "http://h/?u={{user name}}&v=b c"}}"#
    let source = #"{"info": {"name": "A"}, "variable": [{"key": "user name", "value": "al"}], "item": [\#(item)]}"#
    let result = Importer.workflow(from: [SourceFile(name: "a.postman_collection.json", bytes: Array(source.utf8))])
    let text = try #require(result.text)
    #expect(result.diagnostics.all.isEmpty, "\(Self.render(result.diagnostics))")
    #expect(text.contains("user_name: al") && text.contains("http://h/?u=${vars.user_name}&v=b%20c"), "\(text)")
  }

  @Test func `a Postman variable for random data is imported as a function for fake data of the same kind`() throws {
    let item = #"{"name": "a", "request": {"url": "http://h/{{$randomEmail}}/{{$randomFullName}}/{{$randomLoremWords}}/{{$randomColor}}"}}"#
    let source = #"{"info": {"name": "A"}, "item": [\#(item)]}"#
    let result = Importer.workflow(from: [SourceFile(name: "a.postman_collection.json", bytes: Array(source.utf8))])
    #expect(result.text?.contains("http://h/${fake_email()}/${fake_name()}/${fake_words(3)}/${uuid()}") == true, "\(result.text ?? "")")
    #expect(result.diagnostics.all.map(\.message) == ["`{{$randomColor}}` has no counterpart: `${uuid()}` replaces it"])
  }

  @Test func `several files are imported as one workflow with all their steps`() throws {
    let files = Self.files.map { SourceFile(name: $0.name, bytes: Array($0.text.utf8)) }
    let result = Importer.workflow(from: files)
    let workflow = try #require(result.text)
    #expect(Self.check(workflow) == "")
    #expect(result.stepCount == files.reduce(0) { $0 + Importer.workflow(from: [$1]).stepCount })
  }

  static let bad: [(name: String, text: String)] = [
    ("nothing.sh", ""), ("no_curl.sh", "wget http://h/\n"), ("quote.sh", "curl 'http://h/\n"),
    ("double_quote.sh", "curl http://h -d \"abc\n"),
    ("no_url.sh", "curl -s -H 'A: b'\n"), ("no_value.sh", "curl http://h -H\n"), ("no_value_long.sh", "curl http://h --header\n"),
    ("ftp.sh", "curl ftp://h/x\n"), ("brace.sh", "curl http://h/${X\n"), ("no_json.har", "{\"log\": {\"entries\": [}}"),
    ("no_entries.har", "{\"log\": {\"entries\": {}}}"), ("empty.har", "{\"log\": {\"entries\": []}}"),
    ("requests.hurl", "GET http://h/\nHTTP 200\n"), ("openapi.json", "{\"openapi\": \"3.1.0\", \"paths\": {}}"),
    ("other.json", "[1, 2]"), ("items.postman.json", "{\"info\": {}, \"item\": {}}"),
    ("empty.postman.json", "{\"info\": {}, \"item\": []}"),
  ]

  @Test func `importing an invalid curl, HAR or Postman file gives an error and no workflow`() {
    var text = ""
    for (name, source) in Self.bad {
      let result = Importer.workflow(from: [SourceFile(name: name, bytes: Array(source.utf8))])
      #expect(result.text == nil && result.diagnostics.hasErrors, "\(name)")
      text += Self.render(result.diagnostics) + "\n"
    }
    let result = Importer.workflow(from: [SourceFile(name: "latin1.sh", bytes: Array("curl http://h/".utf8) + [0xE9])])
    #expect(result.text == nil)
    expectGolden(text + Self.render(result.diagnostics), "bad.txt")
  }

  @Test(arguments: [
    ("curl http://h/ --retry 3", "retry: { limit: 3, delay: 1s }"),
    ("curl http://h/ --retry 3 -T a -X PUT", "retry: { limit: 3, delay: 1s }"),
    ("curl http://h/ --retry 3 -d a=1", "retry: { limit: 3, delay: 1s, methods: [POST] }"),
    ("curl http://h/ -H 'X-Tag: a' -H 'x-tag: b'", "headers: { X-Tag: [a, b] }"),
    ("curl http://h/ -d x -H 'Content-Type: text/html' -H 'content-type: text/css'", "headers: { content-type: text/css }"),
  ]) func `the import of a curl command converts '--retry' and repeated header fields to keys of the step`(
    command: String, line: String
  )
    throws
  {
    let result = Importer.workflow(from: [SourceFile(name: "a.sh", bytes: Array(command.utf8))])
    let workflow = try #require(result.text)
    #expect(workflow.contains("    \(line)\n"), "\(workflow)")
  }

  @Test func `if an import source contains no request that Garland can send, no workflow is written`() {
    let har = #"{"log": {"entries": [{"request": {"method": "GET", "url": "https://h}}/a"}, "response": {"status": 200}}]}}"#
    let result = Importer.workflow(from: [SourceFile(name: "a.har", bytes: Array(har.utf8))])
    #expect(result.text == nil && result.stepCount == 0 && result.diagnostics.hasErrors)
  }

  private static func importedHAR(creator: String, _ request: String) -> Importer.Result {
    let har = #"{"log": {"creator": {"name": "\#(creator)"}, "entries": [{"request": \#(request), "response": {"status": 200}}]}}"#
    return Importer.workflow(from: [SourceFile(name: "a.har", bytes: Array(har.utf8))])
  }

  @Test(arguments: [
    (#"{"method": "GET", "url": "http://h/a?token=***&x=1"}"#, ["get: http://h/a?token=${secrets.TOKEN}&x=1"], ["TOKEN"]),
    (#"{"method": "GET", "url": "http://h/a/***/b"}"#, ["get: http://h/a/${secrets.URL}/b"], ["URL"]),
    (
      #"{"method": "GET", "url": "http://h/", "headers": [{"name": "X-Api-Key", "value": "***"}, {"name": "Authorization", "value": "Bearer ***"}]}"#,
      ["headers: { X-Api-Key: \"${secrets.X_API_KEY}\" }", "bearer: ${secrets.TOKEN}"], ["X_API_KEY", "TOKEN"]
    ),
    (
      #"{"method": "GET", "url": "http://h/", "headers": [{"name": "Authorization", "value": "Basic ***O***"}]}"#,
      ["basic: ${secrets.BASIC_USER}:${secrets.BASIC_PASSWORD}"], ["BASIC_USER", "BASIC_PASSWORD"]
    ),
    (
      #"{"method": "POST", "url": "http://h/", "postData": {"mimeType": "application/json", "text": "{\"user\": \"***\", \"note\": \"in *** text\"}"}}"#,
      ["json: { user: \"${secrets.MASKED_USER}\", note: \"in ${secrets.NOTE} text\" }"], ["MASKED_USER", "NOTE"]
    ),
    (
      #"{"method": "POST", "url": "http://h/", "postData": {"mimeType": "application/x-www-form-urlencoded", "text": "pass=***"}}"#,
      ["form: { pass: \"${secrets.PASS}\" }"], ["PASS"]
    ),
    (
      #"{"method": "POST", "url": "http://h/", "postData": {"mimeType": "text/plain", "text": "a *** b"}}"#,
      ["body: \"a ${secrets.BODY} b\""], ["BODY"]
    ),
  ]) func `a masked value in a HAR archive of Garland is imported as a secret, and a warning names the secret`(
    request: String, lines: [String], names: [String]
  ) throws {
    let result = Self.importedHAR(creator: "garland", request)
    let workflow = try #require(result.text)
    for line in lines { #expect(workflow.contains("    \(line)\n"), "\(workflow)") }
    #expect(workflow.contains("secrets: [\(names.joined(separator: ", "))]\n"), "\(workflow)")
    #expect(!workflow.contains("***"))
    let warnings = Self.render(result.diagnostics)
    for name in names { #expect(warnings.contains("`\(name)`"), "\(warnings)") }
  }

  @Test func `three asterisks in a HAR archive of another program are sent unchanged and not taken for a masked secret`() throws {
    let result = Self.importedHAR(creator: "Firefox", #"{"method": "GET", "url": "http://h/a?q=***"}"#)
    #expect(try #require(result.text).contains("get: \"http://h/a?q=***\"\n"))
  }

  @Test func `if a HAR archive that Garland wrote has a truncated request body, a warning names the request`() {
    let result = Self.importedHAR(
      creator: "garland",
      #"{"method": "PUT", "url": "http://h/a", "postData": {"mimeType": "text/plain", "text": "aa", "comment": "cut: only the beginning of 1.0 MiB"}}"#
    )
    #expect(Self.render(result.diagnostics).contains("the whole body of the request `PUT http://h/a`: cut: only the beginning of 1.0 MiB"))
  }

  @Test(arguments: [
    ("text/event-stream", "", "events: { count: 1, within: 30s }"),
    ("multipart/x-mixed-replace; boundary=b", #"data: [DONE]\n\n"#, "parts: { count: 1, within: 30s }"),
    ("text/event-stream;charset=utf-8", #"data: 1\n\ndata: [DONE]\n\n"#, #"events: { until: "${event.data == '[DONE]'}", within: 30s }"#),
  ]) func `a HAR entry whose response is a stream is imported as a step that reads the events or parts of the stream`(
    type: String, body: String, line: String
  ) throws {
    let accept = type.prefix { $0 != ";" }
    let request = #"{"method": "GET", "url": "http://h/feed", "headers": [{"name": "accept", "value": "\#(accept)"}]}"#
    let response = #"{"status": 200, "content": {"mimeType": "\#(type)", "text": "\#(body)"}}"#
    let har = #"{"log": {"entries": [{"_resourceType": "eventsource", "request": \#(request), "response": \#(response)}]}}"#
    let result = Importer.workflow(from: [SourceFile(name: "a.har", bytes: Array(har.utf8))])
    let workflow = try #require(result.text, "\(Self.render(result.diagnostics))")
    #expect(workflow.contains("    get: http://h/feed\n    \(line)\n"), "\(workflow)")
    #expect(Self.check(workflow) == "")
  }

  @Test func `a HEAD request for an event stream in a HAR archive is imported as a step that reads no events`() throws {
    let response = #"{"status": 200, "content": {"mimeType": "text/event-stream"}}"#
    let entry = #"{"request": {"method": "HEAD", "url": "http://h/feed"}, "response": \#(response)}"#
    let result = Importer.workflow(from: [SourceFile(name: "a.har", bytes: Array(#"{"log": {"entries": [\#(entry)]}}"#.utf8))])
    let workflow = try #require(result.text, "\(Self.render(result.diagnostics))")
    #expect(workflow.contains("    head: http://h/feed\n") && !workflow.contains("events:"), "\(workflow)")
  }

  @Test(arguments: [
    #"{"method": "GET", "url": "wss://h/chat"}"#,
    #"{"method": "GET", "url": "https://h/chat"}, "_resourceType": "websocket", "x": {}"#,
  ]) func `a WebSocket connection in a HAR archive is omitted with a warning`(request: String) {
    let result = Self.importedHAR(creator: "Chrome", request)
    #expect(Self.render(result.diagnostics).contains("is a WebSocket connection, and was left out"))
  }

  /// Requests in which each credential contains `CANARY`.
  static let credentials: [(name: String, text: String)] = [
    ("url.sh", "curl 'https://bob:CANARY%2b1@h/a?access_token=CANARY2&api_key=CANARY3&page=2'"),
    ("proxy.sh", "curl --proxy http://u:CANARY@proxy:3128 http://h/"),
    ("form.sh", "curl http://h/token -d grant_type=password -d client_secret=CANARY -d password=CANARY2"),
    ("json.sh", #"curl http://h/login --json '{"user":"a","password":"CANARY","deep":[{"refresh_token":"CANARY2"}]}'"#),
    ("multipart.sh", "curl http://h/ -F password=CANARY -F file=@a.txt"),
    ("query.sh", "curl -G http://h/ --data-urlencode 'api_key=CANARY 1'"),
    ("jwt.sh", "curl http://h/ -H 'X-Any: eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJDQU5BUlkifQ.CANARY'"),
    ("aws.sh", "curl --aws-sigv4 aws:amz:eu-west-1:s3 -u AKIA:CANARY https://b.s3.eu-west-1.amazonaws.com/k"),
    ("aws_host.sh", "curl --aws-sigv4 aws:amz -u AKIA:CANARY https://s3.eu-west-1.amazonaws.com/k"),
    ("aws_nowhere.sh", "curl --aws-sigv4 aws:amz -u AKIA:CANARY http://h/k"),
    ("cert.sh", "curl --cert c.pem:CANARY https://h/"),
    (
      "login.har",
      """
      {"log": {"entries": [{"request": {"method": "POST", "url": "https://h/login?token=CANARY", "postData": {"mimeType":
      "application/x-www-form-urlencoded", "text": "user=a&password=CANARY2"}}, "response": {"status": 200}}]}}
      """
    ),
    (
      "keys.postman_collection.json",
      """
      {"info": {"name": "Keys"}, "item": [{"name": "a", "request": {"url": "http://h/", "auth": {"type": "apikey", "apikey": [
      {"key": "key", "value": "X-K"}, {"key": "value", "value": "CANARY"}]}}}, {"name": "b", "request": {"url": "http://h/",
      "auth": {"type": "apikey", "apikey": [{"key": "key", "value": "k"}, {"key": "value", "value": "CANARY2"}, {"key": "in", "value": "query"}]}}}]}
      """
    ),
    (
      "variables.postman_collection.json",
      #"""
      {"info": {"name": "Variables"}, "variable": [{"key": "tok", "value": "CANARY"}, {"key": "entrance", "value": "CANARY2"},
      {"key": "any", "value": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJDQU5BUlkifQ.CANARY"}, {"key": "user", "value": "bob"}],
      "auth": {"type": "bearer", "bearer": [{"key": "token", "value": "{{tok}}"}]}, "item": [
      {"name": "a", "request": {"url": "http://h/{{user}}"}},
      {"name": "b", "request": {"method": "POST", "url": "http://h/?x={{any}}", "auth": {"type": "noauth"},
      "body": {"mode": "raw", "raw": "{\"user\": \"{{user}}\", \"password\": \"{{entrance}}\"}"}}}]}
      """#
    ),
    ("encoded.sh", "curl -G https://h/q -d a=1 --data-urlencode 'password=CANARY 1 ä{}' -d flag -d b=%41"),
  ]

  /// No credential appears in the workflow or in a warning.
  @Test func `imported credentials become secrets and appear neither in the workflow nor in a warning`() throws {
    var text = ""
    for (name, source) in Self.credentials {
      let result = Importer.workflow(from: [SourceFile(name: name, bytes: Array(source.utf8))])
      let workflow = try #require(result.text, "\(name): \(Self.render(result.diagnostics))")
      #expect(Self.check(workflow) == "", "\(workflow)")
      let steps = workflow.split(separator: "\n").joined(separator: "\n")
      text += "# \(name)\n\(steps)\n" + result.diagnostics.all.map { "! \($0.message)\n" }.joined() + "\n"
    }
    #expect(!text.contains("CANARY"))
    expectGolden(text, "credentials.txt")
  }

  @Test(arguments: [
    ("curl http://h/ -d \"user=$ME&password=CANARY\"", "    body: user=${env.ME}&password=${secrets.PASSWORD}\n"),
    ("curl http://h/ -d \"user=a&client_secret=$WORD\"", "    body: user=a&client_secret=${secrets.WORD}\n"),
    (
      #"curl http://h/ -d "{\"user\": \"$ME\", \"id\": $ID, \"password\": \"CANARY\"}""#,
      #"    body: "{\"user\": \"${env.ME}\", \"id\": ${env.ID}, \"password\": \"${secrets.PASSWORD}\"}""# + "\n"
    ),
    (#"curl http://h/ -d "{\"password\": \"$WORD\"}""#, #"    body: "{\"password\": \"${secrets.WORD}\"}""# + "\n"),
  ]) func `when a curl command is imported, credentials in a body with shell variables become secrets of the workflow`(
    command: String, body: String
  )
    throws
  {
    let result = Importer.workflow(from: [SourceFile(name: "a.sh", bytes: Array(command.utf8))])
    let workflow = try #require(result.text, "\(Self.render(result.diagnostics))")
    #expect(workflow.contains(body) && !workflow.contains("CANARY"), "\(workflow)")
    #expect(Self.check(workflow) == "", "\(workflow)")
  }

  @Test func `for an imported curl command with shell variables in an XML body, a warning mentions possible credentials`() throws {
    let command = #"curl http://h/ -H 'Content-Type: text/xml' -d "<login user='$ME'><password>word</password></login>""#
    let result = Importer.workflow(from: [SourceFile(name: "a.sh", bytes: Array(command.utf8))])
    #expect(Self.render(result.diagnostics).contains("may contain credentials"), "\(Self.render(result.diagnostics))")
  }

  /// Any file is imported or rejected, and an imported workflow passes `garland check`.
  @Test(arguments: files)
  func `if a randomly changed curl, HAR or Postman file is imported without an error, the imported workflow is valid`(
    name: String, text: String
  ) {
    var chance = SeededRandom(seed: 20_261_121)
    let original = Array(text.utf8)
    let inserted: [[UInt8]] = [
      "\"", "'", "\\", "${", "{{", "}}", "\n", "$(", "`", ": ", " #", "\u{0}", "\u{2028}", "%", "--", "=", "&", "@", "é", "null", "[]",
    ].map { Array($0.utf8) }
    for round in 0..<DeepTests.rounds(400, otherwise: 100) {
      var bytes = original
      for _ in 0..<Int.random(in: 1...6, using: &chance) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &chance)
        switch Int.random(in: 0..<4, using: &chance) {
        case 0: bytes[place] = UInt8.random(in: 32...126, using: &chance)
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...20, using: &chance)))
        case 2: bytes.insert(contentsOf: inserted[Int.random(in: 0..<inserted.count, using: &chance)], at: place)
        default:
          bytes.insert(
            contentsOf: bytes[place...].prefix(Int.random(in: 0..<60, using: &chance)), at: Int.random(in: 0..<bytes.count, using: &chance))
        }
      }
      let result = Importer.workflow(from: [SourceFile(name: name, bytes: bytes)])
      guard let workflow = result.text else {
        if !result.diagnostics.hasErrors { Issue.record("round \(round): neither a workflow nor an error") }
        continue
      }
      let problems = Self.check(workflow)
      if !problems.isEmpty {
        Issue.record("round \(round): \(problems)\n\(workflow)")
        return
      }
    }
  }

  // MARK: Helpers

  /// Returns the errors that `garland check` reports for a document, except for missing files.
  static func check(_ text: String) -> String {
    let file = SourceFile(name: "imported.yaml", bytes: Array(text.utf8))
    let (workflow, diagnostics) = WorkflowDecoder.decode(
      file, directory: "/imported", options: .init(files: FileAccess(EveryFile(), roots: ["/"])))
    let errors = diagnostics.all.filter { $0.severity == .error }
    guard let workflow else { return errors.map { DiagnosticRenderer().render($0).plain }.joined(separator: "\n") + "no workflow" }
    let result = Planner(workingDirectory: "/imported").plan([workflow])
    guard let plan = result.plan else { return render(result.diagnostics) }
    return (errors + plan.check().all.filter { $0.severity == .error && $0.code != "download-conflict" }).map {
      DiagnosticRenderer().render($0).plain
    }.joined(separator: "\n")
  }

  static func render(_ diagnostics: DiagnosticList) -> String {
    diagnostics.all.map { DiagnosticRenderer().render($0).plain }.joined(separator: "\n")
  }
}

/// A file system in which every file exists.
private struct EveryFile: WorkflowFiles {
  func read(_ path: String, limit: Int) throws(WorkflowFileError) -> [UInt8] { [] }
  func kind(of path: String) -> WorkflowFileKind { .file }
  func resolve(_ path: String) -> String? { path }
}
