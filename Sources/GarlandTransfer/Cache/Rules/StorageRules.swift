import HTTPTypes

/// What may be stored, what is used for what, and what makes stored responses invalid (RFC 9111, sections 3, 4 and 4.4).
enum StorageRules {
  /// Methods that change nothing. Any other, known or not, may make invalid what is stored (section 4.4).
  static func isSafe(_ method: HTTPRequest.Method) -> Bool {
    method == .get || method == .head || method == .options || method == .trace
  }

  /// Statuses that may be stored without being told for how long (RFC 9110, section 15.1). 206 is one too, but parts are not stored here.
  static func isHeuristicallyCacheable(_ status: Int) -> Bool {
    switch status {
    case 200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501: true
    default: false
    }
  }

  /// Whether a request is one that the cache has to do with: GET or HEAD for the whole, without content.
  static func isAnswerable(_ method: HTTPRequest.Method, _ fields: HTTPFields, hasBody: Bool) -> Bool {
    (method == .get || method == .head) && !hasBody && !fields.contains(.range)
  }

  /// Whether a request asks something of its own about a response it has: then the answer is the server's.
  static func hasConditions(_ fields: HTTPFields) -> Bool {
    fields.contains(.ifNoneMatch) || fields.contains(.ifModifiedSince) || fields.contains(.ifMatch)
      || fields.contains(.ifUnmodifiedSince) || fields.contains(.ifRange)
  }

  /// Section 3: whether the response to a GET may be stored by a private cache.
  static func mayStore(status: Int, _ response: HTTPFields, request: HTTPFields) -> Bool {
    let control = CacheControl(response)
    if CacheControl(request).noStore { return false }
    let isUnderstood = isHeuristicallyCacheable(status) || [302, 303, 307].contains(status)
    if control.mustUnderstand {
      // Section 5.2.2.3: with it, no-store is for caches that do not know the status.
      if !isUnderstood { return false }
    } else if control.noStore {
      return false
    }
    // Parts are not stored, 304 is about what is stored already, and what varies with everything matches nothing again.
    if status < 200 || status == 206 || status == 304 || variesWithEverything(response) { return false }
    return isHeuristicallyCacheable(status) || control.maxAge != nil || response.contains(.expires) || control.isPublic
      || control.isPrivate
  }

  static func variesWithEverything(_ response: HTTPFields) -> Bool { varyNames(response)?.contains("*") ?? false }

  /// The names in `Vary`, in lower case and order, each once; nil if there are none.
  static func varyNames(_ response: HTTPFields) -> [String]? {
    guard response.contains(.vary) else { return nil }
    var names: Set<String> = []
    for value in response[values: .vary] {
      for name in value.split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }) { names.insert(name.lowercased()) }
    }
    return names.isEmpty ? nil : names.sorted()
  }

  /// What the requests that get a stored response must have in common with the one that brought it, beside the URL.
  ///
  /// `Vary` says it (section 4.1). We add: unless a response is `public`, who asked, as far as the request says; and if it is `private`, the cookies. A private
  /// cache is for one user, but nothing keeps a program from being several.
  static func selectingNames(_ response: HTTPFields) -> [String] {
    var names = varyNames(response) ?? []
    let control = CacheControl(response)
    if !control.isPublic || control.isPrivate { names.append(Selection.credentials) }
    if control.isPrivate, !names.contains("cookie") { names.append("cookie") }
    return names.sorted()
  }

  /// Section 3.1: a header without what belongs to the connection it came over.
  static func storable(_ fields: HTTPFields) -> HTTPFields {
    var dropped = connectionFields
    for value in fields[values: .connection] {
      for name in value.split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }) { dropped.insert(name.lowercased()) }
    }
    var result = HTTPFields()
    for field in fields where !dropped.contains(field.name.canonicalName) { result.append(field) }
    return result
  }

  private static let connectionFields: Set<String> = [
    "connection", "keep-alive", "proxy-connection", "te", "transfer-encoding", "upgrade", "trailer", "proxy-authenticate",
    "proxy-authorization", "proxy-authentication-info",
  ]

  /// Section 4.4: the URLs whose stored responses are invalid after this response to an unsafe method: its own, and those of the same origin that it names.
  static func invalidated(by response: HTTPFields, status: Int, url: URLReference) -> [URLReference] {
    guard (200..<400).contains(status) else { return [] }
    var urls = [url]
    for name in [HTTPField.Name.location, .contentLocation] {
      guard let value = response[values: name].first, let other = (try? URLReference(value))?.resolved(against: url) else { continue }
      if other.origin == url.origin, !urls.contains(other) { urls.append(other) }
    }
    return urls
  }
}
