import GarlandDiagnostics
import GarlandJSON
import GarlandText
import GarlandWorkflow

/// Imports requests from a collection of Postman, versions 2.0 and 2.1.
enum PostmanImporter {
  static func collection(from root: JSONValue, _ file: SourceFile) -> ImportedCollection {
    var reader = PostmanReader()
    let root = root["collection"] ?? root
    guard let items = root["item"]?.arrayValue else {
      reader.collection.refuse("the member `item` of this collection is missing, or is not a list", at: file.start)
      return reader.collection
    }
    reader.collection.name = root["info"]?["name"]?.stringValue
    reader.collection.description = PostmanReader.description(root["info"]?["description"])
    reader.declare(root["variable"]?.arrayValue ?? [], credentials: PostmanCredentials.variables(of: root))
    reader.warnOfScripts(root["event"], of: "the collection")
    reader.read(items, tags: [], auth: root["auth"], depth: 0)
    reader.finish()
    return reader.collection
  }
}

/// Converts one collection of Postman to requests.
private struct PostmanReader {
  var collection = ImportedCollection()
  private var variables = PostmanVariables()
  private var ids: Set<String> = []

  private static let deepestFolder = 64

  static func description(_ value: JSONValue?) -> String? { value?.stringValue ?? value?["content"]?.stringValue }

  private static func advice(onSecret name: String) -> String { "set the secret `\(name)` in the environment or in a secrets file" }

  mutating func declare(_ list: [JSONValue], credentials: Set<String>) {
    for variable in list {
      guard let name = variable["key"]?.stringValue ?? variable["id"]?.stringValue, variable["disabled"]?.boolValue != true else {
        continue
      }
      let text = variable["value"]?.stringValue ?? ""
      let isCredential = credentials.contains(name) || CredentialName.isToken(text)
      if let secret = variables.declareSecret(name, isUsedAsOne: isCredential) {
        // A script often sets a variable that has no value. `finish` warns of variables that the user must set as secrets.
        guard !text.isEmpty else { continue }
        if !collection.secrets.contains(secret) { collection.secrets.append(secret) }
        collection.warn("the value of `{{\(name)}}` is not written into the workflow", help: Self.advice(onSecret: secret))
        continue
      }
      let known = variables.declare(name)
      guard !collection.variables.contains(where: { $0.name == known }) else { continue }
      let value = variable["value"] ?? ""
      collection.variables.append((known, value.stringValue.map { .text(variables.text($0)) } ?? ImportedValue(value)))
    }
  }

  mutating func finish() {
    let sources = collection.requests.map(Self.source)
    for (name, secret) in variables.secrets.sorted(by: { $0.value < $1.value }) where !collection.secrets.contains(secret) {
      guard sources.contains(where: { $0.range("secrets.\(secret)") != nil }) else { continue }
      collection.secrets.append(secret)
      collection.warn("`{{\(name)}}` has no value in the collection", help: Self.advice(onSecret: secret))
    }
    for name in variables.unknown {
      let variable = variables.declare(name)
      guard !collection.variables.contains(where: { $0.name == variable }) else { continue }
      collection.variables.append((variable, .string("")))
      collection.warn("`{{\(name)}}` has no value in the collection", help: "set the variable with `--var \(variable)=…`, or under `vars`")
    }
    for name in variables.unknownFunctions { collection.warn("`{{\(name)}}` has no counterpart: `${uuid()}` replaces it") }
    // Only variables that are used are imported, since unused variables would cause warnings.
    var used = sources.reduce(into: Set<String>()) { $0.formUnion(Self.variables(namedIn: $1)) }
    for variable in collection.variables {
      used.formUnion(Self.variables(namedIn: Self.source(variable.value)).subtracting([variable.name]))
    }
    collection.variables.removeAll { !used.contains($0.name) }
    collection.secrets.removeAll { secret in !sources.contains { $0.range("secrets.\(secret)") != nil } }
  }

  /// Returns the names of the variables that a text uses as `vars.NAME`.
  private static func variables(namedIn text: String) -> Set<String> {
    var names: Set<String> = []
    var rest = text.utf8[...]
    while let start = rest.firstRange(of: Array("vars.".utf8)) {
      let name = rest[start.upperBound...].prefix { byte in
        byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
      }
      names.insert(String(decoding: name, as: UTF8.self))
      rest = rest[name.endIndex...]
    }
    return names
  }

  private static func source(_ request: ImportedRequest) -> String { "\(request)" }
  private static func source(_ value: ImportedValue) -> String { "\(value)" }

  mutating func read(_ items: [JSONValue], tags: [String], auth: JSONValue?, depth: Int) {
    for item in items {
      let name = item["name"]?.stringValue ?? ""
      let auth = item["auth"].flatMap { $0.isNull ? nil : $0 } ?? auth
      if let inner = item["item"]?.arrayValue {
        guard depth < Self.deepestFolder else {
          collection.warn("the folder `\(name)` is too deep, and was left out")
          continue
        }
        warnOfScripts(item["event"], of: "the folder `\(name)`")
        let tag = WorkflowText.slug(name)
        read(inner, tags: tag.isEmpty || tags.contains(tag) ? tags : tags + [tag], auth: auth, depth: depth + 1)
      } else if let request = item["request"] {
        read(request, item, name, tags, auth)
      } else {
        collection.warn("the item `\(name)` is neither a request nor a folder, and was left out")
      }
    }
  }

  mutating func warnOfScripts(_ events: JSONValue?, of place: String) {
    for event in events?.arrayValue ?? [] {
      let source = Self.script(event)
      guard !source.trimmed.isEmpty else { continue }
      let isTest = event["listen"]?.stringValue == "test"
      collection.warn(isTest ? "the tests of \(place) were left out" : "the script that runs before the requests of \(place) was left out")
    }
  }

  private static func script(_ event: JSONValue) -> String {
    let lines = event["script"]?["exec"]
    return lines?.stringValue ?? (lines?.arrayValue ?? []).compactMap(\.stringValue).joined(separator: "\n")
  }

  // MARK: A request

  private mutating func read(_ source: JSONValue, _ item: JSONValue, _ name: String, _ tags: [String], _ inherited: JSONValue?) {
    var request = ImportedRequest()
    request.name = name
    request.tags = tags
    // A request that consists only of a URL uses GET.
    request.method = source["method"]?.stringValue?.uppercased() ?? "GET"
    if request.method.isEmpty || !request.method.utf8.allSatisfy({ (0x41...0x5A).contains($0) || $0 == 0x2D || $0 == 0x5F }) {
      request.method = "GET"
    }
    request.description = Self.description(source["description"] ?? item["description"])
    guard let url = url(source.stringValue.map { .string($0) } ?? source["url"], &request) else {
      collection.warn("the request `\(name)` has no URL, and was left out")
      return
    }
    request.url = url
    for header in source["header"]?.arrayValue ?? [] {
      guard header["disabled"]?.boolValue != true, let field = header["key"]?.stringValue, let value = header["value"]?.stringValue else {
        continue
      }
      let isField = !field.isEmpty && field.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !Array("()<>@,;:\\\"/[]?={}".utf8).contains($0) }
      guard isField, !value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 }) else {
        collection.warn("the header `\(field)` of the request `\(name)` is not valid, and was left out")
        continue
      }
      guard !["content-length", "host"].contains(field.lowercased()) else { continue }
      let text = variables.text(value)
      if field.lowercased() == "authorization", let token = text.dropping(prefix: "Bearer ", ignoringCase: true) {
        request.credentials = .bearer(token)
      } else {
        request.headers.append((field, text))
      }
    }
    addBody(source["body"], &request, name)
    addCredentials(source["auth"].flatMap { $0.isNull ? nil : $0 } ?? inherited, &request, name)
    readEvents(item["event"]?.arrayValue ?? [], &request, name)
    collection.requests.append(request)
  }

  private mutating func url(_ value: JSONValue?, _ request: inout ImportedRequest) -> ImportedText? {
    var raw = value?.stringValue ?? value?["raw"]?.stringValue ?? ""
    if raw.isEmpty, let host = value?["host"] {
      let words = host.stringValue ?? (host.arrayValue ?? []).compactMap(\.stringValue).joined(separator: ".")
      let path = (value?["path"]?.arrayValue ?? []).compactMap { $0.stringValue ?? $0["value"]?.stringValue }.joined(separator: "/")
      raw = "\(value?["protocol"]?.stringValue.map { "\($0)://" } ?? "")\(words)\(path.isEmpty ? "" : "/\(path)")"
    }
    raw = raw.trimmed
    guard !raw.isEmpty else { return nil }
    raw = String(raw.prefix { $0 != "#" })
    if let list = value?["query"]?.arrayValue {
      raw = String(raw.prefix { $0 != "?" })
      for entry in list where entry["disabled"]?.boolValue != true {
        guard let key = entry["key"]?.stringValue, !key.isEmpty else { continue }
        request.query.append(
          (
            variables.text(FormDecoding.decoded(key) ?? key),
            variables.text(entry["value"]?.stringValue.map { FormDecoding.decoded($0) ?? $0 } ?? "")
          ))
      }
    }
    // `:id` in a path is a variable of the URL in Postman.
    var values: [String: String] = [:]
    for variable in value?["variable"]?.arrayValue ?? [] {
      if let key = variable["key"]?.stringValue ?? variable["id"]?.stringValue { values[key] = variable["value"]?.stringValue ?? "" }
    }
    if !values.isEmpty {
      raw = raw.split(separator: "/", omittingEmptySubsequences: false).map { part in
        part.hasPrefix(":") ? values[String(part.dropFirst())] ?? String(part) : String(part)
      }.joined(separator: "/")
    }
    // The name of a variable may contain spaces.
    var text = variables.text(raw)
    text.pieces = text.pieces.map { if case .literal(let part) = $0 { .literal(part.replacing(" ", with: "%20")) } else { $0 } }
    guard
      !text.pieces.contains(where: { if case .literal(let part) = $0 { part.utf8.contains { $0 <= 0x20 || $0 == 0x7F } } else { false } })
    else { return nil }
    if case .literal(let start)? = text.pieces.first, start.range("://") == nil {
      text = ImportedText.joined(ImportedText("http://") + text)
    }
    return text
  }

  private mutating func addBody(_ body: JSONValue?, _ request: inout ImportedRequest, _ name: String) {
    guard let body, body.objectValue != nil, body["disabled"]?.boolValue != true else { return }
    func enabled(_ key: String) -> [JSONValue] {
      (body[key]?.arrayValue ?? []).filter { $0["disabled"]?.boolValue != true && $0["key"]?.stringValue != nil }
    }
    switch body["mode"]?.stringValue {
    case "raw": addText(body, &request)
    case "urlencoded":
      let pairs = enabled("urlencoded").map { entry in
        (name: variables.text(entry["key"]?.stringValue ?? ""), value: variables.text(entry["value"]?.stringValue ?? ""))
      }
      guard !pairs.isEmpty else { return }
      request.removeHeader("Content-Type")
      request.body = .form(pairs)
    case "formdata":
      let parts = parts(enabled("formdata"), name)
      guard !parts.isEmpty else { return }
      request.removeHeader("Content-Type")
      request.body = .multipart(parts)
    case "file":
      if let path = body["file"]?["src"]?.stringValue {
        request.body = .file(ImportedText(path))
      } else {
        collection.warn("the collection has no path for the file that the request `\(name)` sends")
      }
    case "graphql": addGraphQL(body["graphql"], &request, name)
    case let mode?: collection.warn("the body of the request `\(name)` is of an unknown kind, `\(mode)`, and was left out")
    case nil: break
    }
  }

  /// Adds a body that the collection contains as text.
  ///
  /// - Text that is valid JSON becomes a JSON body, unless `Content-Type` or the body's `language` in Postman names another format.
  /// - Any other text becomes a text body. If the request has no `Content-Type`, one is added for the `language`.
  private mutating func addText(_ body: JSONValue, _ request: inout ImportedRequest) {
    guard let raw = body["raw"]?.stringValue, !raw.trimmed.isEmpty else { return }
    let text = variables.text(raw)
    let language = body["options"]?["raw"]?["language"]?.stringValue
    let type = request.header("Content-Type")?.literal?.lowercased()
    if type?.contains("json") == true || (type == nil && (language == "json" || language == nil)),
      let value = JSONTemplate.value(of: text)
    {
      if type == "application/json" { request.removeHeader("Content-Type") }
      request.body = .json(value)
      return
    }
    if type == nil {
      let types = [
        "json": "application/json", "xml": "application/xml", "html": "text/html", "javascript": "application/javascript",
        "text": "text/plain",
      ]
      request.headers.append(("Content-Type", ImportedText(types[language ?? "text"] ?? "text/plain")))
    }
    request.body = .text(text)
  }

  /// Returns the parts of a multipart form.
  private mutating func parts(_ entries: [JSONValue], _ name: String) -> [ImportedRequest.Part] {
    var parts: [ImportedRequest.Part] = []
    for entry in entries {
      var part = ImportedRequest.Part(name: variables.text(entry["key"]?.stringValue ?? ""))
      part.type = entry["contentType"]?.stringValue.map { variables.text($0) }
      guard entry["type"]?.stringValue == "file" else {
        part.text = variables.text(entry["value"]?.stringValue ?? "")
        parts.append(part)
        continue
      }
      let sources = entry["src"]?.stringValue.map { [$0] } ?? (entry["src"]?.arrayValue ?? []).compactMap(\.stringValue)
      if sources.isEmpty {
        collection.warn("the collection has no path for the file `\(part.name.source)` of the request `\(name)`, so the file was left out")
      }
      for source in sources {
        part.file = ImportedText(source)
        parts.append(part)
      }
    }
    return parts
  }

  private mutating func addGraphQL(_ graphql: JSONValue?, _ request: inout ImportedRequest, _ name: String) {
    let query = graphql?["query"]?.stringValue ?? ""
    let given = graphql?["variables"]?.stringValue ?? ""
    let values = given.trimmed.isEmpty ? nil : JSONTemplate.value(of: variables.text(given))
    if values == nil, !given.trimmed.isEmpty {
      collection.warn("the GraphQL variables of the request `\(name)` are not JSON, and were left out")
    }
    request.removeHeader("Content-Type")
    request.body = .graphql(query: variables.text(query), variables: values)
  }

  private mutating func addCredentials(_ auth: JSONValue?, _ request: inout ImportedRequest, _ name: String) {
    guard let auth, let type = auth["type"]?.stringValue else { return }
    /// Returns the value of a key of Postman's `auth`, which is a list of pairs in version 2.1 and a mapping in version 2.0.
    func value(_ key: String) -> ImportedText {
      let list = auth[type]
      let found = list?.arrayValue?.first { $0["key"]?.stringValue == key }?["value"] ?? list?[key]
      return variables.text(found?.stringValue ?? "")
    }
    switch type {
    case "noauth": return
    case "bearer": request.credentials = .bearer(value("token"))
    case "basic": request.credentials = .basic(user: value("username"), password: value("password"))
    case "digest": request.credentials = .digest(user: value("username"), password: value("password"))
    case "apikey":
      let (key, secret) = (value("key"), value("value"))
      if let name = key.literal { request.credentialNames.insert(name.lowercased()) }
      if value("in").literal == "query" {
        request.query.append((key, secret))
      } else if let field = key.literal, !field.isEmpty, field.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x3A }) {
        request.headers.append((field, secret))
      } else {
        collection.warn("the API key of the request `\(name)` has a name that is known only when it is sent, and was left out")
      }
    default:
      collection.warn(
        "the `\(type)` credentials of the request `\(name)` were left out",
        help: "define the credentials under `auth:`, and write `auth: NAME` in the step")
    }
  }

  private mutating func readEvents(_ events: [JSONValue], _ request: inout ImportedRequest, _ name: String) {
    for event in events {
      let source = Self.script(event)
      guard !source.trimmed.isEmpty else { continue }
      guard event["listen"]?.stringValue == "test" else {
        collection.warn("the script that runs before `\(name)` was left out")
        continue
      }
      let script = PostmanScript(source)
      for (key, value) in script.expectations { request.expect(key, value) }
      for (variable, value) in script.extracts {
        var extract = WorkflowText.slug(variable)
        let taken = ["status", "headers", "cookies", "json", "text", "url", "time", "size", "version", "attempts"]
        if extract.isEmpty || taken.contains(extract) { extract += "_value" }
        guard !request.extracts.contains(where: { $0.name == extract }) else { continue }
        request.extracts.append((extract, value))
        pendingExtracts.append((variable, extract))
      }
      for statement in script.untranslated {
        collection.warn(
          "a line of the test script of the request `\(name)` can't be converted, and was left out: `\(statement.count > 100 ? statement.prefix(100) + "…" : statement)`",
          help: "write the expectation or the extract by hand")
      }
    }
    settlePending(request)
  }

  /// The extracts for the variables that the script of the current request sets. They are stored here until the id of the request's step is
  /// determined.
  private var pendingExtracts: [(variable: String, extract: String)] = []

  /// Determines the id of the current step. Later steps need this id to use the variables that the step sets.
  private mutating func settlePending(_ request: ImportedRequest) {
    let id = WorkflowText.uniqueID(for: request, among: &ids)
    for (variable, extract) in pendingExtracts { variables.extracted[variable] = "\(id).\(extract)" }
    pendingExtracts = []
  }
}
