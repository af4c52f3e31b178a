import HTTPTypes

/// The rules about which responses to store, to use for a request, and to invalidate (RFC 9111,
/// sections 3, 4 and 4.4).
enum StorageRules {
  /// Whether a method is safe: it changes nothing on the server. Any other method, known or not, may invalidate
  /// stored responses (RFC 9111, section 4.4).
  static func isSafe(_ method: HTTPRequest.Method) -> Bool {
    method == .get || method == .head || method == .options || method == .trace
  }

  /// Whether a response with this status may be stored without an explicit lifetime (RFC 9110, section 15.1). False for 206, although the
  /// RFC allows it, since this cache stores no partial responses.
  static func isHeuristicallyCacheable(_ status: Int) -> Bool {
    switch status {
    case 200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501: true
    default: false
    }
  }

  /// Whether the cache handles a request: a GET or HEAD request without a body and without the field `Range`.
  static func isAnswerable(_ method: HTTPRequest.Method, _ fields: HTTPFields, hasBody: Bool) -> Bool {
    (method == .get || method == .head) && !hasBody && !fields.contains(.range)
  }

  /// Whether a request has its own condition, such as `If-None-Match`. Only the server can decide whether the condition is met.
  static func hasConditions(_ fields: HTTPFields) -> Bool {
    fields.contains(.ifNoneMatch) || fields.contains(.ifModifiedSince) || fields.contains(.ifMatch)
      || fields.contains(.ifUnmodifiedSince) || fields.contains(.ifRange)
  }

  /// Whether a private cache may store the response to a GET (RFC 9111, section 3).
  static func mayStore(status: Int, _ response: HTTPFields, request: HTTPFields) -> Bool {
    let control = CacheControl(response)
    if CacheControl(request).noStore { return false }
    let isUnderstood = isHeuristicallyCacheable(status) || [302, 303, 307].contains(status)
    if control.mustUnderstand {
      // RFC 9111, section 5.2.2.3: with must-understand, no-store applies only to caches that do not know the
      // status.
      if !isUnderstood { return false }
    } else if control.noStore {
      return false
    }
    // Partial responses are not stored, a 304 refers to a stored response, and `Vary: *` matches no
    // later request.
    if status < 200 || status == 206 || status == 304 || variesWithEverything(response) { return false }
    return isHeuristicallyCacheable(status) || control.maxAge != nil || response.contains(.expires) || control.isPublic
      || control.isPrivate
  }

  static func variesWithEverything(_ response: HTTPFields) -> Bool { varyNames(response)?.contains("*") ?? false }

  /// The names in `Vary`, in lower case, sorted and without duplicates; nil if there are none.
  static func varyNames(_ response: HTTPFields) -> [String]? {
    guard response.contains(.vary) else { return nil }
    var names: Set<String> = []
    for value in response[values: .vary] {
      for name in value.split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }) { names.insert(name.lowercased()) }
    }
    return names.isEmpty ? nil : names.sorted()
  }

  /// Returns the names of the properties by which stored responses for the same URL are selected: a later request must have the same values
  /// of these properties as the original request.
  ///
  /// The properties are the header fields named in `Vary` (RFC 9111, section 4.1) and two others: the credentials, unless the response is
  /// `public`, and the cookies, if the response is `private`. A private cache is for one user, but a program may act for several users.
  static func selectingNames(_ response: HTTPFields) -> [String] {
    var names = varyNames(response) ?? []
    let control = CacheControl(response)
    if !control.isPublic || control.isPrivate { names.append(Selection.credentials) }
    if control.isPrivate, !names.contains("cookie") { names.append("cookie") }
    return names.sorted()
  }

  /// Returns the header fields to store: all fields except the fields that belong to the connection (RFC 9111, section 3.1).
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

  /// Returns the URLs whose stored responses become invalid after this response to an unsafe method such as POST (RFC 9111, section 4.4).
  /// These are the URL of the request, and each URL in `Location` and `Content-Location` that has the same origin as the request. Returns
  /// no URL if the status is not 2xx or 3xx.
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
