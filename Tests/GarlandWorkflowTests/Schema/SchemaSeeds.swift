import GarlandDiagnostics
import GarlandJSON
import GarlandYAML
import Testing

@testable import GarlandWorkflow

/// Documents that together use every key of the schema. The mutated documents are made from these.
enum SchemaSeeds {
  /// The ways to authenticate, each in a separate document.
  private static let authentications = """
    - { basic: "alice:${secrets.KEY}" }
    - { bearer: "${secrets.KEY}" }
    - { digest: "alice:${secrets.KEY}" }
    - { ntlm: "CORP\\\\alice:${secrets.KEY}" }
    - { negotiate: true }
    - { aws: { access_key: AKIA, secret_key: "${secrets.KEY}", session_token: t, region: eu-west-1, service: s3 } }
    - { api_key: { header: X-Key, value: "${secrets.KEY}" } }
    - { api_key: { query: key, value: k } }
    - { api_key: { cookie: key, value: k } }
    - { oauth1: { consumer_key: app, consumer_secret: s, token: t, token_secret: u, signature_method: HMAC-SHA256, realm: Photos, callback: oob, verifier: v } }
    - { oauth1: { consumer_key: app, signature_method: RSA-SHA1, key: ca.pem } }
    - oauth2:
        grant: client_credentials
        token_url: /token
        client_id: ci
        client_secret: "${secrets.KEY}"
        client_auth: client_secret_post
        scope: [read, write]
        audience: orders
        resource: ["https://api.example.com/"]
        extra: { prompt: none }
    - { oauth2: { grant: client_credentials, issuer: "http://id", jwks_url: /jwks, client_id: ci, client_key: ca.pem, client_key_password: pw, key_id: k1, algorithm: ES256, scope: read } }
    - { oauth2: { grant: client_credentials, token_url: /token, client_id: ci, client_certificate: ca.pem, client_auth: tls_client_auth } }
    - { oauth2: { grant: password, token_url: /token, client_id: ci, username: alice, password: "${secrets.KEY}" } }
    - { oauth2: { grant: refresh_token, token_url: /token, client_id: ci, refresh_token: "${secrets.KEY}" } }
    - oauth2:
        grant: authorization_code
        token_url: /token
        authorize_url: /authorize
        redirect_uri: "http://127.0.0.1/callback"
        client_id: ci
        authorize: { steps: { page: { get: "${env.GARLAND_AUTHORIZE_URL}" }, login: { submit: { from: page, fields: { user: a } } } } }
    - { oauth2: { grant: device_code, token_url: /token, device_url: /device, client_id: ci } }
    - { oauth2: { grant: jwt_bearer, token_url: /token, client_key: ca.pem, assertion: { issuer: ci, subject: alice, audience: id, claims: { role: x } } } }
    - { oauth2: { grant: jwt_bearer, token_url: /token, assertion: "${secrets.KEY}" } }
    - { oauth2: { grant: token_exchange, token_url: /token, subject: other, actor: other } }
    - oauth2:
        grant: token_exchange
        token_url: /token
        subject_token: t
        subject_token_type: urn:ietf:params:oauth:token-type:jwt
        actor_token: a
        actor_token_type: urn:ietf:params:oauth:token-type:jwt
    """

  /// The top-level keys of a document.
  private static let heads = """
    - { order: file, name: n, description: d, secrets: [KEY], resources: { db: 1 }, outputs: { a: "${vars.user}" } }
    - { inputs: { a: { type: string, required: true, description: Who }, b: { default: 10 }, c: 5, d: null, e: [1] } }
    - { profiles: { p: { vars: { user: bob } }, q: { vars: {} } } }
    - { profiles: { p: { extends: q, confirm: true, secrets: [KEY] }, q: null, r: { secrets: { KEY: { file: rows.csv } }, confirm: false } } }
    - { profiles: { p: { base_url: "http://h", steps: { t: { get: /x } } } } }
    - { secrets: { KEY: { file: rows.csv }, OTHER: null } }
    - { reachability: { preflight: true, wait: 60s } }
    - { use: { shop: used.yaml } }
    - { use: {}, resources: {}, outputs: {}, inputs: {}, profiles: {}, secrets: [] }
    """

  /// Further steps in addition to ``DecodingTests/everything``: every predicate for every kind of value, and values that have two forms.
  private static let steps = """
    - get: /x
      expect:
        time: { eq: 1s, ne: 2s, gt: 1ms, gte: 1ms, lt: 5s, lte: 5s, in: [1s], not: { gt: 9s }, type: number, exists: true }
        size: { eq: 1KB, ne: 2KB, gt: 1B, gte: 1, lt: 5MB, lte: 5MiB, in: [1KB, 5], not: { gt: 9MB }, type: number, exists: true }
    - get: /x
      expect:
        time: { contains: a, starts_with: a, ends_with: a, matches: a, length: 1, empty: false, each: 1, any: 1, none: 1, subset: [1], schema: true, json: { $.a: 1 }, date: { within: 5m } }
        size: { contains: a, starts_with: a, ends_with: a, matches: a, length: 1, empty: false, each: 1, any: 1, none: 1, subset: [1], schema: true, json: { $.a: 1 }, date: { within: 5m } }
    - get: /x
      expect:
        tls:
          subject: { contains: CN=h }
          fingerprint: { length: 64 }
          cipher: { starts_with: TLS_AES }
          issuer: CN=Test
          version: { in: ["1.2", "1.3"] }
          san: { any: h }
          days_left: { gt: 1 }
          expires_in: { gt: 14d, lt: 400d }
    - { get: /x, expect: { size: 10KB, type: "text/*", redirects: { lte: 2 }, version: { in: ["2"] }, url: /x, body: Hello, sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 } }
    - { get: /x, expect: { schema: { type: object, required: [a] }, snapshot: snapshots/a.json, that: true } }
    - { get: /x, expect: { schema: { schema: { type: object }, formats: true } } }
    - { get: /x, expect: { schema: book.schema.json, status: { gte: 200, lt: 300 }, type: { contains: json } } }
    - { get: /x, expect: { schema: true, json: { $.a: { schema: { file: book.schema.json, references: { "http://e/": book.schema.json } } } } } }
    - { get: /x, expect: { json: { $.a: { schema: { schema: { type: array }, formats: false } }, $.b: { schema: false } } } }
    - { get: /x, expect: { error: { kind: dns, message: failed } } }
    - { get: /x, expect: { error: [dns, timeout] } }
    - { get: /x, expect: { json: { $.a: { date: { after: 2020-01-01, before: "${now()}", at: 2026-01-01, within: 5m, format: "%Y-%m-%d" } } } } }
    - get: /x
      expect:
        cookies: { s: { value: a, path: /, domain: h, expires: { exists: true }, max_age: { gt: 1 }, secure: true, http_only: true, same_site: Lax }, t: { length: 3 } }
        first_bytes: ["8950", "47 49"]
    - { get: /x, expect: { first_bytes: { starts_with: "8950" } } }
    - { get: /x, extract: { a: { plist: $.a, then: upper }, b: { first_bytes: 4 }, c: { cookie: s, attribute: path }, d: { header: Location, matches: "a(b)" } } }
    - get: /x
      events:
        until: "${event.data == 'x'}"
        count: 3
        within: 5s
        keep: 10
        reconnect: 2
        each: { type: message, data: { contains: a }, id: { length: 1 }, json: { $.a: 1 }, schema: { type: object }, that: "${event.json.a == 1}" }
      expect: { events: { length: 1 }, time_to_first_event: { lt: 2s } }
    - get: /x
      lines: { until: "${line.json.a}", count: 3, within: 5s, keep: 0, each: { text: { contains: a }, json: { $.a: 1 }, schema: true, that: ["${line.json.a == 1}"] } }
      expect: { lines: { length: 1 }, time_to_first_line: { lt: 2s } }
    - get: /x
      parts:
        until: "${part.headers.X-Last == 'yes'}"
        count: 3
        within: 5s
        keep: 1
        each: { type: image/*, headers: { A: b }, json: { $.a: 1 }, body: { contains: a }, first_bytes: ffd8ff, schema: true, size: { lt: 1MB }, sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855, that: "${part.size > 1}" }
      expect: { parts: { length: 1 }, time_to_first_part: { lt: 2s } }
    - websocket: /ws
      subprotocols: [chat.v2]
      talk:
        - send: { text: hello }
        - send: { json: { type: hello } }
        - send: { base64: AAEC }
        - receive: { count: 2, matching: "${message.json.a}", within: 5s, type: text, text: { contains: a }, json: { $.a: 1 }, schema: true, that: ["${message.json.a == 1}"], extract: { room: $.room } }
        - close: { code: 1000, reason: done }
      expect: { messages: { length: 2 }, time_to_first_message: { lt: 2s } }
    - { get: /x, events: true, retry: 2 }
    - { get: /x, paginate: { link: true, limit: 3, while: true } }
    - { get: /x, paginate: { next: "${response.json.next}" } }
    - { get: /x, paginate: { next: { url: "${response.json.next}", query: { a: 1 }, headers: { X: "1", Y: null } } } }
    - { post: /x, json: { a: 1 }, paginate: { next: { json: { a: "${response.json.next}" } } } }
    - { post: /x, form: { a: 1 }, paginate: { next: { form: { a: "${response.json.next}" } } } }
    - { get: /x, poll: { until: { status: 200, type: text/plain, headers: { A: b }, cookies: { a: b }, json: { $.a: 1 }, xpath: { //a: b } } } }
    - { get: /x, poll: { until: { plist: { $.a: 1 }, first_bytes: "8950", body: a, schema: true, time: { lt: 1s }, size: 1KB, redirects: 1, url: /x, version: 2, that: true } } }
    - { get: /x, poll: { until: { sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855, tls: { version: "1.3" } } } }
    - { method: "${vars.user}", url: /x, headers: { "X-${vars.user}": a }, cookies: { "${vars.user}": a } }
    - { post: /x, body: { file: rows.csv, offset: 1, length: 5MiB }, tls: { cert: rows.csv, password: "${vars.user}" } }
    - { post: /x, multipart: { a: { file: rows.csv, offset: 1KB, length: "${1 + 1}" } } }
    - { post: /x, multipart: [{ name: a, file: rows.csv, offset: 0, length: 1 }] }
    - { get: /x, rows: rows.csv, limit: 1, label: "${index}" }
    - { get: "/x/${item}", for_each: "${vars.list}", delay: 5ms }
    - { get: /x, retry: 3, redirect: false, cache: true, http: 1.1, cookies: shared }
    - { get: /x, retry: false, redirect: { max: 2 }, cache: false, proxy: none, http: "2" }
    - { get: /x, retry: null, poll: null, paginate: null, cookies: { a: b, c: null }, proxy: null, cache: null }
    - { get: /x, retry: { on: [transport, status, expect] } }
    - { get: /x, retry: { statuses: 503, methods: POST, jitter: 0.5 }, tls: { pins: sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU= } }
    - { get: /x, after: query, tags: [a, b], uses: db, timeout: 1m, when: true }
    - { get: /x, after: { query: ended }, uses: [db], when: "${vars.user == 'a'}" }
    - { post: /x, multipart: [{ name: a, base64: YQ== }, { name: b, json: { c: 1 }, type: application/json, filename: f, headers: { X: [1, 2] } }, { name: c, text: d }] }
    - { post: /x, multipart: { a: { text: b, filename: f, type: text/plain, headers: { X: y } }, c: 5, d: "${vars.user}" } }
    - { post: /x, query: "${vars.names}", form: "${vars.names}", params: null }
    - { post: /x, params: { a: 1 } }
    - { post: /x, params: [1, 2], encoding: json }
    - { post: /x, params: { a: 1 }, encoding: plist }
    - { put: /x, json: null, headers: { A: null, B: [x, y], C: 1 } }
    - { put: /x, plist: [1], compress: deflate }
    - { patch: /x, json: [1, 2], compress: null }
    - { submit: { from: query } }
    - { submit: { from: query, form: "//form[1]", button: none } }
    - { reach: "http://h/x", within: 5s, proxy: none, resolve: { "h:80": 127.0.0.1 } }
    - { listen: { path: /cb }, expect: { method: { in: [GET, POST] }, query: { a: b }, headers: { X: y }, json: { $.a: 1 }, body: { contains: a } }, extract: { q: { query: a, default: x } } }
    - { call: called.yaml, with: { n: [1] } }
    - { call: called.yaml, with: { n: 1 }, matrix: { a: [1], b: [2] }, limit: 2, tags: x, description: d, allow_failure: true, exclusive: true }
    - { extends: base, base_url: "http://other", get: /x }
    - { extends: base }
    - { get: /x, extract: { a: { json: $.a, default: null }, b: { pointer: "", optional: true }, c: { url: true, secret: false }, d: { header: X, all: true }, e: { regex: a, all: false }, f: { json: $.a, first: true } } }
    - { post: /x, graphql: { query: a, variables: null, operation_name: a, allow_errors: true } }
    - { get: /x, auth: here, download: { to: out/a } }
    - { get: /x, auth: null, basic: null, digest: null, bearer: null }
    - { delete: /x, cleanup: query, always: false }
    """

  private static func value(_ text: String) throws -> JSONValue { try #require(WorkflowSchemaTests.value(of: text)) }

  private static func document(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
    .object(JSONObject([("garland", 1)] + members.map { ($0.key, $0.value) }))
  }

  /// Other entries of the document to which a step can refer.
  private static let beside: JSONObject = [
    "query": ["get": "http://h/x", "extract": ["id": "$.id"]], "form": ["post": "http://h/f"], "json": ["get": "http://h/page"],
    "login": ["get": "http://h/page"],
    "checks": ["get": "http://h/x", "extract": ["path": "$.id", "regex": ["regex": "a"]]],
  ]
  static let variables: JSONValue = ["user": "a", "patience": "5s", "region": "eu", "list": [1, 2], "names": ["a": 1]]
  private static let base: JSONValue = ["base_url": "http://h/v1"]

  /// Returns a document with the given step and the entries to which the step refers.
  static func document(step: JSONValue, defaults: JSONValue = base) -> JSONValue {
    var defaults = defaults
    if step["extends"] == "base" { defaults = ["base_url": "http://h/v1", "steps": ["base": ["get": "/base"]]] }
    let text = step.jsonText() + defaults.jsonText()
    var result: JSONObject = ["garland": 1, "vars": variables]
    if text.contains("secrets.") { result["secrets"] = ["TOKEN"] }
    if text.contains("\"db\"") { result["resources"] = ["db": 1] }
    if text.contains("inputs.") { result["inputs"] = ["tenant": ["type": "string"], "size": ["default": 10], "plain": 5] }
    if text.contains("\"here\"") { result["auth"] = ["here": ["bearer": "t"]] }
    result["defaults"] = defaults
    // Small documents are checked faster.
    var steps = JSONObject(beside.filter { text.contains($0.key) }.map { ($0.key, $0.value) })
    steps["it"] = step
    result["steps"] = .object(steps)
    return .object(result)
  }

  /// Returns the same document with its defaults as the settings of a profile.
  private static func profiled(_ document: JSONValue) -> JSONValue {
    guard case .object(var members) = document, let defaults = members["defaults"] else { return document }
    members["profiles"] = ["p": defaults]
    members["defaults"] = base
    return .object(members)
  }

  /// Returns a step for each key that none of the given steps has. The key has the example of its description as its value.
  private static func examples(besides steps: [JSONValue]) throws -> [JSONValue] {
    let used = steps.reduce(into: Set<String>()) { $0.formUnion($1.objectValue?.keys ?? []) }
    return try StepKey.table.keys.filter { !used.contains($0.rawValue) }.map { key in
      let own = "\(key.rawValue): \(key.info.example)\n"
      guard !StepKey.everyAction.contains(key) else { return try value(own) }
      return try value((key.kind.map { "\($0.rawValue): \($0.info.example)\n" } ?? "get: /x\n") + own)
    }
  }

  /// All seed documents, complete and valid.
  static let all = Result { () throws -> [JSONValue] in
    let everything = try value(DecodingTests.everything)
    guard case .object(let ownSteps)? = everything["steps"], case .array(let more) = try value(steps),
      case .array(let heads) = try value(heads), case .array(let authentications) = try value(authentications)
    else { return [] }
    var result = [everything]
    for auth in authentications {
      result.append(
        document([
          "secrets": ["KEY"], "defaults": ["base_url": "http://h"],
          "auth": ["it": auth, "other": ["oauth2": ["grant": "client_credentials", "token_url": "/t", "client_id": "c"]]],
          "steps": ["a": ["get": "/x", "auth": "it"]],
        ]))
    }
    for head in heads {
      guard case .object(let members) = head else { continue }
      var whole: JSONObject = ["garland": 1, "vars": ["user": 1]]
      for member in members { whole[member.key] = member.value }
      whole["steps"] = ["it": ["get": "http://h/x"]]
      result.append(.object(whole))
    }
    let written = ownSteps.map(\.value) + more
    for step in written + (try examples(besides: written)) {
      result.append(document(step: step))
      guard case .object(let members) = step else { continue }
      guard members["extends"] == nil else { continue }
      // The step is also used as a template, and as defaults if it has no other keys.
      result.append(document(step: ["extends": "t"], defaults: ["base_url": "http://h/v1", "steps": ["t": step]]))
      let defaults = JSONObject(
        members.filter { StepKey.defaultsTable.key($0.key) != nil && ($0.key != "trace" || $0.value.kind == .boolean) }.map {
          ($0.key, $0.value)
        })
      if !defaults.isEmpty, members["listen"] == nil, members["expect"]?["error"] == nil {
        let whole = document(step: ["get": "http://h/x"], defaults: .object(defaults))
        result.append(whole)
        result.append(profiled(whole))
      }
    }
    // A template that extends another template.
    let chain: JSONValue = ["steps": ["a": ["get": "/x", "base_url": "http://h"], "b": ["extends": "a", "timeout": "1s"]]]
    result.append(document(step: ["extends": "b"], defaults: chain))
    return result
  }
}
