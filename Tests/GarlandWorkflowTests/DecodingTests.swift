import GarlandDiagnostics
import GarlandJSON
import Testing

@testable import GarlandWorkflow

/// Tests of decoding valid documents.
@Suite struct DecodingTests {
  /// A document with most keys of a step. Every key of `expect` and every predicate occurs at least once.
  static let everything = """
    garland: 1
    name: Everything
    description: All that there is
    order: file
    vars: { user: alice, patience: 5s, region: eu, list: [1, 2] }
    resources: { db: 1 }
    use: {}
    inputs: { tenant: { type: string, required: true, description: Who }, size: { default: 10 }, plain: 5 }
    outputs: { region: "${vars.region}" }
    secrets: [TOKEN]
    profiles: { staging: { vars: { user: bob } } }
    defaults:
      base_url: http://h/v1
      headers: { Accept: application/json, X-Trace: "${run.id}" }
      query: { lang: en }
      cookies: { theme: dark }
      bearer: ${secrets.TOKEN}
      timeout: 30s
      tls: { ca: ca.pem, min: 1.2, pins: sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU= }
      expect: { type: application/json, status: 200 }
      allow_failure: false
      tags: [all]
      steps: { base: { get: /base } }
    steps:
      called: { call: called.yaml, with: { n: "${inputs.tenant}${inputs.size}${inputs.plain}" } }
      extended: { extends: base, timeout: 1s }
      params: { get: /x, params: { a: [1, true] }, encoding: url, destination: query, arrays: index, bools: literal, spaces: plus, nulls: "null" }
      query: { get: /x, query: { a: 1, b: null }, headers: { accept: null, X-New: [1, 2] } }
      form: { post: /x, form: { user: "${vars.user}" } }
      json: { put: /x, json: { a: "${query.status}", b: [1, "x${vars.user}"], "${vars.user}": 1 } }
      plist: { patch: /x, plist: { a: 1 } }
      text: { post: /x, body: Hello, compress: gzip }
      file: { post: /x, body: { file: cover.png } }
      base64: { post: /x, body: { base64: 3q2+7w== } }
      graphql: { post: /x, graphql: { query: "{ a }", variables: { n: 1 }, operation_name: A } }
      graphql_short: { post: /x, graphql: "{ a }" }
      multipart:
        post: /x
        multipart:
          image: { file: cover.png, type: image/png, filename: "${vars.user}.png", headers: { X-Part: 1 } }
          meta: { json: { a: 1 } }
          raw: { base64: YQ== }
          caption: Front
      multipart_list: { post: /x, multipart: [{ name: a, file: cover.png }, { name: a, text: b }] }
      methods: { method: PURGE, url: http://other/x, auth: none, basic: null }
      lower: { method: get, url: /x, basic: "alice:${secrets.TOKEN}" }
      other_methods: { head: /x }
      delete: { delete: /x }
      submitted: { submit: { form: login, from: json, fields: { user: "${vars.user}", cover: { file: cover.png }, gift: true }, button: Go } }
      options: { options: "/x" }
      trace: { trace: /x, digest: "alice:${secrets.TOKEN}" }
      connect: { connect: http://h:80 }
      transport:
        get: /x
        timeout: ${vars.patience}
        deadline: 1m
        redirect: { follow: false, max: 3 }
        proxy: http://p:3128
        http: 2
        resolve: { "h:80": 127.0.0.1 }
        connect_to: { "h:80": "127.0.0.1:8080" }
        unix_socket: /run/x.sock
        interface: eth0
        rate_limit: 1MB
        cookies: none
        max_body: 10MiB
        cache: { dir: .cache, policy: else_load }
        tls: { cert: ca.pem, key: ca.pem, verify: true, min: "1.3", pins: ["sha256///////////////////////////////////////////8=", "${vars.user}"] }
        wait_for_connectivity: true
        trace: true
      reached: { reach: "db:5432", within: 1m }
      heard: { listen: { path: "/hook/${vars.user}", within: 1m }, expect: { method: POST, query: { code: { exists: true } } }, extract: { code: { query: code } } }
      heard_short: { listen: /hook }
      download: { get: /x, download: { to: out, name: suggested, replace: true, create_dirs: false, resume: true } }
      streamed: { get: /x, events: { count: 1 }, expect: { events: { length: 1 }, time_to_first_event: { lt: 1s } } }
      streamed_lines: { get: /x, lines: true, expect: { lines: { length: 1 }, time_to_first_line: { lt: 1s } } }
      streamed_parts: { get: /x, parts: true, expect: { parts: { length: 1 }, time_to_first_part: { lt: 1s } } }
      talk: { websocket: /x, subprotocols: chat, talk: [send: { text: a }, receive: {}], expect: { messages: { length: 1 }, time_to_first_message: { lt: 1s } } }
      download_short: { get: /x, download: out/x.bin, tls: { pins: null, verify: false } }
      checks:
        get: /x
        expect:
          status: [200, 2xx, 300..399]
          type: [text/*, "application/json; charset=utf-8"]
          headers: { Location: { exists: false }, X: a }
          cookies: { s: { length: { gte: 4 } } }
          json:
            $.a: 1
            $.b: { eq: { x: 1 }, ne: 2, gt: 0, gte: 0, lt: 9, lte: 9 }
            $.c: { in: [a, b], contains: a, starts_with: a, ends_with: b, matches: "^a", type: [string, "null"], length: 2, empty: false, exists: true }
            $.d: { each: { type: number }, any: 5, none: { lt: 0 }, subset: [{ a: 1 }], schema: { type: array }, not: { empty: true } }
            $.e[*].id: { each: 1, length: 3 }
            $.f: [1, 2]
          xpath: { //h1: Books, count(//li): { gt: 1 } }
          body: { contains: x, not: { date: { within: 5m } } }
          plist: { $.a: 1, $.b: { json: { $.c: 2 } } }
          first_bytes: "89504e47"
          schema: { file: book.schema.json, formats: true, references: { "https://example.com/": book.schema.json } }
          time: { lt: 500ms, gt: 1ms }
          size: { lte: 10KB }
          snapshot: { file: snapshots/checks.json, ignore: [$.id, "$..created"] }
          sha256: { file: cover.png }
          redirects: 0
          url: { ends_with: /x }
          version: 2
          tls: { days_left: { gte: 14 }, expires_in: { gt: 14d }, san: { contains: h }, version: 1.3, issuer: { contains: CN } }
          that: ["${response.status == 200}", "${checks.json.a == 1}"]
        extract:
          path: $.id
          pointer: { pointer: /id }
          regex: { regex: 'id=(\\d+)' }
          xpath: { xpath: //a/@href, all: true }
          header: { header: Location, default: none }
          cookie: { cookie: s, secret: true }
          code: { url: 'code=(\\w+)', optional: true }
          all: { json: "$..id", all: true }
          expr: ${response.json.a + 1}
      failing: { get: /x, expect: { error: { kind: [refused, dns], message: { contains: refused } } } }
      failing_short: { get: /x, expect: { error: certificate } }
      flow: { get: /x, after: [query, { form: ended }], when: "${vars.region == 'eu'}", always: true, allow_failure: true, tags: smoke }
      loop: { get: "/x/${item}/${index}", for_each: [1, 2], limit: 2, label: "n ${item}", delay: 1s, retry: { limit: 3, delay: 1s, factor: 1.5, jitter: 0, max_delay: 10s, statuses: [429, 5xx], methods: [get, POST] } }
      grid: { get: "/x/${item.a}", matrix: { a: [1, 2], b: "${vars.list}" }, poll: { until: "${response.json.done}", every: 1s, within: 1m, fail: "${response.status == 500}" } }
      table: { get: /x, rows: { file: rows.csv, format: csv }, paginate: { next: "${response.json.next}", while: "${response.json.more}", limit: 3 }, uses: [db], exclusive: true }
      clean: { delete: "/x/${checks.path ?? 0}?t=${checks.regex}", cleanup: checks, bearer: null }
    """

  static func workflow(_ text: String, profile: String? = nil, overrides: [WorkflowDecoder.Override] = []) throws -> Workflow {
    let (workflow, diagnostics) = Decode.document(text, profile: profile, overrides: overrides)
    let errors = diagnostics.all.filter { $0.severity == .error }.map { "\($0.range?.description ?? "") \($0.message)" }
    return try #require(workflow, "\(errors)")
  }

  @Test func `a method in lower case is kept, and a warning suggests the usual spelling`() throws {
    let (workflow, diagnostics) = Decode.document(
      "garland: 1\nsteps: { a: { method: options, url: 'http://h/' }, b: { method: purge, url: 'http://h/' } }\n")
    #expect(workflow?.steps.map { $0.request?.method.value } == ["options", "purge"])
    #expect(diagnostics.all.map(\.code) == [.badMethod] && !diagnostics.hasErrors)
    #expect(diagnostics.all.first?.helps.first?.fix?.replacement == "OPTIONS")
  }

  @Test(arguments: [
    ("now() | add('-1h30m')", "write `'-5400s'`"), ("now() + '1h'", "to change a time, use a filter: `now() | add('1h')`"),
    ("now() - '1h'", "to change a time, use a filter: `now() | add('-1h')`"), ("bas", "did you mean the variable `vars.base`?"),
    ("now() * '5m'", "convert the text to a number with `| number`; to join texts, write them side by side: `${a}${b}`"),
    ("now() / '5m'", "convert the text to a number with `| number`; to join texts, write them side by side: `${a}${b}`"),
  ]) func `the diagnostic for a frequent mistake in an expression has help with the right expression`(expression: String, help: String) {
    let decoded = Decode.document(
      "garland: 1\nvars: { base: x }\nsteps: { step: { get: 'http://h/${vars.base}', headers: { X: \"${\(expression)}\" } } }\n")
    #expect(decoded.diagnostics.all.map { $0.helps.first?.message } == [help])
  }

  @Test func `the help for an unknown member of 'response' does not suggest the name of an extract`() throws {
    let decoded = Decode.document(
      "garland: 1\nsteps: { a: { get: 'http://h/', extract: { quark: $.id }, expect: { that: \"${response.quarkk == 1}\" } } }\n")
    let help = try #require(decoded.diagnostics.all.first?.helps.first)
    #expect(help.fix == nil)
    #expect(help.message.hasPrefix("for a member of the JSON body, write `response.json.quarkk`; every response has `status`"))
  }

  @Test(arguments: ["1", "yes", "'off'"]) func `in a step with a method such as 'get', the value of the key 'trace' must be true or false`(
    value: String
  ) {
    let decoded = Decode.document("garland: 1\nsteps: { a: { get: 'http://h/', trace: \(value) } }\n")
    #expect(decoded.diagnostics.all.map(\.code) == [.wrongType], "\(decoded.diagnostics.all.map(\.message))")
    #expect(decoded.diagnostics.all.first?.message.hasPrefix("expected `true` or `false`") == true)
  }

  @Test func `if 'methods' of 'retry' lists the method post in lower case, the method POST is retried too`() throws {
    let (workflow, _) = Decode.document(
      "garland: 1\nsteps: { a: { method: lower, url: 'http://h/', retry: { limit: 1, methods: [lower, post, PATCH] } } }\n")
    #expect(workflow?.steps.first?.flow.repetition.retry?.methods == ["lower", "post", "POST", "PATCH"])
  }

  @Test func `a document with every expectation and every predicate is decoded completely`() throws {
    let workflow = try Self.workflow(Self.everything)
    #expect(workflow.steps.count == 40)
    #expect(workflow.order == .file)
    #expect(workflow.name?.value == "Everything")
    for key in ExpectKey.allCases { #expect(Self.everything.contains("\(key.rawValue):"), "\(key)") }
    for key in PredicateKey.allCases { #expect(Self.everything.contains("\(key.rawValue):"), "\(key)") }
  }

  @Test func `a step that sets some keys inherits the other keys from the document's defaults`() throws {
    let workflow = try Self.workflow(Self.everything)
    let query = try #require(workflow.step("query")).sent
    #expect(query.headers.map(\.name.value) == ["accept", "X-Trace", "X-New"])
    #expect(query.headers[0].values.isEmpty)
    #expect(query.headers[1].isDefault && !query.headers[2].isDefault)
    #expect(query.headers[2].values.map(\.constant) == [1, 2])
    #expect(query.query?.value.members?.map(\.key.constantText) == ["lang", "a", "b"])
    #expect(query.auth?.isDefault == true)
    #expect(workflow.step("lower")?.sent.auth?.isDefault == false)
    #expect(workflow.step("lower")?.sent.method.value == "get")
    if case .some(.none) = workflow.step("clean")?.sent.auth?.kind {} else { Issue.record("`bearer: null` keeps the default") }
    let transport = try #require(workflow.step("transport")).sent.transport
    #expect(transport.deadline?.constant == .seconds(60))
    #expect(transport.timeout?.constant == nil)
    #expect(transport.tls.ca?.resolved == "/project/ca.pem")
    // Null removes the defaults, key by key.
    let short = try #require(workflow.step("download_short")?.sent.transport.tls)
    #expect(short.pins.isEmpty && short.ca?.resolved == "/project/ca.pem" && short.verify?.constant == false)
    #expect(transport.tls.minVersion?.constant == .tls1_3)
    #expect(workflow.step("json")?.sent.transport.tls.minVersion?.constant == .tls1_2)
    let pins = transport.tls.pins
    #expect(pins.map { $0.constant?.sha256 } == [[UInt8](repeating: 0xFF, count: 32), nil])
    let inherited = try #require(workflow.step("json")?.sent.transport.tls.pins.first?.constant)
    #expect(inherited.sha256.prefix(4) == [0xE3, 0xB0, 0xC4, 0x42])
    #expect(transport.httpVersion?.constant == .http2)
    let expectations = try #require(workflow.step("checks")).expectations
    #expect(!expectations.contains { $0.isDefault }, "both keys of the defaults are replaced")
    #expect(workflow.step("json")?.expectations.map(\.isDefault) == [true, true])
  }

  @Test func `the decoder records the key and the position at which a step uses a value of another step`() throws {
    let workflow = try Self.workflow(Self.everything)
    let json = try #require(workflow.step("json"))
    #expect(json.references.map(\.place.key) == ["json"])
    #expect(json.references.first?.range.text == "query.status")
    let clean = try #require(workflow.step("clean"))
    #expect(clean.references.map(\.name) == ["path", "regex"])
    #expect(clean.references.map(\.isOptional) == [true, false])
    #expect(clean.references.map(\.place.key) == ["delete", "delete"])
    #expect(clean.flow.cleanup?.step == workflow.step("checks")?.ordinal)
    let flow = try #require(workflow.step("flow")).flow
    #expect(flow.after.map(\.condition) == [.passed, .ended])
    #expect(flow.always && flow.allowFailure)
    #expect(workflow.step("checks")?.neededByOthers == .extracts)
    #expect(workflow.step("query")?.neededByOthers == .facts)
    #expect(workflow.step("checks")?.references.isEmpty == true, "its own response is no dependency")
    #expect(
      workflow.step("checks")?.neededByItself == [.json, .text, .headers, .cookies, .facts, .digest, .markup, .propertyList, .beginning])
  }

  /// The nodes of a large document are released while it is decoded; the decoded values do not
  /// refer to them.
  @Test func `source positions in a large document stay correct after its YAML nodes are released from memory`() throws {
    var text = "garland: 1\ndefaults: { base_url: 'http://h' }\nsteps:\n  first: { get: /, extract: { id: $.id, other: $.other } }\n"
    for index in 0..<3_000 {
      text += "  s\(index):\n    post: /\(index)\n    headers: { A: \"tab\\t${first.id}\" }\n    body: >\n      folded\n      ${first.id}\n"
      text += "    expect: { status: 200, json: { $.a: ${first.id}, $.b: { gt: 1 } } }\n".replacing("${first.id}", with: "'${first.id}'")
    }
    text += "outputs: { all: \"${s2999.status}\" }\n"
    let workflow = try Self.workflow(text)
    #expect(workflow.steps.count == 3_001)
    for ordinal in [1, 500, 1_500, 3_000] {
      let step = workflow.steps[ordinal]
      #expect(step.references.map(\.range.text) == ["first.id", "first.id", "first.id"])
      #expect(step.references.map(\.place.key) == ["headers.A", "body", "expect.json"])
      #expect(step.idRange.text == "s\(ordinal - 1)" && step.range.text.hasPrefix("s\(ordinal - 1):\n    post"))
    }
    #expect(workflow.outputs.first?.stepOrdinals == [3_000])
    #expect(workflow.findings.unusedExtracts.map { workflow.warning(of: $0).range?.text } == ["other"])
  }

  @Test func `the decoder records for each step the parts of its response body that later steps use`() throws {
    let workflow = try Self.workflow(
      """
      garland: 1
      defaults: { base_url: 'http://h' }
      steps:
        some: { get: /a }
        all: { get: /b }
        part: { get: /c }
        none: { get: /d }
        loop: { for_each: [1], get: /e }
        user:
          post: /u
          json:
            - ${some.json.items[2].id} ${some.json['odd key']} ${some.json.items[2].id}
            - ${all.json | length}
            - ${part.json.list[1 + none.status].x}
            - ${part.json.list[0].x}
            - ${loop.json[0]}
            - ${none.status}
      """)
    #expect(
      workflow.step("some")?.jsonNeededByOthers == .paths([[.name("items"), .index(2), .name("id")], [.name("odd key")]]))
    #expect(workflow.step("all")?.jsonNeededByOthers == .everything)
    // A path that depends on another value is unknown: the whole list, which covers its first item.
    #expect(workflow.step("part")?.jsonNeededByOthers == .paths([[.name("list")]]))
    #expect(workflow.step("loop")?.jsonNeededByOthers == .everything)
    #expect(workflow.step("none")?.jsonNeededByOthers == .paths([]))
  }

  @Test func `if a key of the defaults refers to a step, the decoder records the full key, such as 'defaults.bearer'`() throws {
    let workflow = try Self.workflow(
      "garland: 1\ndefaults: {base_url: 'http://h', bearer: '${login.token}'}\nsteps:\n  login: {post: /l, bearer: null, extract: {token: $.t}}\n  a: {get: /a}"
    )
    let reference = try #require(workflow.step("a")?.references.first)
    #expect(reference.place == .init(key: "defaults.bearer", isDefault: true))
    #expect(workflow.step("login")?.references.isEmpty == true)
  }

  /// A mapping of `cache` is merged with the defaults and enables the cache; `true` and `false` leave the other settings unchanged.
  @Test func `a step's mapping for 'cache' enables the cache and inherits each missing key from the document's defaults`() throws {
    func cache(_ defaults: String, _ own: String) throws -> String {
      let workflow = try Self.workflow("garland: 1\ndefaults: {\(defaults)}\nsteps: {a: {get: 'http://h', \(own)}}")
      let cache = workflow.steps[0].sent.transport.cache
      let isEnabled = cache.isEnabled?.constant.map { $0 ? "on" : "off" } ?? "unsaid"
      return "\(isEnabled) \(cache.directory?.constant ?? "-") \(cache.policy?.constant?.rawValue ?? "-")"
    }
    #expect(try cache("", "") == "unsaid - -")
    #expect(try cache("", "cache: true") == "on - -")
    #expect(try cache("", "cache: {}") == "on - -")
    #expect(try cache("cache: {dir: c, policy: reload}", "") == "on c reload")
    #expect(try cache("cache: {dir: c, policy: reload}", "cache: false") == "off c reload")
    #expect(try cache("cache: {dir: c, policy: reload}", "cache: {policy: only}") == "on c only")
    #expect(try cache("cache: {dir: c, policy: reload}", "cache: null") == "unsaid - -")
    #expect(try cache("cache: false", "cache: {policy: protocol}") == "on - protocol")
  }

  @Test func `a variable of the document is overridden by a profile, a values file or the command line`() throws {
    let text =
      "garland: 1\nvars: {a: 1, b: '${vars.a}', c: x}\nprofiles: {p: {vars: {a: 2, c: y}}}\nsteps: {s: {get: 'http://h/${vars.b}${vars.c}${vars.new | join}'}}"
    var diagnostics = DiagnosticList()
    let overrides = [
      WorkflowDecoder.Override(name: .init("c", at: SourceRange(SourceFile(name: "f", bytes: []), 0..<0)), value: "z", origin: .file("f")),
      try #require(ValuesFile.variable("new=[1, a]", into: &diagnostics)), try #require(ValuesFile.variable("typo=1", into: &diagnostics)),
    ]
    let workflow = try Self.workflow(text, profile: "p", overrides: overrides)
    #expect(workflow.variables.map(\.name) == ["a", "b", "c", "new", "typo"])
    #expect(workflow.variables.map { $0.value.constant } == [2, nil, "z", [1, "a"], 1])
    #expect(workflow.variables[2].origin == .file("f"))
    #expect(workflow.findings.unusedOverrides.map(\.value) == ["typo"])
    let order = workflow.variableOrder
    #expect(try #require(order.firstIndex(of: 0)) < #require(order.firstIndex(of: 1)))
    #expect(Decode.document(text, profile: "q").workflow == nil)
  }

  @Test(arguments: [
    ("/a/${vars.x}/b?q=${vars.x}#${vars.x}", "http://h/v1/a/x%2Fy%20%C3%A9/b?q=x%2Fy%20%C3%A9#x%2Fy%20%C3%A9"),
    ("${vars.base}/a", "http://b/a"),
    ("${vars.base}", "http://b"), ("/a/${vars.x | raw}", "http://h/v1/a/x/y é"), ("https://${vars.host}/x", "https://b:1/x"),
    ("a", "http://h/v1/a"),
    ("?a=1", "http://h/v1?a=1"), ("/p?x=$${y}", "http://h/v1/p?x=${y}"), ("http://z/${vars.n}", "http://z/1.50"),
    ("a/${vars.x}", "http://h/v1/a/x%2Fy%20%C3%A9"),
  ])
  func `the value of an expression in a URL is percent-encoded as its position in the URL requires`(_ url: String, _ expected: String)
    throws
  {
    let workflow = try Self.workflow(
      "garland: 1\nvars: {x: 'x/y é', base: 'http://b', host: 'b:1', n: 1.50}\ndefaults: {base_url: http://h/v1}\nsteps:\n  a:\n    get: '\(url)'"
    )
    let resolved = try workflow.steps[0].sent.evaluateURL(in: TestContext(workflow))
    #expect(resolved.text == expected)
    #expect(!resolved.isSecret)
  }

  @Test func `a secret in a URL is registered for masking in its encoded form`() throws {
    let workflow = try Self.workflow("garland: 1\nsecrets: [KEY]\nsteps: {a: {get: 'http://h/${secrets.KEY}'}}")
    var context = TestContext(workflow)
    context.secrets = ["KEY": "a b"]
    let url = try workflow.steps[0].sent.evaluateURL(in: context)
    #expect(url.isSecret && url.text == "http://h/a%20b")
    #expect(context.registry.secrets == ["a%20b"])
  }

  @Test func `a value that is a single expression keeps its type, and a value with further text becomes text`() throws {
    let workflow = try Self.workflow(
      "garland: 1\nvars: {n: 1.50, l: [1], t: true}\nsteps:\n  a:\n    post: http://h\n    json: {whole: '${vars.n}', text: 'n=${vars.n} ${vars.t}', list: \"${vars.l}\", lit: '$${x}', asText: '${vars.n | string}', plain: 1.50, no: no}"
    )
    guard case .json(let body)? = workflow.steps[0].sent.body?.kind else {
      Issue.record("no JSON body")
      return
    }
    let value = try body.evaluate(in: TestContext(workflow))
    #expect(
      value.json.jsonText() == #"{"whole":1.50,"text":"n=1.50 true","list":[1],"lit":"${x}","asText":"1.50","plain":1.50,"no":"no"}"#)
  }

  private static func codes(ofJSON text: String) -> [DiagnosticCode] {
    Decode.document("garland: 1\nvars: {x: 1}\nsteps:\n  a:\n    post: http://h\n    json: |\n      \(text)\n").1.all.map(\.code)
  }

  @Test func `a text below 'json' is recognised as JSON if an expression in it has a brace in quotes`() {
    #expect(Self.codes(ofJSON: #"{"a": ${vars.x | string | replace("}", "")}}"#) == [.jsonText])
  }

  @Test func `a text below 'json' is recognised as JSON if it has an escaped expression that is not closed`() {
    #expect(Self.codes(ofJSON: #"{"a": "$${b", "x": ${vars.x}}"#) == [.jsonText])
  }

  @Test func `a document with 300 steps is decoded if each step uses a value of the previous step`() throws {
    var text = "garland: 1\ndefaults: {base_url: 'http://h'}\nsteps:\n"
    for index in 0..<300 {
      text += "  s\(index):\n    get: /x/\(index)\(index > 0 ? "?p=${s\(index - 1).json.id}" : "")\n    expect: {json: {$.id: \(index)}}\n"
    }
    let workflow = try Self.workflow(text)
    #expect(workflow.steps.count == 300)
    #expect(workflow.steps[299].references.first?.target == 298)
  }
}
