import GarlandYAML

/// The keys of a step; most of them are also keys of `defaults`.
enum StepKey: String, DocumentKey {
  case description, tags, extends, steps
  case call, with
  case get, post, put, patch, delete, head, options, trace, connect
  case method, url
  case submit
  case reach, within
  case listen
  case websocket, subprotocols, talk
  case baseURL = "base_url"
  case params, encoding, destination, arrays, bools, spaces, nulls
  case query, form, json, plist, body, graphql, multipart
  case headers, cookies
  case auth, bearer, basic, digest
  case compress
  case download, events, lines, parts, expect, extract
  case after, when, always, cleanup
  case allowFailure = "allow_failure"
  case forEach = "for_each"
  case rows, matrix, limit, label, delay, retry, poll, paginate, uses, exclusive
  case timeout, deadline, redirect, proxy, http, resolve
  case connectTo = "connect_to"
  case unixSocket = "unix_socket"
  case interface
  case rateLimit = "rate_limit"
  case maxBody = "max_body"
  case cache
  case waitForConnectivity = "wait_for_connectivity"
  case tls
  /// The key `trace` with `true` or `false`. It has another raw value than its name in documents, since `trace` with a URL is the method
  /// TRACE.
  case traces = "traceparent"

  static let table = KeyTable<StepKey>("a step", keys: allCases.filter { $0 != .steps && $0 != .traces })
  static let defaultsTable = KeyTable<StepKey>(
    "`defaults`",
    keys: allCases.filter {
      (!methods.contains($0) || $0 == .trace)
        && ![
          .traces, .description, .extends, .call, .with, .method, .url, .submit, .reach, .within, .listen, .websocket,
          .subprotocols, .talk, .extract, .after, .when, .always,
          .cleanup,
          .download, .events, .lines, .parts, .limit, .label,
        ].contains($0)
        && !loops.contains($0)
    })

  /// Keys that both steps and defaults can have. All other keys belong to steps only, or to `defaults` only.
  static let settings = bodies.union(credentials).union([
    .baseURL, .headers, .cookies, .params, .query, .expect, .allowFailure, .tags, .uses, .exclusive, .timeout, .deadline, .redirect, .proxy,
    .http, .resolve, .connectTo, .unixSocket, .interface, .rateLimit, .maxBody, .compress, .cache, .waitForConnectivity, .tls, .traces,
  ])
  /// Keys for the action of a step, without `reach` and `listen`.
  static let actions = methods.union([.method, .url, .submit, .call])
  /// Keys for the action of a step. A step has only one action, which replaces an inherited one.
  static let everyAction = actions.union(kinds)
  /// Keys for actions of their own kind, which have no method.
  static let kinds: KeySet<StepKey> = [.submit, .websocket, .reach, .listen]
  /// Keys for the request of a step.
  static let requests = methods.union([.method, .url]).union(kinds)
  /// Keys that a step may have if it calls a document.
  static let callKeys: KeySet<StepKey> = [
    .call, .with, .description, .tags, .extends, .after, .when, .always, .cleanup, .allowFailure, .forEach, .rows, .matrix, .limit, .label,
    .delay,
    .uses,
    .exclusive,
  ]
  /// Keys that give a step a loop. A step has at most one of them.
  static let loops: KeySet<StepKey> = [.forEach, .rows, .matrix]

  /// Keys that determine when a step runs. Only steps have them, not `defaults`.
  static let flow: KeySet<StepKey> = [.after, .when, .always, .cleanup]

  /// Keys that make a step read its response item by item. A step has at most one of them.
  static let streams: KeySet<StepKey> = [.events, .lines, .parts]

  /// Keys that make a step send its request repeatedly, or later.
  static let repetitions: KeySet<StepKey> = [.delay, .retry, .poll, .paginate]

  /// Keys that set both method and URL.
  static let methods: KeySet<StepKey> = [.get, .post, .put, .patch, .delete, .head, .options, .trace, .connect]
  /// The method that the key sets together with the URL; nil for other keys.
  var method: String? {
    switch self {
    case .get: "GET"
    case .post: "POST"
    case .put: "PUT"
    case .patch: "PATCH"
    case .delete: "DELETE"
    case .head: "HEAD"
    case .options: "OPTIONS"
    case .trace: "TRACE"
    case .connect: "CONNECT"
    default: nil
    }
  }
  /// Keys for the body. A step has at most one of them.
  static let bodies: KeySet<StepKey> = [.form, .json, .plist, .body, .graphql, .multipart]
  /// Keys for the credentials of a request. A step has at most one of them.
  static let credentials: KeySet<StepKey> = [.auth, .bearer, .basic, .digest]
  /// The keys for the encoding of `params`.
  static let parameterOptions: KeySet<StepKey> = [.encoding, .destination, .arrays, .bools, .spaces, .nulls]

  static func key(_ key: StepKey, with value: @autoclosure () -> YAMLNode) -> StepKey {
    guard key.isSame(as: .trace), let scalar = value().scalar, case .bool = scalar.value else { return key }
    return .traces
  }

  private static let hostAndPort = "^[^:].*:[1-9][0-9]{0,4}$"

  var info: KeyInfo {
    switch self {
    case .description: KeyInfo(.name, "The purpose of the step; shown in reports.", "Creates a book")
    case .extends:
      KeyInfo(
        .name, "Starts from another step, or from one of `defaults.steps`; the keys of this step are merged over it as over the defaults.",
        "api_call")
    case .steps:
      KeyInfo(
        .mapping(.table("template")), "Steps that are not run, only started from, with `extends`.",
        "{ api_call: { headers: { X-Api: '1' } } }")
    case .tags: KeyInfo(.either([.name, .list(.name)]), "Words that `--tag` selects steps by.", "[smoke]")
    case .call:
      KeyInfo(.path, "Runs another document as one step; its `outputs` are what the step extracts.", "onboard.yaml")
    case .with: KeyInfo(.mapping(.anything), "Values for the `inputs` of the called document.", "{ tenant: acme }")
    case .trace, .traces:
      KeyInfo(
        .either([.url, .boolean]),
        "True or false: whether requests name a span of the run's trace in the field `traceparent`. Default: false. A URL: sends a TRACE request to it.",
        "true")
    case .get, .post, .put, .patch, .delete, .head, .options, .connect:
      KeyInfo(
        .url, "Sends a \(rawValue.uppercased()) request to this URL, which is appended to `base_url` unless it is absolute.", "/books")
    case .reach:
      KeyInfo(
        .url, "Sends nothing, and waits until this can be reached: a URL (DNS, TCP, TLS, an HTTP answer) or `HOST:PORT`.", "db:5432")
    case .listen:
      KeyInfo(
        .either([.pattern("^/"), .table("listen")]),
        "Sends nothing, and waits for a request: a webhook, or an OAuth redirect. `STEP.url` is its URL; a step that uses the URL does not wait.",
        "{ path: /hook, within: 10s }")
    case .websocket:
      KeyInfo(
        .url,
        "Opens a WebSocket connection to this URL of `ws`, `wss`, `http` or `https`, which is appended to `base_url` unless it is absolute.",
        "/ws")
    case .subprotocols:
      KeyInfo(
        .either([.text, .filledList(.text)]), "The subprotocols that a `websocket` step offers, the preferred one first.", "[chat.v2]")
    case .talk:
      KeyInfo(
        .filledList(.table("talk")), "The messages of a `websocket` step, sent and received one after the other.",
        "[send: { text: hello }, receive: { text: hello }]")
    case .within: KeyInfo(.duration, "How long `reach` waits. Default: 30s.", "60s")
    case .method: KeyInfo(.text, "The method, with `url`; any token, or an expression that gives one.", "PURGE")
    case .url: KeyInfo(.url, "The URL, with `method`.", "/cache")
    case .submit:
      KeyInfo(
        .table("submit"),
        "Sends an HTML form of an earlier step's response as a browser does: hidden fields kept, method, action and encoding the form's.",
        "{ form: login, from: login_page, fields: { user: alice } }")
    case .baseURL: KeyInfo(.url, "The URL that relative URLs are appended to.", "https://example.com/v1")
    case .params:
      KeyInfo(
        .parameters,
        "Parameters, encoded as Alamofire does: in the query of GET, HEAD and DELETE, in the body of other methods.", "{ page: 2 }")
    case .encoding:
      KeyInfo(.oneOf(ParametersTemplate.Encoding.allCases.map(\.rawValue)), "How `params` are written. Default: `url`.", "json")
    case .destination:
      KeyInfo(
        .oneOf(ParametersTemplate.Destination.allCases.map(\.rawValue)), "Where `params` go. Default: `method`, which decides.", "query")
    case .arrays:
      KeyInfo(
        .oneOf(ParametersTemplate.Arrays.allCases.map(\.rawValue)), "How lists in `params` are written: `a[]=1`, `a=1` or `a[0]=1`.", "none"
      )
    case .bools: KeyInfo(.oneOf(ParametersTemplate.Booleans.allCases.map(\.rawValue)), "`1` or `true` in `params`.", "literal")
    case .spaces: KeyInfo(.oneOf(ParametersTemplate.Spaces.allCases.map(\.rawValue)), "`%20` or `+` in `params`.", "plus")
    case .nulls: KeyInfo(.oneOf(ParametersTemplate.Nulls.allCases.map(\.rawValue)), "The encoding of null in `params`.", "drop_value")
    case .query:
      KeyInfo(
        .either([.mapping(.anything), .expression]), "The query, in this order; a list repeats its name, null leaves it out.",
        "{ q: dune, page: 2 }")
    case .form: KeyInfo(.either([.mapping(.anything), .expression]), "A form as a browser sends it, as the body.", "{ user: alice }")
    case .json: KeyInfo(.anything, "A JSON body.", "{ title: Dune, price: 9.50 }")
    case .plist: KeyInfo(.anything, "An XML property list as the body.", "{ name: Dune }")
    case .body: KeyInfo(.either([.text, .table("body")]), "A body of text, of a file, or of base64.", "{ file: order.xml }")
    case .graphql: KeyInfo(.either([.text, .table("graphql")]), "A GraphQL request, sent as JSON.", "{ query: '{ books { title } }' }")
    case .multipart:
      KeyInfo(
        .either([.mapping(.either([.text, .table("part")])), .list(.table("named part"))]),
        "A multipart form; a list where a name repeats.", "{ image: { file: cover.png, type: image/png }, caption: Front cover }")
    case .headers:
      KeyInfo(.mapping(.either([.text, .list(.text), .null])), "Header fields; null removes a default.", "{ Accept: application/json }")
    case .cookies:
      KeyInfo(
        .either([.mapping(.either([.text, .null])), .path]),
        "A mapping: cookies to send. A scalar: which jar is used, `shared` (the default), `none`, or a cookie file, relative to the document.",
        "{ session: abc }")
    case .auth:
      KeyInfo(
        .either([.name, .null]), "An entry of the document's `auth`. `none` sends no credentials, whatever the defaults say.", "shop")
    case .bearer: KeyInfo(.either([.text, .null]), "A bearer token; null removes a default.", "${login.token}")
    case .basic:
      KeyInfo(
        .either([.pattern(":"), .null]), "User and password, with a `:` between them; null removes a default.", "alice:${secrets.PASSWORD}")
    case .digest:
      KeyInfo(
        .either([.pattern(":"), .null]),
        "User and password, of which only digests are sent, in answer to the server's challenge; null removes a default.",
        "alice:${secrets.PASSWORD}")
    case .compress:
      KeyInfo(
        .choice(CompressionSetting.allCases.map(\.rawValue)), "The body is compressed while it is sent; null removes a default.", "gzip")
    case .download:
      KeyInfo(.either([.text, .table("download")]), "Writes the body of the response to a file.", "out/cover.png")
    case .events:
      KeyInfo(
        .either([.yes, .table("events")]),
        "Reads the response as a stream of server-sent events, one by one while they arrive; says when to stop.", "{ count: 3 }")
    case .lines:
      KeyInfo(
        .either([.yes, .table("lines")]), "Reads the response as JSON lines, one by one while they arrive; says when to stop.",
        "{ each: { json: { $.id: { type: integer } } } }")
    case .parts:
      KeyInfo(
        .either([.yes, .table("parts")]),
        "Reads a multipart response, such as the pictures of a camera, part by part while they arrive; says when to stop.",
        "{ count: 3, each: { type: image/jpeg } }")
    case .expect: KeyInfo(.table("expect"), "Requirements on the response.", "{ status: 201 }")
    case .extract:
      KeyInfo(
        .mapping(.either([.pattern("^\\$"), .table("extract")])), "Values of the response for other steps, by name.",
        "{ id: $.id }")
    case .after:
      KeyInfo(
        .either([
          .name, .list(.either([.name, .mapping(.oneOf(StepFlow.Condition.allCases.map(\.rawValue)))])),
          .mapping(.oneOf(StepFlow.Condition.allCases.map(\.rawValue))),
        ]),
        "Steps to wait for: each must pass, or, with `ended`, only end.", "{ cover: ended }")
    case .when: KeyInfo(.boolean, "The step is skipped unless this is true.", "${vars.region == 'eu'}")
    case .always: KeyInfo(.flag, "Runs once all that the step depends on has ended, however.", "true")
    case .cleanup: KeyInfo(.name, "Undoes a step: runs last of all that uses that step, whatever happened.", "create")
    case .allowFailure: KeyInfo(.flag, "The step's problems are reported and counted apart.", "true")
    case .forEach:
      KeyInfo(
        .either([.list(.anything), .expression]),
        "Runs the step once for each item of a list, side by side; it is `item`, its place `index`.",
        "${books.json.items}")
    case .rows:
      KeyInfo(
        .either([.pattern(RowsKey.extensions), .table("rows")]),
        "Runs the step once for each row of a CSV, TSV, JSON or JSON lines file: `item.COLUMN`.",
        "users.csv")
    case .matrix:
      KeyInfo(
        .filledMapping(.either([.list(.anything), .expression])), "Runs the step once for each combination of these values: `item.NAME`.",
        "{ size: [s, m], color: [red, blue] }")
    case .limit: KeyInfo(.atLeast(1), "How many items of the loop are at work at once. Default: as many as there are slots.", "4")
    case .label:
      KeyInfo(.text, "The name of an item in reports and on the console. Default: what the item is.", "${item.name}")
    case .delay: KeyInfo(.duration, "A wait before the first request.", "2s")
    case .retry:
      KeyInfo(
        .either([.atLeast(0), .flag, .table("retry"), .null]),
        "Sends again after a transport error, or a status that says \"not now\", and after an expectation that failed only where `on` names it. A number is the limit.",
        "{ limit: 3, delay: 1s }")
    case .poll:
      KeyInfo(
        .either([.table("poll"), .null]), "Sends again until the response says what is waited for.",
        "{ until: \"${response.json.state == 'done'}\", every: 1s, within: 1m }")
    case .paginate:
      KeyInfo(
        .either([.table("paginate"), .null]), "Asks for page after page; lists that are extracted become one.",
        "{ next: '${response.json.next}' }")
    case .uses:
      KeyInfo(.either([.name, .list(.name)]), "Takes a slot of each of these `resources` while the step is at work.", "[db]")
    case .exclusive: KeyInfo(.flag, "Nothing else runs while this step does.", "true")
    case .timeout: KeyInfo(.duration, "The longest time without any data. Default: 60s.", "30s")
    case .deadline: KeyInfo(.duration, "The longest time in total. Default: none.", "2m")
    case .redirect: KeyInfo(.either([.table("redirect"), .boolean]), "Whether and how far redirects are followed.", "{ max: 5 }")
    case .proxy: KeyInfo(.either([.text, .null]), "A proxy's URL, or `none`.", "http://127.0.0.1:3128")
    case .http: KeyInfo(.choice(["1.1", "2"]), "The version of HTTP to ask for.", "2")
    case .resolve:
      KeyInfo(
        .namedMapping(Self.hostAndPort, .text), "Addresses in place of what DNS says, by `HOST:PORT`.", "{ 'example.com:443': 127.0.0.1 }")
    case .connectTo:
      KeyInfo(
        .namedMapping(Self.hostAndPort, .text), "Where to connect in place of a `HOST:PORT`.", "{ 'example.com:443': '127.0.0.1:8443' }")
    case .unixSocket: KeyInfo(.text, "A Unix socket to connect to.", "/run/app.sock")
    case .interface: KeyInfo(.text, "The network interface or address to send from.", "eth0")
    case .rateLimit:
      KeyInfo(
        .size,
        "Bytes a second, each way, on average: the first some hundred KB of a response can lie in the socket's buffer before they are slowed down.",
        "1MB")
    case .maxBody: KeyInfo(.size, "The largest body of a response that is accepted, decoded. Default: 1GiB.", "10MiB")
    case .cache:
      KeyInfo(
        .either([.boolean, .table("cache")]),
        "Whether responses are kept and used again, by the rules of HTTP. Default: false. `true` keeps them in memory while the document runs.",
        "{ dir: .cache, policy: else_load }")
    case .waitForConnectivity:
      KeyInfo(.boolean, "Waits for this machine's network, where there is none, instead of failing.", "true")
    case .tls: KeyInfo(.table("tls"), "Certificates and versions.", "{ ca: test-ca.pem }")
    }
  }
}
