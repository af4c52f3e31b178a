import GarlandYAML

/// The keys of a step. Most of them are also keys of `defaults`.
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
  /// The key `trace` with the value `true` or `false`: whether requests have a `traceparent` field. The raw value of this case differs from
  /// the key's name in documents, since `trace` with a URL is the method TRACE.
  case traces = "traceparent"

  /// The name of the key in documents. Only ``traces`` has the name of another key, ``trace``.
  var name: String { isSame(as: .traces) ? StepKey.trace.rawValue : rawValue }

  static let table = KeyTable<StepKey>("a step", page: "steps-and-requests", keys: allCases.filter { $0 != .steps && $0 != .traces })
  static let defaultsTable = KeyTable<StepKey>(
    "`defaults`", page: "steps-and-requests",
    keys: allCases.filter {
      (!methods.contains($0) || $0 == .trace)
        && ![
          .traces, .description, .extends, .call, .with, .method, .url, .extract, .after, .when, .always, .cleanup, .download, .limit,
          .label,
        ].contains($0)
        && !loops.union(kinds).union(ofKinds).union(streams).contains($0)
    })

  /// The keys that both steps and `defaults` can have. All other keys belong only to steps, or only to `defaults`.
  static let settings = bodies.union(credentials).union(transport).union([
    .baseURL, .headers, .params, .query, .expect, .allowFailure, .tags, .uses, .exclusive,
  ])
  /// The keys that control how a request is sent and how its response is received, such as time limits and TLS. These are `resolve`,
  /// `connect_to` and the keys of all settings in ``TransportSettings``. The key `cookies` counts as one of these keys only if its value
  /// selects the cookie jar.
  static let transport: KeySet<StepKey> = {
    var collector = TransportKeys()
    var settings = TransportSettings()
    settings.visit(&collector)
    return collector.keys.union([.resolve, .connectTo])
  }()
  /// The key `call`, and the keys that describe a request, such as `get` and `submit`. The other actions, such as `listen`, are in
  /// ``kinds``.
  static let actions = methods.union([.method, .url, .submit, .call])
  /// All keys that determine the action of a step. A step has only one action: if it has an action of its own, it does not inherit another
  /// one.
  static let everyAction = actions.union(kinds)
  /// The keys that select a kind of step other than a plain request. The document does not specify a method for such a step.
  static let kinds: KeySet<StepKey> = [.submit, .websocket, .reach, .listen]
  /// The keys that belong to one kind of step. A step of any other kind can't have them.
  static let ofKinds = KeySet(allCases.filter { $0.kind != nil })
  /// The kind of step that can have this key, given as the key that selects the kind: for example `websocket` for the key `talk`. Nil if
  /// the key is not limited to one kind.
  var kind: StepKey? {
    switch self {
    case .within: .reach
    case .subprotocols, .talk: .websocket
    default: nil
    }
  }
  /// The keys that can determine the members of a step's response: the keys of special kinds of steps, such as `listen`, and the keys of
  /// streams, such as `events`.
  static let owners = kinds.union(streams)
  /// The keys with which a step sends a request, opens a connection or waits for a request: all actions except `call`.
  static let requests = methods.union([.method, .url]).union(kinds)
  /// The actions of steps that have a restricted set of keys: `call`, `reach`, `listen` and `websocket`.
  static let restrictedActions = allCases.filter { $0.allowedIn.contains($0) }
  /// Those of the ``restrictedActions`` that a step with this key can have. A step with any other action can have every key, except the keys
  /// that belong to another kind of step and those that the decoder of `submit` refuses.
  var allowedIn: KeySet<StepKey> {
    switch self {
    case .description, .tags, .extends, .after, .when, .always, .cleanup, .allowFailure, .forEach, .rows, .matrix, .limit, .label:
      [.call, .reach, .listen, .websocket]
    case .delay, .uses, .exclusive: [.call, .reach, .websocket]
    case .expect, .extract, .maxBody: [.listen, .websocket]
    case .baseURL, .deadline, .proxy, .resolve, .connectTo, .unixSocket, .interface, .tls: [.reach, .websocket]
    case .query, .headers, .cookies, .auth, .bearer, .basic, .retry, .timeout, .waitForConnectivity, .traces: [.websocket]
    case .call, .with: [.call]
    case .reach, .within: [.reach]
    case .listen: [.listen]
    case .websocket, .subprotocols, .talk: [.websocket]
    case .steps, .get, .post, .put, .patch, .delete, .head, .options, .trace, .connect, .method, .url, .submit, .params, .encoding,
      .destination, .arrays, .bools, .spaces, .nulls, .form, .json, .plist, .body, .graphql, .multipart, .digest, .compress, .download,
      .events, .lines, .parts, .poll, .paginate, .redirect, .http, .rateLimit, .cache:
      []
    }
  }

  /// Whether a step with the given keys can have this key too: the key belongs to the step's action, and not only to other actions. A step
  /// without an action, such as a template, can get the action to which the key belongs.
  func isPossible(beside keys: KeySet<StepKey>) -> Bool {
    if let kind { return keys.contains(kind) || keys.isDisjoint(with: Self.everyAction) }
    // `with` belongs to a call, but is not one of the keys ``ofKinds``, since it may be null.
    if case .with = self { return keys.contains(.call) }
    guard let action = Self.restrictedActions.first(where: keys.contains) else { return true }
    return allowedIn.contains(action)
  }

  /// The keys that give a step a loop. A step has at most one of them.
  static let loops: KeySet<StepKey> = [.forEach, .rows, .matrix]

  /// The keys that determine when a step runs. Only steps have these keys; `defaults` does not.
  static let flow: KeySet<StepKey> = [.after, .when, .always, .cleanup]

  /// The keys that make a step read its response item by item. A step has at most one of them.
  static let streams: KeySet<StepKey> = [.events, .lines, .parts]

  /// The keys that make a step delay its request, or send several requests.
  static let repetitions: KeySet<StepKey> = [.delay, .retry, .poll, .paginate]

  /// The keys that set both method and URL.
  static let methods: KeySet<StepKey> = [.get, .post, .put, .patch, .delete, .head, .options, .trace, .connect]
  /// The method that the key sets together with the URL, such as `GET` for `get`; nil for other keys.
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
  /// The keys for the body of a request. A step has at most one of them.
  static let bodies: KeySet<StepKey> = [.form, .json, .plist, .body, .graphql, .multipart]
  /// The keys for the credentials of a request. A step has at most one of them.
  static let credentials: KeySet<StepKey> = [.auth, .bearer, .basic, .digest]
  /// The keys that determine how `params` are encoded.
  static let parameterOptions: KeySet<StepKey> = [.encoding, .destination, .arrays, .bools, .spaces, .nulls]

  static func key(_ key: StepKey, with value: @autoclosure () -> YAMLNode) -> StepKey {
    guard key.isSame(as: .trace), let scalar = value().scalar, case .bool = scalar.value else { return key }
    return .traces
  }

  /// The descriptions of this key, in the lists of all topics. Each key has exactly one; a test names a key with none or several.
  var descriptions: [KeyInfo] {
    [actionInfo, contentInfo, responseInfo, flowInfo, repetitionInfo, transportInfo].compactMap { $0 }
  }

  var info: KeyInfo { descriptions.first ?? KeyInfo(.anything, "", "null") }

  private static let hostAndPort = "^[^:].*:[1-9][0-9]{0,4}$"

  /// The description of a key that selects what a step does, or that belongs to one kind of step; nil for any other key.
  var actionInfo: KeyInfo? {
    switch self {
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
        .url, "Sends nothing, and waits until this is reachable: a URL (DNS, TCP, TLS, an HTTP response) or `HOST:PORT`.", "db:5432")
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
        "Sends an HTML form of an earlier step's response as a browser does, with the hidden fields, method, action and encoding of the form.",
        "{ form: login, from: login_page, fields: { user: alice } }")
    default: nil
    }
  }

  /// The description of a transport key, or of `cookies`; nil for any other key.
  var transportInfo: KeyInfo? {
    switch self {
    case .cookies:
      KeyInfo(
        .either([.mapping(.either([.text, .null])), .path]),
        "A mapping: cookies to send. A scalar: the cookie jar to use, `shared` (the default), `none`, or a cookie file, relative to the document.",
        "{ session: abc }")
    case .compress:
      KeyInfo(
        .choice(CompressionSetting.allCases.map(\.rawValue)), "The body is compressed while it is sent; null removes a default.", "gzip")
    case .timeout: KeyInfo(.duration, "The longest time without any data. Default: 60s.", "30s")
    case .deadline: KeyInfo(.duration, "The longest time in total. Default: none.", "2m")
    case .redirect: KeyInfo(.either([.table("redirect"), .boolean]), "Whether redirects are followed, and how many.", "{ max: 5 }")
    case .proxy: KeyInfo(.either([.text, .null]), "A proxy's URL, or `none`.", "http://127.0.0.1:3128")
    case .http: KeyInfo(.choice(["1.1", "2"]), "The version of HTTP to use.", "2")
    case .resolve:
      KeyInfo(
        .namedMapping(Self.hostAndPort, .text), "Addresses that replace DNS, by `HOST:PORT`.", "{ 'example.com:443': 127.0.0.1 }")
    case .connectTo:
      KeyInfo(
        .namedMapping(Self.hostAndPort, .text), "The hosts and ports to connect to in place of others, by `HOST:PORT`.",
        "{ 'example.com:443': '127.0.0.1:8443' }")
    case .unixSocket: KeyInfo(.text, "A Unix socket to connect to.", "/run/app.sock")
    case .interface: KeyInfo(.text, "The network interface or address to send from.", "eth0")
    case .rateLimit:
      KeyInfo(
        .size,
        "Bytes a second, in each direction, on average: the first few hundred KB of a response may arrive faster, in the socket's buffer.",
        "1MB")
    case .maxBody: KeyInfo(.size, "The largest body of a response that is accepted, decoded. Default: 1GiB.", "10MiB")
    case .cache:
      KeyInfo(
        .either([.boolean, .table("cache")]),
        "Whether responses are cached by the rules of HTTP. Default: false. `true` keeps them in memory while the document runs.",
        "{ dir: .cache, policy: else_load }")
    case .waitForConnectivity:
      KeyInfo(.boolean, "Waits for this machine's network if it is down, instead of failing.", "true")
    case .tls: KeyInfo(.table("tls"), "Certificates and versions of TLS.", "{ ca: test-ca.pem }")
    default: nil
    }
  }
}

/// Collects the keys of the transport settings that it visits. For a setting within a mapping, such as `redirect.max`, it collects the key
/// of the mapping: `redirect`.
private struct TransportKeys: TransportVisitor {
  private(set) var keys = KeySet<StepKey>()

  mutating func visit<Value: SettingValue>(
    _ key: String, _ effect: SettingEffect, _ setting: inout Setting<Value>?, _ inherited: Setting<Value>?
  ) {
    guard let key = StepKey.table.key(String(key.prefix { $0 != "." })) else { return }
    keys.insert(key.isSame(as: .trace) ? .traces : key)
  }
}
