import GarlandDiagnostics
import GarlandJSON
import GarlandText
import Testing

@testable import GarlandWorkflow

/// Tests of evaluating expressions in a small document.
@Suite struct ExpressionTests {
  static let document = """
    garland: 1
    vars:
      user: alice
      five: 5
      half: 0.5
      flag: true
      nothing: null
      list: [3, 1, 2, 1]
      people: [{name: Bob, age: 30}, {name: Ann, age: 25}]
      odd: {'odd key': 1, a: {b: [10, 20, 30]}}
      big: 12345678901234567890
      key: ${secrets.KEY}
      mixed: {user: alice, token: '${secrets.KEY}'}
    secrets: [KEY, UNSET]
    steps:
      create:
        get: http://h/
        extract: {id: $.id, maybe: {json: $.maybe, optional: true}}
      skipped:
        get: http://h/
      use:
        post: http://h/
        body: '${env.USER}${env.LIMIT}${env.NO}${create.id}${create.maybe}${skipped.status}'
    """

  static let token =
    "'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6ImsxIn0.eyJzdWIiOiJhbGljZSIsImV4cCI6MTkwMDAwMDAwMCwicm9sZXMiOlsiYWRtaW4iXX0.c2ln'"

  static func evaluate(_ expression: String) throws -> Result<Value, EvaluationError> {
    let (value, _) = try evaluateWithRegistry(expression)
    return value
  }

  static func evaluateWithRegistry(_ expression: String) throws -> (Result<Value, EvaluationError>, RecordingRegistry) {
    let decoded = Decode.document(document)
    let workflow = try #require(decoded.workflow, "\(decoded.diagnostics.all)")
    var diagnostics = DiagnosticList()
    let template = workflow.template("${\(expression)}", name: "test", into: &diagnostics)
    try #require(template != nil, "\(diagnostics.all.map(\.message))")
    var context = TestContext(workflow)
    context.extracts = [0: [.plain(7), nil]]
    context.responses = [0: TestResponse(#"{"id": 7, "items": [{"price": 9.50}], "null": null}"#)]
    guard let template else { return (.success(.plain(.null)), context.registry) }
    do { return (.success(try template.evaluate(in: context)), context.registry) } catch { return (.failure(error), context.registry) }
  }

  @Test(arguments: [
    // Values and operators.
    ("1 + 2 * 3", "7"), ("(1 + 2) * 3", "9"), ("0.1 + 0.2", "0.3"), ("1 - 2 - 3", "-4"), ("7 / 2", "3.5"), ("1 / 3 * 3 == 1", "false"),
    ("10 / 4 * 2", "5"), ("-vars.five + 1", "-4"), ("vars.big + 1", "12345678901234567891"), ("vars.big * 10", "123456789012345678900"),
    ("9.50", "9.50"), ("1e3 + 1", "1001"), ("!vars.flag", "false"), ("!vars.flag || true", "true"), ("true && false || true", "true"),
    ("1 < 2 && 2 <= 2 && 3 > 2 && 2 >= 2", "true"), ("1 == 1.0", "true"), ("'a' != 'b'", "true"), ("vars.nothing == null", "true"),
    ("vars.user == null", "false"), ("'a' < 'b'", "true"), ("[1, 'a', null]", "[1,\"a\",null]"), ("[1,2] == [1.0, 2]", "true"),
    ("vars.nothing ?? 'x'", "\"x\""), ("env.NO ?? 'x'", "\"x\""), ("secrets.UNSET ?? 'x'", "\"x\""), ("skipped.status ?? 0", "0"),
    ("create.maybe ?? create.id", "7"), ("create.json.no.such.thing ?? 'x'", "\"x\""), ("env.NO ?? create.maybe ?? 3", "3"),
    ("false ?? true", "false"), ("1 + 1 == 2", "true"), ("vars.five + 1 | string", "\"6\""), ("vars.list | length > 3", "true"),
    ("(env.NO ?? 'ann') | upper", "\"ANN\""), ("env.NO ?? ('ann' | upper)", "\"ANN\""), ("- 5", "-5"), ("--5", "5"),
    // Access
    ("vars.odd['odd key']", "1"), ("vars.odd.a.b[1]", "20"), ("vars.odd.a.b[-1]", "30"), ("vars.odd.a['b'][0]", "10"),
    ("vars.odd.a.b[vars.five - 4]", "20"), ("vars.people[0].name", "\"Bob\""), ("vars.odd['a'].b | first", "10"),
    ("create.status", "201"), ("create.json.items[0].price", "9.50"), ("create.json.null ?? 1", "1"),
    ("create.json['null'] == null", "true"),
    ("create.headers.content-type", "\"application/json\""), ("create.headers['Content-Type']", "\"application/json\""),
    ("create.headers.Set-Cookie", "[\"a=1\",\"b=2\"]"), ("create.headers | length", "2"), ("create.cookies.a", "\"1\""),
    ("create.url", "\"http://h/books/7\""),
    ("create.time", "0.25"), ("create.size", "99"), ("create.version", "\"1.1\""), ("create.text | length", "51"), ("create.id", "7"),
    ("env.USER", "\"alice\""), ("run.id", "\"run-1\""), ("vars.mixed.user", "\"alice\""),
    // Filters
    ("'user:pass' | base64", "\"dXNlcjpwYXNz\""), ("'??>' | base64url", "\"Pz8-\""), ("'a b/c' | urlencode", "\"a%20b%2Fc\""),
    ("'é' | urlencode", "\"%C3%A9\""), ("5 | urlencode", "\"5\""), ("'x' | raw", "\"x\""), ("'ABC' | lower", "\"abc\""),
    ("'abc' | upper", "\"ABC\""),
    ("'  a ' | trim", "\"a\""), ("'' | trim", "\"\""), ("'äöü' | length", "3"), ("vars.list | length", "4"), ("vars.odd | length", "2"),
    ("vars.list | first", "3"), ("vars.list | last", "1"), ("'a,b,,c' | split(',')", "[\"a\",\"b\",\"\",\"c\"]"),
    ("'ab' | split('')", "[\"a\",\"b\"]"), ("'a\\r\\nb' | split('\\n')", "[\"a\\r\",\"b\"]"),
    ("'a\\r\\nb' | replace('\\n', '')", "\"a\\rb\""),
    ("['a', 1, true] | join('-')", "\"a-1-true\""), ("['a', 'b'] | join", "\"ab\""), ("'a.b.c' | replace('.', '/')", "\"a/b/c\""),
    ("vars.people[0] | json", "\"{\\\"name\\\":\\\"Bob\\\",\\\"age\\\":30}\""), ("env.LIMIT | number", "25"), ("'1.50' | number", "1.50"),
    ("9.50 | string", "\"9.50\""), ("true | string", "\"true\""),
    ("'2026-01-31T12:30:05Z' | date('%Y/%m/%d %H:%M:%S')", "\"2026/01/31 12:30:05\""),
    ("0 | date('iso')", "\"1970-01-01T00:00:00Z\""), ("'2026-03-01' | date('unix')", "1772323200"),
    ("'2026-07-01T12:00:00Z' | date('%d.%m.%Y %H:%M %Z', 'Europe/Berlin')", "\"01.07.2026 14:00 CEST\""),
    ("'2026-01-01T12:00:00Z' | date('iso', 'Asia/Kathmandu')", "\"2026-01-01T17:45:00+05:45\""),
    ("1769860800 | date('http', 'Europe/Berlin')", "\"Sat, 31 Jan 2026 12:00:00 GMT\""),
    ("'01.07.2026 14:00' | parse_date('%d.%m.%Y %H:%M', 'Europe/Berlin') | date('iso')", "\"2026-07-01T14:00:00+02:00\""),
    ("'2026-07-01 14:00 Z' | parse_date('%F %H:%M %z', 'Europe/Berlin')", "\"2026-07-01T14:00:00Z\""),
    ("0 | date('http')", "\"Thu, 01 Jan 1970 00:00:00 GMT\""),
    ("'2026-01-31T23:30:00Z' | add('1h')", "\"2026-02-01T00:30:00Z\""), ("'2024-02-28' | add('1d') | date('%d')", "\"29\""),
    ("100 | add('-1.5s')", "98.5"),
    ("'2026-01-31T12:00:00+02:00' | date('unix')", "1769853600"),
    ("'abc' | sha256", "\"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\""),
    (
      "'what do ya want for nothing?' | hmac_sha256('Jefe')", "\"5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843\""
    ),
    ("vars.people | map(item.name)", "[\"Bob\",\"Ann\"]"), ("vars.list | map(item * 2 + index)", "[6,3,6,5]"),
    ("vars.people | filter(item.age > 26) | map(item.name)", "[\"Bob\"]"), ("vars.list | sort", "[1,1,2,3]"),
    ("vars.people | sort(item.age) | map(item.name) | join(',')", "\"Ann,Bob\""), ("vars.list | unique", "[3,1,2]"),
    ("vars.people | unique(1) | length", "1"), ("3 | range", "[0,1,2]"), ("2 | range(5)", "[2,3,4]"), ("5 | range(2)", "[]"),
    ("3 | range | map(item * item)", "[0,1,4]"), ("[[1, 2], [3]] | map(item | length)", "[2,1]"),
    ("'R3LD\\nvMOfZQ==' | base64_decode", "\"Grüße\""), ("'R3LDvMOfZQ' | base64_decode", "\"Grüße\""),
    ("'Pz8-' | base64url_decode", "\"??>\""),
    ("('{\"a\": [1.50]}' | parse_json).a[0]", "1.50"), ("'abc' | md5", "\"900150983cd24fb0d6963f7d28e17f72\""),
    ("(\(token) | jwt_header).alg", "\"HS256\""), ("(\(token) | jwt_claims).sub", "\"alice\""),
    ("'/books/7' | match('/books/([0-9]+)')", "\"7\""), ("'a-b' | match('(a)-(?<x>b)')", "\"b\""),
    ("'a-b' | match('(a)-(?<x>b)', 0)", "\"a-b\""),
    ("'abc' | match('x') ?? 'none'", "\"none\""), ("'a1b2' | match_all('[0-9]')", "[\"1\",\"2\"]"),
    ("'a b' | regex_replace('(.) (.)', '$2$1$$$x')", "\"ba$$x\""), ("'aa' | regex_replace('', '-')", "\"-a-a-\""),
    ("'a\\r\\n\\rb\\n' | lines", "[\"a\",\"\",\"b\"]"), ("vars.people[0] | keys", "[\"name\",\"age\"]"),
    ("vars.people[0] | values", "[\"Bob\",30]"),
    ("('http://h:1/a?b=c' | url_parts).port", "1"), ("('HTTPS://H/' | url_parts) | json | length > 10", "true"),
    ("env.NO | default('x')", "\"x\""), ("vars.nothing | default(2) + 1", "3"), ("vars.five | default(2)", "5"),
    ("'31.01.2026' | parse_date('%d.%m.%Y')", "\"2026-01-31T00:00:00Z\""), ("1769860800 | seconds_since(1769860800000)", "0"),
    ("'Sat, 31 Jan 2026 12:00:00 GMT' | date('iso')", "\"2026-01-31T12:00:00Z\""), ("1769860800000 | date('unix')", "1769860800"),
    ("1769860800000 | add('1s')", "1769860801000"),
    // Functions
    ("file_size('query.sql')", "8"), ("file_md5('query.sql')", "\"95adb6e77a0884d9e50232cb8c5c969d\""),
    ("file_sha256('query.sql')", "\"822ae07d4783158bc1912bb623e5107cc9002d519e1143a9c200ed6ee18b6d0f\""),
    ("uuid()", "\"01234567-89ab-4def-8123-456789abcdef\""), ("now()", "\"2023-11-14T22:13:20.125Z\""), ("random(5, 5)", "5"),
    ("random(1, 6) >= 1", "true"), ("file('query.sql')", "\"select 1\""), ("now() | date('%F')", "\"2023-11-14\""),
    // Strings
    ("'it\\'s'", "\"it's\""), ("\"a\\u00e9\\n\"", "\"aé\\n\""), ("'}'", "\"}\""), ("'${x}'", "\"${x}\""), ("'\\ud83d\\ude00'", "\"😀\""),
  ])
  func `each sample expression with operators, filters or functions gives the right value`(_ expression: String, _ expected: String) throws
  {
    let value = try Self.evaluate(expression).get()
    #expect(value.json.jsonText() == expected)
  }

  @Test(arguments: [
    ("create.json.id.x", "`create.json.id` is a number, so it has no member `x`"), ("create.json.idd", "`create.json` has no member `idd`"),
    ("create.json.items[3]", "`create.json.items` has no item [3]: it has only item [0]"),
    ("create.json.items.price", "`create.json.items` is a list, so it has no member `price`"),
    ("(create.json.items | first).x", "`(create.json.items | first)` has no member `x`"),
    ("skipped.status", "the step `skipped` has no response: it was skipped"),
    ("create.maybe", "the step `create` has no value for the extract `maybe`: nothing was found"),
    ("env.NO", "the environment variable `NO` is not set"), ("secrets.UNSET", "the secret `UNSET` is not set"),
    ("create.headers.X-None", "the response has no header `X-None`"), ("create.cookies.z", "the response sets no cookie `z`"),
    ("[] | first", "`[]` is empty, so it has no first item"), ("create.json.null.x", "`create.json.null` is null, so it has no member `x`"),
  ])
  func `an expression that uses a missing value, such as a secret that is not set, gives an error with the reason`(
    _ expression: String, _ message: String
  ) throws {
    // A constant that is undefined is reported when it is compiled; any other undefined value when it is evaluated.
    guard !expression.hasPrefix("[]") else { return }
    guard case .failure(let error) = try Self.evaluate(expression) else {
      Issue.record("\(expression) has a value")
      return
    }
    #expect(error.diagnostic.message == message)
    #expect(error.isUndefined)
  }

  @Test(arguments: [("create.json.items", true), ("create.json.id", false), ("create.json.null", false)])
  func `the error for '.length' suggests the filter 'length' only if the value has a length`(_ value: String, _ advises: Bool) throws {
    guard case .failure(let error) = try Self.evaluate("\(value).length") else {
      Issue.record("\(value) has a member length")
      return
    }
    #expect(error.diagnostic.helps.contains { $0.message == "use the filter: `\(value) | length`" } == advises)
  }

  @Test(arguments: [
    ("create.json.id == '7'", "the number 7 can't be compared with the text `7`"),
    ("create.json.id + vars.user", "expected a number, found the text"),
    ("create.json.items | upper", "`upper` takes text, found a list"),
    ("create.json.id | base64", "`base64` takes text, found the number 7"),
    ("create.text | number", "is not a number"), ("create.json && true", "expected true or false, found a mapping"),
    ("create.json.items < 3", "a list can't be compared with the number 3"), ("create.json.id / (create.json.id - 7)", "division by zero"),
    ("file(create.json.none ?? 'no.txt')", "can't be read"), ("file('../outside/' + 'x')", "expected a number"),
    ("file(create.json.none ?? '../outside/secret.txt')", "outside the project"),
    ("[create.json.id, 'a'] | sort", "`sort` needs only numbers or only texts"),
    ("create.json.items | join(',')", "item 0 is a mapping"),
    ("create.text | base64_decode", "is not valid Base64"), ("'/w==' | base64_decode", "are not UTF-8 text"),
    ("vars.user | parse_json", "the text `alice` is not JSON: "),
    ("vars.user | jwt_claims", "is not a JSON Web Token: it has 1 part, expected 3"),
    ("vars.user | match('(')", "missing closing parenthesis"),
    ("vars.user | match('a', 1)", "there is no group 1: the regular expression has no groups"),
    ("vars.user | regex_replace('a', '$<x>')", "there is no group `x`: the regular expression has no groups with names"),
    (
      "vars.user | parse_date('%d.%m.')",
      "the format `%d.%m.` can't be used to read a date: it has no year, or a directive that is not supported"
    ),
    ("0 | date('iso', vars.user)", "there is no time zone `alice`"),
    ("0 | date('iso', 'europe/berlin')", "there is no time zone `europe/berlin`"),
    ("'2026' | parse_date('%Y', '../passwd')", "there is no time zone `../passwd`"),
    ("vars.user | parse_date('%Y')", "the text `alice` is not a time in the format `%Y`"),
    ("vars.user | seconds_since(now())", "expected a time such as"), ("create.json.items | keys", "`keys` takes a mapping, found a list"),
    ("file_size(create.json.none ?? 'no.bin')", "can't be read"),
    ("file_sha256('no.bin')", "the file `no.bin` can't be read: no such file"),
  ])
  func `in an expression, an operator, filter or function that gets an unsuitable value gives an error`(
    _ expression: String, _ part: String
  ) throws {
    let decoded = Decode.document(Self.document)
    let workflow = try #require(decoded.workflow)
    var diagnostics = DiagnosticList()
    guard workflow.template("${\(expression)}", name: "test", into: &diagnostics) != nil else {
      #expect(diagnostics.all.contains { $0.message.contains(part) }, "\(diagnostics.all.map(\.message))")
      return
    }
    guard case .failure(let error) = try Self.evaluate(expression) else {
      Issue.record("\(expression) has a value")
      return
    }
    #expect(error.diagnostic.message.contains(part), "\(error.diagnostic.message)")
    #expect(!error.isUndefined)
  }

  @Test(arguments: [
    "secrets.KEY", "secrets.KEY | base64", "secrets.KEY | upper", "vars.key", "vars.key | sha256", "'x' | hmac_sha256(secrets.KEY)",
    "vars.mixed.token",
    "vars.mixed | json", "[secrets.KEY, 'a'] | join(':')", "secrets.KEY | split('-') | first", "[secrets.KEY] | map(item | lower) | first",
    "'a-b' | replace('a', secrets.KEY)", "secrets.KEY | urlencode", "[vars.mixed] | map(item.token) | last",
    "secrets.KEY | match('[a-z]+$')", "secrets.KEY | regex_replace('k', 'x')", "secrets.KEY | md5", "secrets.KEY | lines | first",
    "secrets.UNSET | default(secrets.KEY)", "'{\"a\": \"b-c-d\"}' | replace('b-c-d', secrets.KEY) | parse_json | values | first",
  ])
  func `a value computed from a secret is secret`(_ expression: String) throws {
    let (result, registry) = try Self.evaluateWithRegistry(expression)
    let value = try result.get()
    guard case .secret(let json) = value else {
      Issue.record("\(value) is not secret")
      return
    }
    // A value that is derived from the secret is registered with the redactor.
    if json != "k3y-s3cret" { #expect(registry.secrets.contains(json.stringValue ?? "")) }
  }

  @Test func `if an object or list contains a secret, the other values of the object or list are not secret`() throws {
    #expect(try Self.evaluate("vars.mixed.user").get() == .plain("alice"))
    #expect(try Self.evaluate("[secrets.KEY, 'a'] | last").get() == .plain("a"))
    #expect(try Self.evaluate("vars.mixed").get().masked == ["user": "alice", "token": "***"])
    #expect(try Self.evaluate("secrets.KEY == 'x'").get() == .plain(false))
  }

  @Test func `uuid returns a UUID of version 4`() {
    #expect(ExpressionNode.uuid(0, 0) == "00000000-0000-4000-8000-000000000000")
    #expect(ExpressionNode.uuid(.max, .max) == "ffffffff-ffff-4fff-bfff-ffffffffffff")
  }

  @Test func `the example of every filter and function in the reference compiles`() throws {
    let workflow = try #require(
      Decode.document(
        """
        garland: 1
        vars: {claims: a, name: b, path: c, tags: d, body: e, state: f, phone: g}
        secrets: [KEY]
        steps:
          create: {get: 'http://h/', extract: {id: $.id}}
          list: {get: 'http://h/', extract: {ids: $.ids}}
          login: {get: 'http://h/', extract: {token: $.token}}
          page: {get: 'http://h/'}
          report: {get: 'http://h/'}
          job: {get: 'http://h/'}
          use: {get: 'http://h/${env.LIMIT}'}
        """
      ).workflow)
    for filter in Filter.allCases where !filter.signature.example.contains("response") {
      var diagnostics = DiagnosticList()
      _ = workflow.template("${\(filter.signature.example)}", name: filter.rawValue, into: &diagnostics)
      #expect(diagnostics.all.map(\.message) == [], "\(filter.rawValue)")
    }
  }

  @Test func `if an expression reads a local file as JSON and the file is not JSON, the error has the diagnostic code 'file'`() throws {
    let error = try #require(throws: EvaluationError.self) {
      try TestContext.evaluate("create.json", response: "no JSON", isLocal: true)
    }
    #expect(error.diagnostic.code == .file)
  }

  @Test func `a text is split into literal characters and expressions, in which quotes may contain '}'`() {
    #expect(
      ExpressionScanner.pieces(of: "a $${b} ${'}' + c}${d}$")
        == [.literal("a ${b} "), .expression("'}' + c"), .expression("d"), .literal("$")])
    #expect(ExpressionScanner.pieces(of: "a ${b") == nil)
  }
}
