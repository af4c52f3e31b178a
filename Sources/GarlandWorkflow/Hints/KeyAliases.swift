/// A dictionary of the keys of other tools, with the keys of Garland that have the same meaning. Diagnostics for unknown keys suggest the
/// keys of Garland.
enum KeyAliases {
  /// The names that other tools use for each key of Garland. Several keys can have the same name in other tools, but a mapping usually has
  /// only one of these keys.
  private static let names: [(key: String, others: [String])] = [
    ("expect", ["assert", "asserts", "check", "checks", "validate", "test", "tests", "response", "expected", "expects", "expectations"]),
    ("extract", ["captures", "capture", "save", "bind", "outputs", "store", "exports", "export", "extractors", "post_extract"]),
    ("after", ["needs", "depends_on", "depends", "dependencies", "requires"]),
    ("when", ["if", "condition", "only_if", "run_if"]),
    (
      "allow_failure",
      ["continue_on_error", "ignore_errors", "ignore_error", "ignore_failure", "soft_fail", "continue_on_failure", "allow_fail"]
    ),
    ("vars", ["variables", "env", "environment", "variable", "parameters", "constants"]),
    ("description", ["desc", "summary", "comment", "doc", "docs", "note", "name", "title"]), ("name", ["test_name", "title"]),
    ("tags", ["labels", "groups", "marks"]), ("profiles", ["environments", "envs", "profile"]), ("default_profile", ["profile"]),
    ("base_url", ["url", "base", "baseurl", "host", "server", "endpoint", "servers"]),
    ("body", ["data", "raw", "content"]),
    ("form", ["data", "form_params", "urlencoded", "x_www_form_urlencoded"]),
    ("json", ["payload", "json_body", "body_json", "request_body", "jsonpath", "json_path", "jsonpaths", "json_paths"]),
    ("headers", ["header", "request_headers", "http_headers"]), ("header", ["headers"]), ("cookies", ["cookie"]), ("cookie", ["cookies"]),
    (
      "query",
      ["query_params", "params", "queries", "query_parameters", "query_string", "querystring", "search_params", "url_params", "qs"]
    ),
    ("multipart", ["multipart_form", "multipart_form_data", "multipartform", "form_data", "formdata"]),
    ("basic", ["user", "basic_auth", "auth_basic", "userpass"]),
    ("bearer", ["token", "bearer_token", "access_token", "jwt", "bearer_auth"]),
    ("download", ["output", "save_to", "save_as", "out"]), ("for_each", ["foreach", "with_items", "with_list", "loop", "each", "items"]),
    ("retry", ["retries", "max_retries"]), ("deadline", ["max_time", "request_timeout"]), ("http", ["http_version"]),
    ("uses", ["resources"]),
    ("with", ["inputs", "input", "args", "arguments", "parameters"]), ("use", ["include", "includes", "import", "imports", "extends"]),
    ("status", ["code", "status_code", "http_status", "statuses", "res.status", "response.status"]),
    ("statuses", ["status", "codes", "status_codes", "retry_on", "on"]),
    ("time", ["duration", "response_time", "latency", "elapsed", "res.response_time"]), ("size", ["content_length"]),
    ("type", ["content_type", "mime_type"]),
    ("redirects", ["redirect"]), ("tls", ["certificate", "ssl"]), ("that", ["condition", "conditions", "expression", "expressions"]),
    ("eq", ["equals", "equal", "is", "==", "equal_to", "deep_equal", "deep_equals", "eql", "to_be", "to_equal", "exact"]),
    ("ne", ["!=", "not_equals", "not_equal", "neq", "not_eq", "differs"]),
    ("gt", ["greater_than", ">", "greater", "more_than"]), ("lt", ["less_than", "<", "less", "fewer_than"]),
    ("gte", ["greater_or_equal", ">=", "min", "minimum", "greater_than_or_equal", "ge", "at_least"]),
    ("lte", ["less_or_equal", "<=", "max", "maximum", "less_than_or_equal", "le", "at_most"]),
    // An extract has both `regex` and `matches`.
    ("regex", ["regexp", "pattern"]), ("in", ["is_one_of", "one_of", "any_of", "enum"]),
    ("matches", ["regex", "match", "pattern", "regexp", "matches_regex"]),
    ("starts_with", ["begins_with", "prefix"]), ("ends_with", ["suffix"]), ("contains", ["includes", "include", "has", "contain"]),
    ("length", ["len", "count", "size", "has_length", "has_size", "has_count", "have_length", "have_size", "have_count", "length_equals"]),
    ("each", ["all", "every"]), ("any", ["some"]),
    ("limit", ["count", "retries", "times", "max", "max_pages", "max_retries"]),
    ("delay", ["interval", "wait", "backoff"]), ("every", ["interval", "delay"]), ("within", ["timeout", "max_time", "for"]),
    ("until", ["condition", "while_not"]), ("next", ["next_url", "cursor", "next_page"]),
    ("grant", ["grant_type", "flow"]), ("token_url", ["access_token_url", "token_endpoint", "token_uri"]),
    ("authorize_url", ["auth_url", "authorization_url", "authorization_endpoint"]),
    ("redirect_uri", ["redirect_url", "callback_url"]), ("scope", ["scopes"]), ("oauth2", ["oauth"]), ("oauth1", ["oauth"]),
    ("to", ["path", "file", "dest", "output", "target"]), ("replace", ["overwrite", "force"]), ("file", ["path", "filename", "src"]),
    ("ca", ["cacert", "ca_cert", "ca_file", "ca_certificate"]),
    ("cert", ["client_cert", "cert_file", "certificate", "client_certificate"]),
    ("key", ["client_key", "key_file"]), ("verify", ["verify_ssl", "ssl_verify", "validate_certs", "reject_unauthorized", "strict_ssl"]),
    ("follow", ["enabled", "follow_redirects"]), ("format", ["type"]), ("xpath", ["xml"]),
    ("default", ["default_value", "fallback"]), ("optional", ["allow_missing"]),
  ]

  private static let keys: [String: [String]] = names.reduce(into: [:]) { result, entry in
    for other in entry.others { result[other, default: []].append(entry.key) }
  }

  /// The mappings in which a hint applies.
  private enum Scope: ExpressibleByStringLiteral {
    /// The mappings that can have this key of Garland, about which the hint is. In the table of hints, the name of the key stands for it.
    case key(String)
    /// A step with any action.
    case step
    /// A step with the action `call`.
    case call
    /// A step that sends a plain request.
    case request
    /// The settings of requests: of a step or of `defaults`.
    case settings
    /// The mapping `retry:`.
    case retry
    /// The mapping `expect:` or `until:`.
    case expectations

    init(stringLiteral key: String) { self = .key(key) }

    /// The name of a key by which these mappings are recognised, since all of them can have it, and no other mapping.
    var key: String {
      switch self {
      case .key(let name): name
      case .step: StepKey.always.rawValue
      case .call: StepKey.with.rawValue
      case .request: StepKey.get.rawValue
      case .settings: StepKey.proxy.rawValue
      case .retry: RetryKey.factor.rawValue
      case .expectations: ExpectKey.redirects.rawValue
      }
    }
  }

  /// The hints for keys of other tools to which no key of Garland corresponds exactly, by the names of these keys.
  private static let hintsByName: [String: [(scope: Scope, words: String)]] = {
    var result: [String: [(scope: Scope, words: String)]] = [:]
    for (names, scope, words) in hintTable { for name in names { result[name, default: []].append((scope, words)) } }
    return result
  }()

  private static let hintTable: [(names: [String], scope: Scope, words: String)] = [
    (
      [
        "insecure", "verify", "verify_ssl", "ssl_verify", "validate_certs", "skip_tls_verify", "insecure_skip_verify",
        "reject_unauthorized",
        "ignore_verify_ssl", "strict_ssl", "ssl",
      ], .settings, "write `tls: { verify: false }`"
    ),
    (["insecure", "skip_verify", "insecure_skip_verify"], "verify", "write `verify: false`"),
    (
      ["client_cert", "client_key", "cert", "cacert", "ca_cert"], .settings,
      "write `tls: { ca: ca.pem, cert: client.pem, key: client.key }`"
    ),
    (
      ["http", "request", "uri", "endpoint", "path", "route", "req", "curl", "type"], .request,
      "to send a request, write `get: URL`, or `method:` and `url:`"
    ),
    (
      ["run", "exec", "shell", "command", "cmd", "script", "scripts", "local_action"],
      .step, "a step is one request and can't run a command or script; to pass in a value, write `--var NAME=VALUE` or `${env.NAME}`"
    ),
    (
      ["pre_request", "pre_request_script", "post_response", "event", "test_script"],
      .request, "a step can't run a script; write checks under `expect:`, and take values from the response with `extract:`"
    ),
    (
      ["run", "exec", "shell", "script", "scripts", "hooks", "event", "events"], "steps",
      "a workflow can't run a command or script; to pass in a value, write `--var NAME=VALUE` or `${env.NAME}`"
    ),
    (["id"], .step, "the id of a step is its key: `steps: { login: { post: /login } }`"),
    (
      ["vars", "variables", "env", "environment"], "with", "to set the inputs of the called document, write `with: { NAME: VALUE }`"
    ),
    (
      ["vars", "variables", "env", "environment", "set", "set_fact"], .step,
      "declare variables at the top of the document: `vars: { NAME: VALUE }`"
    ),
    (
      ["outputs", "output"], .call,
      "remove the key: the step extracts all `outputs` of the called document, as `${STEP.NAME}`"
    ),
    (
      ["register"], "extract",
      "other steps can read any response: `${STEP.json.id}`; to give a part of it a name, write `extract: { id: $.id }`"
    ),
    (["schema", "match_schema"], "expect", "write `expect: { schema: book.schema.json }`"),
    (["failed_when", "fail_if", "assert_that", "assertion"], "expect", "write `expect: { that: \"${response.status < 300}\" }`"),
    (["version"], "garland", "to set the version of the format, write `garland: 1`"),
    (["status", "status_code", "expect_status", "expected_status", "code"], "expect", "write `expect: { status: … }`"),
    (["timeout-minutes", "timeout_minutes"], "deadline", "write `deadline: 5m`"),
    (["timeout_ms", "timeout_seconds", "timeout_sec"], "timeout", "write `timeout: 30s`"),
    (
      ["interval", "wait"], .retry,
      "`delay` sets the wait before the first retry, and the wait grows with each retry; for a constant wait, write `delay: 2s`, `factor: 1` and `jitter: 0`"
    ),
    (["wait_for"], "reach", "to wait until a host answers, write `reach: HOST:PORT`; to wait for a step, write `after: STEP`"),
    (["sleep", "wait", "pause", "think", "think_time", "delay_ms"], "delay", "write `delay: 2s`"),
    (["assertions", "validators", "validations"], "expect", "checks belong in `expect:`, such as `expect: { status: 200 }`"),
    (["response_json_paths", "jsonpath", "json_path", "jsonpaths"], "expect", "write `expect: { json: {…} }`"),
    (["response_headers"], "expect", "write `expect: { headers: {…} }`"),
    (["response_strings"], "expect", "write `expect: { body: { contains: … } }`"),
    (
      ["tests", "stages", "testcases", "jobs", "tasks", "scenarios", "requests", "item", "items", "flow", "paths", "plays", "cases"],
      "steps",
      "steps belong under `steps:`, each under its id"
    ),
    (
      ["openapi", "swagger"], "steps",
      "an OpenAPI description is not a workflow; to check a response against a schema, write `expect: { schema: FILE }`"
    ),
    (["on", "schedule", "trigger", "triggers"], "steps", "a workflow has no trigger: it runs when you call `garland run`"),
    (
      ["runners", "runner"], "defaults",
      "write the beginning of all relative URLs under `defaults:`, as in `defaults: { base_url: https://example.com }`"
    ),
    (
      ["phases", "load", "vus", "thresholds", "users"], "steps",
      "to run a load test, write `garland run FILE --users 10 --duration 1m` or `--rate 50/s`; to set a limit, add `--expect 'p95 < 300ms'`"
    ),
    (
      ["config", "settings", "globals", "common"], "defaults",
      "settings for all steps belong under `defaults:`, as in `defaults: { timeout: 30s }`"
    ),
    (["until", "wait_until", "poll_until"], "poll", "to wait for a state, write `poll: { until: \"${response.json.state == 'done'}\" }`"),
    (["until"], .retry, "to wait for a state, write `poll: { until: … }`"),
    (["attempts", "max_attempts"], "limit", "`limit` is the number of retries after the first attempt: 5 attempts are `limit: 4`"),
    (["files"], "multipart", "write `multipart: { image: { file: cover.png } }`"),
    (["repeat", "times", "iterations"], "for_each", "write `for_each: \"${3 | range}\"`"),
    (["skip", "disabled", "enabled"], "when", "write `when: false`"), (["unless", "skip_if"], "when", "write `when: ${!…}`"),
    (
      [
        "follow_redirects", "follow_redirect", "allow_redirects", "follow", "max_redirects", "max_redirs", "maxredirs",
      ], "redirect", "write `redirect: true` to follow redirects, `redirect: { max: N }` to limit them, or `redirect: false`"
    ),
    (
      ["teardown", "after_all", "cleanup"], "steps",
      "a step with `cleanup: STEP` runs when every step that uses STEP has ended"
    ),
    (
      ["setup", "before", "before_all", "fixtures"], "steps",
      "write the preparation as a step, and name this step in the other steps, or in their `after:`"
    ),
    (
      ["include", "includes", "import", "imports"], "use",
      "write `use: { NAME: FILE }`, and name its steps as `NAME.STEP` in expressions"
    ),
    (["include", "import", "workflow", "template"], "call", "write `call: FILE`, and pass its inputs under `with:`"),
    (["log", "debug", "print", "dump", "verbose"], "expect", "`garland run --show all` shows requests and responses"),
    (["csv", "data_file", "dataset"], "rows", "write `rows: FILE.csv`, and use a cell as `${item.COLUMN}`"),
    (["strategy"], "matrix", "write `matrix: { size: [s, m] }` in the step, and use a value as `${item.size}`"),
    (
      ["parallel", "concurrency", "threads", "serial", "async"], .step,
      "steps that do not need each other run at the same time; `after: STEP` orders two steps, and `garland run --serial` orders all"
    ),
    (
      ["parallel", "concurrency", "threads", "serial", "sequential"], "steps",
      "steps that do not need each other run at the same time; `order: file` runs them in the order of the file"
    ),
    (
      ["user_agent", "authorization", "accept", "referer", "content_type", "body_format"], .settings,
      "write it as a header field: `headers: { NAME: VALUE }`"
    ),
    (
      ["api_key", "ntlm", "oauth2", "aws", "negotiate"], .settings,
      "define the credential under the document's `auth:`, and write the name of its entry here: `auth: NAME`"
    ),
    (["body_contains"], .expectations, "write `body: { contains: … }`"), (["body_matches"], .expectations, "write `body: { matches: … }`"),
    (["contains", "equals", "matches"], .expectations, "to check the body as text, write `body: { contains: … }`"),
    (["success", "ok"], .expectations, "write `status: 2xx`"), (["css", "selector"], "xpath", "select the element with an XPath: `//h1`"),
    (["between"], "gte", "write `gte: 1` and `lte: 5`"),
    (["format"], "matches", "write `schema: { format: uuid }`, or `matches: …`"),
  ]

  /// Returns the hint for a key of another tool; nil if there is none for mappings of this kind.
  ///
  /// - Parameters:
  ///   - name: the key of the other tool.
  ///   - names: the valid keys of the mapping that contains the key.
  static func hint(for name: String, among names: [String]) -> String? { hints(for: name).first { names.contains($0.scope.key) }?.words }

  /// Whether a user who writes the key `name` of another tool gets a hint about Garland's key `key`.
  static func isHint(_ name: String, for key: String) -> Bool {
    hints(for: name).contains { if case .key(key) = $0.scope { true } else { false } }
  }

  private static func hints(for name: String) -> [(scope: Scope, words: String)] { hintsByName[name] ?? hintsByName[snake(name)] ?? [] }

  static func key(for name: String, among names: [String]) -> String? { keys(for: name, among: names).first }

  /// Returns the keys of Garland that a key of another tool may mean. If the key differs from a key of Garland only in its spelling, as
  /// `clientId` does, the result is that key of Garland.
  ///
  /// - Parameters:
  ///   - name: the key of the other tool.
  ///   - names: the valid keys of the mapping that contains the key.
  static func keys(for name: String, among names: [String]) -> [String] {
    let snake = snake(name)
    if snake != name, names.contains(snake) { return [snake] }
    return (keys[name] ?? keys[snake] ?? []).filter { names.contains($0) }
  }

  /// Converts a name to lower case with underscores: `clientId`, `ClientID` and `client-id` become `client_id`.
  static func snake(_ name: String) -> String {
    var result = ""
    var wasUpper = true
    for character in name {
      if character == "-" || character == " " {
        result += "_"
        wasUpper = true
      } else {
        if character.isUppercase, !wasUpper { result += "_" }
        result += character.lowercased()
        wasUpper = character.isUppercase
      }
    }
    return result
  }
}
