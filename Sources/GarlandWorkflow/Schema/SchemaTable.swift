import GarlandJSON

/// The description of one kind of mapping in a document: its keys and the rules for them. The JSON Schema for editors is generated from
/// these descriptions.
struct SchemaTable: Sendable {
  /// The name by which ``KeyInfo/Shape/table(_:)`` refers to the table.
  let name: String
  /// The name of the mapping in error messages.
  let place: String
  /// The page of `garland help` for a mapping with many keys; see ``KeyTable/page``.
  let page: String?
  let keys: [(name: String, info: KeyInfo)]
  /// The keys for which null is a mistake. For every other key, null has the same effect as omitting the key.
  let refusesNull: Set<String>
  /// The rules of the JSON Schema that the list of keys does not express, such as "at most one body".
  let rules: JSONObject
  /// The names of the keys that are taken from another ``SchemaTable``. These keys have the same meaning in both tables.
  var borrowed: Set<String> = []

  init<Key: DocumentKey>(_ name: String, _ table: KeyTable<Key>, refusesNull: Set<String> = [], rules: JSONObject = [:]) {
    self.name = name
    place = table.place
    page = table.page
    // Reserved keys are not included.
    keys = table.keys.filter { table.key($0.rawValue) != nil }.map { ($0.rawValue, $0.info) }
    self.refusesNull = refusesNull
    self.rules = rules
  }

  /// Creates the table of a mapping that can have the keys of two mappings. For example, a profile can have its own keys and the keys of
  /// `defaults:`. In error messages, the description of the mapping comes from `table`, not from `other`.
  init<Key: DocumentKey, Other: DocumentKey>(
    _ name: String, _ table: KeyTable<Key>, and other: KeyTable<Other>, refusesNull: Set<String>, rules: JSONObject
  ) {
    let shared = SchemaTable(name, other)
    self.name = name
    place = table.place
    page = table.page
    borrowed = Set(shared.keys.map(\.name))
    keys = SchemaTable(name, table).keys + shared.keys
    self.refusesNull = refusesNull
    self.rules = rules
  }

  /// Creates the table of the predicates for an amount with a unit, such as a duration or a size.
  ///
  /// - Parameters:
  ///   - name: the name of the table.
  ///   - shape: the form in which documents write the amount.
  ///   - example: an example of an amount.
  init(_ name: String, predicatesOf shape: KeyInfo.Shape, example: String) {
    let comparisons: Set<String> = ["eq", "ne", "gt", "gte", "lt", "lte"]
    self.name = name
    place = PredicateKey.table.place
    page = PredicateKey.table.page
    keys = PredicateKey.allCases.map { key in
      let info = key.info
      guard comparisons.contains(key.rawValue) else {
        // Predicates that check a property other than the amount have no unit.
        return (key.rawValue, key == .not ? KeyInfo(.amountCheck(name, shape), info.summary, "{ gt: \(example) }") : info)
      }
      return (key.rawValue, KeyInfo(.either([shape, .list(.anything)]), info.summary, example))
    }
    refusesNull = SchemaTables.refusedNulls(of: PredicateKey.allCases).union(comparisons).union(["not"])
    rules = ["minProperties": 1]
  }
}

/// The descriptions of all kinds of mappings in a document, from which the JSON Schema is generated.
enum SchemaTables {
  static let all: [SchemaTable] = [
    SchemaTable(
      "document", RootKey.table, refusesNull: ["garland", "steps"],
      rules: ["required": ["garland"], "anyOf": required(["steps", "auth"])]),
    SchemaTable("profile", ProfileKey.table, and: StepKey.defaultsTable, refusesNull: defaultNulls, rules: defaultsRules),
    SchemaTable("secret", SecretKey.table, refusesNull: ["file"], rules: ["required": ["file"]]),
    SchemaTable("input", InputKey.table),
    SchemaTable("defaults", StepKey.defaultsTable, refusesNull: defaultNulls, rules: defaultsRules),
    SchemaTable("step", StepKey.table, refusesNull: nullsOfSteps, rules: stepRules),
    SchemaTable("template", StepKey.table, refusesNull: nullsOfSteps, rules: templateRules),
    SchemaTable("retry", RetryKey.table),
    SchemaTable("poll", PollKey.table, refusesNull: ["until"], rules: ["required": ["until"]]),
    SchemaTable(
      "paginate", PaginateKey.table,
      rules: [
        "anyOf": [
          ["required": ["next"], "properties": ["next": ["not": ["type": "null"]]]],
          ["required": ["link"], "properties": ["link": ["const": true]]],
        ]
      ]),
    SchemaTable("next", NextKey.table, refusesNull: Set(NextKey.allCases.map(\.rawValue)), rules: ["minProperties": 1]),
    SchemaTable(
      "rows", RowsKey.table, refusesNull: ["file"],
      rules: [
        "required": ["file"],
        "anyOf": [
          ["required": ["format"], "properties": ["format": ["not": ["type": "null"]]]],
          ["properties": ["file": ["pattern": .string("\(SchemaWriter.expression)|\(RowsKey.extensions)")]]],
        ],
      ]),
    SchemaTable("body", BodyKey.table, refusesNull: ["file", "base64"], rules: bodyRules),
    SchemaTable("graphql", GraphQLKey.table, refusesNull: ["query"], rules: ["required": ["query"]]),
    SchemaTable("part", PartKey.table, refusesNull: partContents, rules: ["anyOf": required(partContents), "dependencies": sliceRule]),
    SchemaTable(
      "named part", PartKey.namedTable, refusesNull: partContents.union(["name"]),
      rules: ["required": ["name"], "anyOf": required(partContents), "dependencies": sliceRule]),
    SchemaTable("download", DownloadKey.table, refusesNull: ["to"], rules: ["required": ["to"]]),
    SchemaTable("events", EventsKey.table, rules: eventsRules),
    SchemaTable("each event", EachEventKey.table, refusesNull: Set(EachEventKey.allCases.map(\.rawValue)), rules: ["minProperties": 1]),
    SchemaTable("lines", LinesKey.table),
    SchemaTable("each line", EachLineKey.table, refusesNull: Set(EachLineKey.allCases.map(\.rawValue)), rules: ["minProperties": 1]),
    SchemaTable(
      "talk", TalkKey.table, refusesNull: Set(TalkKey.allCases.map(\.rawValue)), rules: ["minProperties": 1, "maxProperties": 1]),
    SchemaTable("send", SendKey.table, refusesNull: ["text", "base64"], rules: ["minProperties": 1, "maxProperties": 1]),
    SchemaTable("receive", ReceiveKey.table, refusesNull: Set(ReceiveKey.checks.keys.map(\.rawValue))),
    SchemaTable("close", CloseKey.table),
    SchemaTable("parts", PartsKey.table),
    SchemaTable("each part", EachPartKey.table, refusesNull: Set(EachPartKey.allCases.map(\.rawValue)), rules: ["minProperties": 1]),
    SchemaTable("submit", SubmitKey.table, refusesNull: ["from"], rules: ["required": ["from"]]),
    SchemaTable("listen", ListenKey.table, refusesNull: ["path"], rules: ["required": ["path"]]),
    SchemaTable(
      "auth", AuthKey.table, refusesNull: Set(AuthKey.allCases.map(\.rawValue)), rules: ["minProperties": 1, "maxProperties": 1]),
    SchemaTable(
      "api_key", APIKeyKey.table, refusesNull: ["value", "header", "query", "cookie"],
      rules: ["required": ["value"], "minProperties": 2, "maxProperties": 2]),
    SchemaTable(
      "aws", AWSKey.table, refusesNull: ["access_key", "secret_key", "region", "service"],
      rules: ["required": ["access_key", "secret_key", "region", "service"]]),
    SchemaTable("oauth1", OAuth1Key.table, refusesNull: ["consumer_key"], rules: oauth1Rules),
    SchemaTable("oauth2", OAuth2Key.table, refusesNull: ["grant"], rules: oauth2Rules),
    SchemaTable("assertion", AssertionKey.table, refusesNull: ["subject"], rules: ["required": ["subject"]]),
    SchemaTable("authorize", AuthorizeKey.table, refusesNull: ["steps"], rules: ["required": ["steps"]]),
    SchemaTable("redirect", RedirectKey.table),
    SchemaTable("reachability", ReachabilityKey.table),
    SchemaTable("cache", CacheKey.table),
    SchemaTable("tls", TLSKey.table, rules: ["dependencies": ["key": ["cert"], "password": ["cert"]]]),
    SchemaTable("expect", ExpectKey.table, refusesNull: Set(ExpectKey.allCases.map(\.rawValue))),
    SchemaTable("until", ExpectKey.untilTable, refusesNull: Set(ExpectKey.allCases.map(\.rawValue)), rules: ["minProperties": 1]),
    SchemaTable("expected tls", TLSFact.table, refusesNull: ["expires_in"]),
    SchemaTable("expected cookie", CookieFact.table, rules: ["minProperties": 1]),
    SchemaTable("error", ErrorKey.table, rules: ["minProperties": 1]),
    SchemaTable("snapshot", SnapshotKey.table, refusesNull: ["file"], rules: ["required": ["file"]]),
    SchemaTable(
      "schema", SchemaKey.table, refusesNull: ["file"], rules: ["anyOf": [["required": ["file"]], ["required": ["schema"]]]]),
    SchemaTable("file", FileKey.table, refusesNull: ["file"], rules: ["required": ["file"]]),
    SchemaTable("predicates", PredicateKey.table, refusesNull: refusedNulls(of: PredicateKey.allCases), rules: ["minProperties": 1]),
    SchemaTable("date", DateKey.table, refusesNull: Set(DateKey.allCases.map(\.rawValue)), rules: ["minProperties": 1]),
    SchemaTable("predicates of a time", predicatesOf: .duration, example: "500ms"),
    SchemaTable("predicates of a size", predicatesOf: .either([.size, .plainNumber]), example: "10KB"),
    SchemaTable(
      "extract", ExtractKey.table, refusesNull: Set((ExtractKey.sources + [.attribute, .matches, .then]).map(\.rawValue)),
      rules: ["anyOf": required(Set(ExtractKey.sources.map(\.rawValue))), "dependencies": ["attribute": ["cookie"]]]),
  ]

  /// The tables of mappings that only project files contain. The first table describes the whole project file.
  static let ofProjects: [SchemaTable] = [
    SchemaTable("project", ProjectKey.table), SchemaTable("run", RunKey.table),
    SchemaTable(
      quarantined, QuarantineKey.table, refusesNull: ["step", "reason", "until"], rules: ["required": ["step", "reason", "until"]]),
  ]

  /// The name of the table for the entries of a list of quarantined steps.
  static let quarantined = "quarantined"

  /// Returns the ``SchemaTable`` with the given name; nil if there is no such table.
  static func named(_ name: String) -> SchemaTable? { (all + ofProjects).first { $0.name == name } }

  static func refusedNulls(of predicates: [PredicateKey]) -> Set<String> { ["in", "subset", "empty", "exists", "matches", "json", "date"] }

  private static let partContents: Set<String> = ["text", "file", "json", "base64"]
  /// The rule that the keys `offset` and `length` require the key `file`, since only files have slices.
  private static let sliceRule: JSONValue = ["offset": ["file"], "length": ["file"]]
  private static let bodyRules: JSONObject = [
    "oneOf": .array([["required": ["file"]], ["required": ["base64"]]]), "dependencies": sliceRule,
  ]

  /// The step keys whose value must not be null. Null switches off a default, but these keys have no default.
  private static let nullsOfSteps: Set<String> = {
    let plain: KeySet<StepKey> = [.extract, .download, .description, .method, .url, .call, .extends, .limit, .label]
    let groups = [StepKey.methods, StepKey.kinds, StepKey.ofKinds, StepKey.streams, StepKey.parameterOptions, StepKey.loops, StepKey.flow]
    return Set(groups.reduce(plain) { $0.union($1) }.keys.map(\.rawValue))
  }()

  private static let defaultNulls = nullsOfSteps.union(["steps"]).subtracting(["extends"])

  private static func required(_ names: Set<String>) -> JSONValue {
    .array(names.sorted().map { .object(["required": [.string($0)]]) })
  }

  /// Returns a schema which requires that the key `name` is present and that its value is not null.
  static func present(_ name: String) -> JSONValue {
    let isThere: JSONValue = ["not": ["type": "null"]]
    return .object(["required": [.string(name)], "properties": .object(JSONObject([(name, isThere)]))])
  }

  /// Returns a schema that applies `rule` only to mappings in which the key `name` has the given value.
  static func when(_ name: String, is value: JSONValue, _ rule: JSONValue) -> JSONValue {
    ["if": .object(["required": [.string(name)], "properties": .object(JSONObject([(name, value)]))]), "then": rule]
  }

  /// The rule that the key `reconnect` requires `until` or `count`. Without one of these keys, it is unknown whether a stream ended too
  /// early.
  private static let eventsRules: JSONObject = [
    "if": present("reconnect"), "then": ["anyOf": [present("until"), present("count")]],
  ]

  private static let oauth1Rules: JSONObject = {
    let needsKey = when("signature_method", is: ["const": .string(OAuth1Template.Method.rsaSHA1.rawValue)], present("key"))
    return ["required": ["consumer_key"], "allOf": [needsKey]]
  }()

  private static let oauth2Rules: JSONObject = {
    var rules = OAuth2Template.Grant.allCases.flatMap { grant in
      OAuth2Key.needed(for: grant).map { keys in
        let one: JSONValue = ["anyOf": .array(keys.map { present($0.rawValue) })]
        return when("grant", is: ["const": .string(grant.rawValue)], one)
      }
    }
    // This applies to a JWT that Garland signs itself.
    let signed = when("assertion", is: ["type": "object"], present("client_key"))
    rules.append(when("grant", is: ["const": .string(OAuth2Template.Grant.jwtBearer.rawValue)], signed))
    let file: JSONValue = ["anyOf": [present(OAuth2Key.clientKey.rawValue), present(OAuth2Key.clientCertificate.rawValue)]]
    return ["required": ["grant"], "allOf": .array(rules), "dependencies": [OAuth2Key.clientKeyPassword.rawValue: file]]
  }()

  /// The rule for `params`: with the `encoding` `json` or `plist`, any value is allowed; otherwise only a mapping, an expression or null.
  private static let parametersRule: JSONObject = [
    "if": ["properties": ["encoding": ["enum": ["json", "plist"]]], "required": ["encoding"]], "then": true,
    "else": ["properties": ["params": ["$ref": "#/definitions/parameters"]]],
  ]

  /// The rules for steps, step templates and defaults: at most one body, and at most one kind of credentials.
  private static let settingsRules: JSONObject = [
    "allOf": .array([.object(parametersRule), atMostOne(of: StepKey.bodies.keys), atMostOne(of: StepKey.credentials.keys)])
  ]

  /// The rules for the mapping `defaults`: the ``settingsRules``, and the rule that `trace` must be true or false.
  ///
  /// In a step, `trace` can also be an action (a URL for the method TRACE). Defaults cannot contain an action.
  private static let defaultsRules: JSONObject = {
    let flag: JSONValue = [
      "anyOf": [["type": "boolean"], ["type": "string", "pattern": .string("\(SchemaWriter.expression)|^(true|false)$")]]
    ]
    let rule: JSONValue = ["properties": ["trace": flag]]
    return ["allOf": .array((settingsRules["allOf"]?.arrayValue ?? []) + [rule])]
  }()

  /// The rules for a step template: the rules of ``settingsRules``, and at most one action.
  private static let templateRules: JSONObject = {
    let none: JSONValue = .object(["not": .object(["anyOf": .array(actions)])])
    let atMostOne: JSONValue = .object(["oneOf": .array([none] + actions)])
    return ["allOf": .array((settingsRules["allOf"]?.arrayValue ?? []) + [atMostOne])]
  }()

  private static let actions: [JSONValue] = {
    var actions: [JSONValue] = StepKey.methods.keys.map { key in
      // If the value of `trace` is true or false, the key is not a method.
      guard key == .trace else { return .object(["required": [.string(key.rawValue)]]) }
      return ["required": ["trace"], "properties": ["trace": ["not": ["type": "boolean"]]]]
    }
    actions.append(["required": ["method", "url"]])
    for key in StepKey.kinds.union([.call]).keys { actions.append(.object(["required": [.string(key.rawValue)]])) }
    return actions
  }()

  /// The rules for a step: it must have exactly one action, and at most one body and one kind of credentials.
  private static let stepRules: JSONObject = {
    var dependencies = JSONObject()
    dependencies["method"] = ["url"]
    dependencies["url"] = ["method"]
    dependencies["with"] = ["call"]
    for key in StepKey.ofKinds.keys { dependencies[key.rawValue] = key.kind.map { [.string($0.rawValue)] } }
    for key in StepKey.parameterOptions.keys { dependencies[key.rawValue] = ["params"] }
    // The action may be in a template that the step extends. The same is true for the parameters to which the encoding options apply.
    let own: JSONObject = ["oneOf": .array(actions), "dependencies": .object(dependencies)]
    let inheritance: JSONValue = ["if": ["required": ["extends"]], "then": true, "else": .object(own)]
    return [
      "allOf": .array([inheritance, .object(parametersRule), atMostOne(of: StepKey.bodies.keys), atMostOne(of: StepKey.credentials.keys)])
    ]
  }()

  /// Returns the rule that at most one of the given keys is present. A key with the value null does not count as present, since null only
  /// removes a default. The exceptions are `json` and `plist`, for which null is a valid body.
  private static func atMostOne(of keys: [StepKey]) -> JSONValue {
    func has(_ key: StepKey) -> JSONValue {
      let name = key.rawValue
      if key == .json || key == .plist { return .object(["required": [.string(name)]]) }
      let isThere: JSONValue = ["not": ["type": "null"]]
      return .object(["required": [.string(name)], "properties": .object(JSONObject([(name, isThere)]))])
    }
    var options: [JSONValue] = [.object(["not": .object(["anyOf": .array(keys.map(has))])])]
    options += keys.map(has)
    return .object(["oneOf": .array(options)])
  }
}
