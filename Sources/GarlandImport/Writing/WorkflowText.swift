import GarlandText
import GarlandWorkflow

/// A collection of imported requests, converted to a workflow in YAML.
struct WorkflowText {
  private(set) var text = ""
  private var ids: Set<String> = []
  var hidden: HiddenCredentials
  /// The entries for the document's `auth`, each with its name.
  var authentications: [(name: String, value: ImportedValue)] = []
  var baseURL: String?
  /// The entries of `defaults` that reproduce the defaults of the other tool, where Garland's own defaults differ. For example, the entry
  /// `redirect: false` reproduces curl's default, which is not to follow redirects.
  var common: [(key: String, value: ImportedValue)]

  /// Converts a collection.
  ///
  /// - Parameters:
  ///   - collection: the requests to write; it receives warnings about values that were changed.
  ///   - fileName: the name of the file from which the collection comes.
  init(_ collection: inout ImportedCollection, fileName: String) {
    hidden = HiddenCredentials(collection.secrets)
    baseURL = Self.commonOrigin(of: collection.requests)
    common = Self.commonBaseline(of: collection.requests)
    Self.dropRepeatedDownloads(&collection)
    var steps: [(id: String, entries: [(key: String, value: ImportedValue)])] = []
    for index in collection.requests.indices {
      // Braces are not allowed in URLs, and would be mistaken for the template of another tool.
      let url = ImportedText.joined(collection.requests[index].url)
      collection.requests[index].url = url.mapLiterals { $0.replacing("{", with: "%7B").replacing("}", with: "%7D") }
    }
    let requests = collection.requests
    collection.requests = requests.filter { request in
      guard case .literal(let start)? = request.url.pieces.first,
        let problem = URLAuthority.problem(of: start, isWhole: request.url.pieces.count == 1)
      else { return true }
      collection.warn("`\(request.method) \(Self.shown(request.url))` was left out: \(problem.message)")
      return false
    }
    for request in collection.requests {
      let id = self.id(for: request)
      var request = Self.withoutWhatCantBeSent(request, id, &collection)
      hidden.hide(in: &request, of: request.name.isEmpty ? "\(request.method) \(Self.shown(request.url))" : request.name, &collection)
      steps.append((id, entries(of: withOwnBaseline(request, isAlone: collection.requests.count == 1))))
    }
    var writer = YAMLText()
    writer.line("garland: 1")
    writer.entry("name", .string(Self.plain(collection.name ?? Self.title(of: fileName))), indent: 0)
    if let description = collection.description, !description.isEmpty {
      writer.entry("description", .string(Self.plain(description)), indent: 0)
    }
    // Other tools send requests one after another, and later requests may depend on earlier ones.
    if steps.count > 1 { writer.entry("order", .string("file"), indent: 0) }
    if !collection.variables.isEmpty {
      writer.line("")
      writer.entry("vars", .object(collection.variables.map { ($0.name, $0.value) }), indent: 0)
    }
    if !hidden.names.isEmpty {
      if collection.variables.isEmpty { writer.line("") }
      writer.entry("secrets", .list(hidden.names.map { .string($0) }), indent: 0)
    }
    if !authentications.isEmpty {
      writer.line("")
      writer.entry("auth", .object(authentications.map { ($0.name, $0.value) }), indent: 0)
    }
    let defaults = (baseURL.map { [("base_url", ImportedValue.string($0))] } ?? []) + common
    if !defaults.isEmpty {
      writer.line("")
      writer.line("defaults:")
      for entry in defaults { writer.entry(entry.0, entry.1, indent: 2) }
    }
    writer.line("")
    writer.line("steps:")
    for (index, step) in steps.enumerated() {
      if index > 0 { writer.line("") }
      writer.line("  \(step.id):")
      for entry in step.entries { writer.entry(entry.key, entry.value, indent: 4) }
    }
    text = writer.text
  }

  /// Replaces `${` in a name or description with `{`. Names and descriptions cannot contain expressions, and have no way to escape a `${`.
  private static func plain(_ text: String) -> String {
    text.split(separator: "${", omittingEmptySubsequences: false).joined(separator: "{").split(separator: "\u{0}").joined()
  }

  private static func title(of fileName: String) -> String {
    let last = fileName.split(separator: "/").last.map(String.init) ?? fileName
    return last.isEmpty || last == "-"
      ? "Imported" : last.lastIndex(of: ".").map { String(last[..<$0]) }.flatMap { $0.isEmpty ? nil : $0 } ?? last
  }

  // MARK: Names

  private mutating func id(for request: ImportedRequest) -> String { Self.uniqueID(for: request, among: &ids) }

  /// Returns a unique id for the step of a request. Must be called once for each request, in the order of the requests, since it also adds
  /// the id to `ids`.
  static func uniqueID(for request: ImportedRequest, among ids: inout Set<String>) -> String {
    var id = slug(request.name)
    if id.isEmpty {
      let path = pathWords(of: request.url)
      id = slug(([request.method.lowercased()] + path).joined(separator: "_"))
    }
    if id.isEmpty { id = "request" }
    if reserved.contains(id) { id += "_request" }
    var unique = id
    var number = 1
    while !ids.insert(unique).inserted {
      number += 1
      unique = "\(id)_\(number)"
    }
    return unique
  }

  static let reserved: Set<String> = ["vars", "env", "secrets", "inputs", "item", "index", "run", "response", "auth", "defaults"]

  /// Converts a text to a name of lower-case letters, digits and `_`, which is cut off after about 40 characters.
  static func slug(_ text: String) -> String {
    var result = ""
    var isGap = false
    var wasLower = false
    for scalar in text.unicodeScalars.prefix(200) {
      let isUpper = ("A"..."Z").contains(scalar)
      if isUpper || ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) {
        if isGap || (wasLower && isUpper), !result.isEmpty { result += "_" }
        isGap = false
        wasLower = !isUpper
        result.unicodeScalars.append(isUpper ? Unicode.Scalar(UInt8(scalar.value) + 32) : scalar)
      } else {
        isGap = true
      }
      if result.utf8.count >= 40 { break }
    }
    if let first = result.first, first.isNumber { result = "_" + result }
    return result
  }

  private static func pathWords(of url: ImportedText) -> [String] {
    var path = url.pieces.map { if case .literal(let text) = $0 { text } else { "" } }.joined()
    if let scheme = path.range("://") {
      let rest = path[scheme.upperBound...]
      path = rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? ""
    }
    return path.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").prefix(4).map(String.init)
  }

  // MARK: Origins

  /// Returns the scheme, host and port that all known URLs share; nil if they differ, or if fewer than two URLs are known.
  private static func commonOrigin(of requests: [ImportedRequest]) -> String? {
    let origins = requests.compactMap { origin(of: $0.url) }
    guard origins.count > 1, let first = origins.first, origins.allSatisfy({ $0 == first }) else { return nil }
    return first
  }

  private static func origin(of url: ImportedText) -> String? {
    guard case .literal(let text)? = url.pieces.first, let scheme = text.range("://") else { return nil }
    let end = text[scheme.upperBound...].firstIndex { $0 == "/" || $0 == "?" || $0 == "#" }
    // If an expression follows within the host, the requests have no common origin.
    guard let end else { return url.pieces.count == 1 ? text : nil }
    return String(text[..<end])
  }

  // MARK: Defaults of tools

  /// Returns the entries of ``ImportedRequest/baseline`` that become keys of `defaults`. These are the entries that are the same for all
  /// requests. `cookies: none` becomes a default even if some requests have a cookie jar; these requests keep their own jar.
  private static func commonBaseline(of requests: [ImportedRequest]) -> [(key: String, value: ImportedValue)] {
    guard let first = requests.first else { return [] }
    var common = first.baseline.filter { entry in
      requests.allSatisfy { request in request.baseline.contains { $0.key == entry.key && "\($0.value)" == "\(entry.value)" } }
    }
    // If a request has a different cookie jar than the defaults, its own jar is used.
    let jars = requests.compactMap { request in request.baseline.first { $0.key == "cookies" } }
    if jars.count == requests.count, !common.contains(where: { $0.key == "cookies" }),
      let none = jars.first(where: { if case .text(let jar) = $0.value { jar.literal == "none" } else { false } })
    {
      common.append(none)
    }
    // A single request without redirects does not share its cookies with any other request.
    let isAlone = requests.count == 1 && first.baseline.contains { if case ("redirect", .bool(false)) = $0 { true } else { false } }
    return common.filter { entry in
      if case ("cookies", .text(let jar)) = entry, jar.literal == "none" { !isAlone } else { true }
    }
  }

  /// Returns a copy of the request that no longer needs its ``ImportedRequest/baseline``: settings of the baseline are added to the request
  /// unless the `defaults` of the workflow contain them.
  ///
  /// - Parameter isAlone: whether the request is the only request of the workflow. If true, `cookies: none` is not added.
  func withOwnBaseline(_ request: ImportedRequest, isAlone: Bool) -> ImportedRequest {
    var request = request
    for entry in request.baseline where !common.contains(where: { $0.key == entry.key && "\($0.value)" == "\(entry.value)" }) {
      switch (entry.key, entry.value) {
      case ("headers", .object(let removed)): request.removedHeaders += removed.map(\.key)
      case ("expect", .object(let expectations)): for expectation in expectations { request.expect(expectation.key, expectation.value) }
      case ("cookies", .text(let jar)) where jar.literal == "none" && isAlone: break
      case ("cookies", _):
        // The key either names the cookie jar, or lists the cookies to send.
        let pairs = request.cookies.map { ImportedText($0.name) + ImportedText("=") + $0.value }
        if let first = pairs.first {
          request.headers.append(("Cookie", ImportedText.joined(pairs.dropFirst().reduce(first) { $0 + ImportedText("; ") + $1 })))
        }
        request.cookies = []
        request.settings.append(entry)
      default: request.settings.append(entry)
      }
    }
    return request
  }

  /// Keeps only the last of several downloads to the same file, since it would overwrite the earlier ones.
  private static func dropRepeatedDownloads(_ collection: inout ImportedCollection) {
    var known: Set<String> = []
    for index in collection.requests.indices.reversed() {
      let settings = collection.requests[index].settings
      guard let place = settings.firstIndex(where: { $0.key == "download" }), case .object(let entries) = settings[place].value,
        entries.count == 2, case .text(let path)? = entries.first?.value, !known.insert(path.source).inserted
      else { continue }
      collection.requests[index].settings.remove(at: place)
      collection.warn("`\(path.source)` is written several times, and only the last response remains")
    }
  }

  private func url(of request: ImportedRequest) -> ImportedText {
    guard let baseURL, let rest = request.url.dropping(prefix: baseURL) else { return request.url }
    if case .literal(let text)? = rest.pieces.first, text.hasPrefix("/") { return rest }
    return ImportedText("/") + rest
  }

  /// Returns a URL for warnings: without user name and password, and without its query.
  static func shown(_ url: ImportedText) -> String {
    let source = String(url.source.prefix { $0 != "?" && $0 != "#" })
    guard let at = source.lastIndex(of: "@"), let scheme = source.range("://") else { return source }
    return String(source[..<scheme.upperBound] + source[source.index(after: at)...])
  }

  // MARK: Steps

  mutating func entries(of request: ImportedRequest) -> [(key: String, value: ImportedValue)] {
    var entries: [(key: String, value: ImportedValue)] = []
    let methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "CONNECT"]
    if let description = request.description, !description.isEmpty { entries.append(("description", .string(Self.plain(description)))) }
    if let method = request.methodText {
      entries.append(("method", .text(method)))
      entries.append(("url", .text(url(of: request))))
    } else if methods.contains(request.method) {
      entries.append((request.method.lowercased(), .text(url(of: request))))
    } else {
      entries.append(("method", .string(request.method)))
      entries.append(("url", .text(url(of: request))))
    }
    if !request.tags.isEmpty { entries.append(("tags", .list(request.tags.map { .string($0) }))) }
    if !request.query.isEmpty { entries.append(("query", Self.pairs(request.query))) }
    if !request.headers.isEmpty || !request.removedHeaders.isEmpty { entries.append(("headers", Self.headers(of: request))) }
    if !request.cookies.isEmpty { entries.append(("cookies", .object(request.cookies.map { ($0.name, .text($0.value)) }))) }
    switch request.credentials {
    case .bearer(let token)?: entries.append(("bearer", .text(token)))
    case .basic(let user, let password)?: entries.append(("basic", .text(user + ImportedText(":") + password)))
    case .digest(let user, let password)?: entries.append(("digest", .text(user + ImportedText(":") + password)))
    case .ntlm(let user, let password)?:
      entries.append(("auth", .string(authentication("ntlm", .text(user + ImportedText(":") + password)))))
    case .negotiate?: entries.append(("auth", .string(authentication("negotiate", .bool(true)))))
    case .aws(let signature)?: entries.append(("auth", .string(authentication("aws", Self.value(of: signature)))))
    case nil: break
    }
    if let body = request.body { entries.append(Self.entry(body)) }
    entries += request.settings
    if !request.expectations.isEmpty { entries.append(("expect", .object(request.expectations))) }
    if !request.extracts.isEmpty { entries.append(("extract", .object(request.extracts.map { ($0.name, $0.value) }))) }
    return entries
  }

  /// Returns the name of the `auth` entry with the given kind and value. Adds the entry if it is missing.
  private mutating func authentication(_ kind: String, _ value: ImportedValue) -> String {
    let value = ImportedValue.object([(kind, value)])
    if let known = authentications.first(where: { "\($0.value)" == "\(value)" }) { return known.name }
    let count = authentications.count { $0.name == kind || $0.name.hasPrefix(kind + "_") }
    let name = count == 0 ? kind : "\(kind)_\(count + 1)"
    authentications.append((name, value))
    return name
  }

  private static func value(of signature: ImportedRequest.AWSSignature) -> ImportedValue {
    .object([
      ("access_key", .text(signature.accessKey)), ("secret_key", .text(signature.secretKey)), ("region", .string(signature.region)),
      ("service", .string(signature.service)),
    ])
  }

  private static func headers(of request: ImportedRequest) -> ImportedValue {
    guard case .object(let fields) = grouped(request.headers) else { return .object([]) }
    return .object(request.removedHeaders.map { ($0, .null) } + fields)
  }

  /// Returns a copy of a request without the header fields, cookies and media types that are invalid in HTTP. Warns about each removed
  /// item.
  static func withoutWhatCantBeSent(
    _ request: ImportedRequest, _ id: String, _ collection: inout ImportedCollection
  ) -> ImportedRequest {
    var request = request
    func isSound(_ name: String, _ value: ImportedText, _ what: String) -> Bool {
      let hasBreaks = value.pieces.contains { piece in
        if case .literal(let text) = piece { text.utf8.contains { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F } } else { false }
      }
      guard HTTPToken.isToken(name), !hasBreaks else {
        collection.warn("the \(what) `\(name.prefix(60))` of the request `\(id)` can't be sent, and was left out")
        return false
      }
      return true
    }
    request.headers = request.headers.filter { isSound($0.name, $0.value, "header") }
    request.cookies = request.cookies.filter { isSound($0.name, $0.value, "cookie") }
    if case .multipart(var parts)? = request.body {
      for index in parts.indices {
        guard let type = parts[index].type?.literal else { continue }
        let words = type.prefix { $0 != ";" }.split(separator: "/", omittingEmptySubsequences: false)
        let isMediaType = words.count == 2 && words.allSatisfy { HTTPToken.isToken($0) }
        guard !isMediaType || !isSound("x", ImportedText(type), "type") else { continue }
        collection.warn("the type `\(type.prefix(60))` of a part of the request `\(id)` is not a media type, and was left out")
        parts[index].type = nil
      }
      request.body = .multipart(parts)
    }
    return request
  }

  private static func entry(_ body: ImportedRequest.Body) -> (key: String, value: ImportedValue) {
    switch body {
    case .json(let value): return ("json", value)
    case .form(let pairs): return ("form", self.pairs(pairs))
    case .text(let text): return ("body", .text(text))
    case .file(let path): return ("body", .object([("file", .text(path))]))
    case .bytes(let bytes): return ("body", .object([("base64", .string(Base64.encode(bytes)))]))
    case .graphql(let query, let variables):
      guard let variables else { return ("graphql", .object([("query", .text(query))])) }
      return ("graphql", .object([("query", .text(query)), ("variables", variables)]))
    case .multipart(let parts):
      let names = parts.map(\.name.source)
      if Set(names).count == names.count {
        return ("multipart", .object(parts.map { ($0.name.source, value(of: $0, isNamed: false)) }))
      }
      return ("multipart", .list(parts.map { value(of: $0, isNamed: true) }))
    }
  }

  private static func value(of part: ImportedRequest.Part, isNamed: Bool) -> ImportedValue {
    if !isNamed, part.file == nil, part.bytes == nil, part.type == nil, part.filename == nil, part.headers.isEmpty {
      return .text(part.text ?? ImportedText(""))
    }
    var entries: [(key: String, value: ImportedValue)] = isNamed ? [("name", .text(part.name))] : []
    if let file = part.file {
      entries.append(("file", .text(file)))
    } else if let bytes = part.bytes {
      entries.append(("base64", .string(Base64.encode(bytes))))
    } else {
      entries.append(("text", .text(part.text ?? ImportedText(""))))
    }
    if let name = part.filename { entries.append(("filename", .text(name))) }
    if let type = part.type { entries.append(("type", .text(type))) }
    if !part.headers.isEmpty { entries.append(("headers", grouped(part.headers))) }
    return .object(entries)
  }

  private static func pairs(_ pairs: [(name: ImportedText, value: ImportedText)]) -> ImportedValue {
    grouped(pairs.map { ($0.name.source, $0.value) }, ignoringCase: false)
  }

  /// Converts pairs of a name and a value to a mapping. If a name occurs several times, its value in the mapping is the list of all its
  /// values.
  private static func grouped(_ pairs: [(name: String, value: ImportedText)], ignoringCase: Bool = true) -> ImportedValue {
    var result: [(key: String, value: ImportedValue)] = []
    for pair in pairs {
      let key = pair.name
      guard let place = result.firstIndex(where: { $0.key == key || (ignoringCase && $0.key.lowercased() == key.lowercased()) }) else {
        result.append((key, .text(pair.value)))
        continue
      }
      if case .list(let items) = result[place].value {
        result[place].value = .list(items + [.text(pair.value)])
      } else {
        result[place].value = .list([result[place].value, .text(pair.value)])
      }
    }
    return .object(result)
  }
}

extension String {
  /// Returns the first range in which a text occurs; nil if it does not occur.
  func range(_ text: String) -> Range<String.Index>? { utf8.firstRange(of: text.utf8) }
}
