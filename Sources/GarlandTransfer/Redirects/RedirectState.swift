import GarlandText
import HTTPTypes

/// The method, URL and header fields of the current request of a transfer, and the rules by which a redirect changes them.
///
/// The type is a pure value. ``next(status:location:isBodyRepeatable:)`` decides whether a response is a redirect to follow. If it is, the
/// method changes the state to that of the next request.
///
/// The rules are those of RFC 9110, section 15.4. Where RFC 9110 leaves a choice, the rules are those of the Fetch standard, which browsers
/// follow:
/// - After 303, the next request is a GET without a body, unless the method was GET or HEAD. The same applies to 301 and 302 if the method
///   was POST. After any other redirect, the method and the body stay the same.
/// - After a redirect to another origin, requests contain no credentials of any kind. This is also true if a later redirect leads back to
///   the first origin.
/// - The number of redirects is limited.
public struct RedirectState: Sendable {
  /// The URL of a request, parsed or not yet parsed.
  private enum Target: Sendable {
    case reference(URLReference)
    /// A URL that was not parsed. Its scheme, host and port are those of an earlier URL, and a check has found that its other characters
    /// need no encoding.
    case text(String, LastAuthority)
  }

  private struct Values: Sendable {
    var method: HTTPRequest.Method
    var target: Target
    var headerFields: HTTPFields
    var sendsBody: Bool
    var isTrusted = true
    var count = 0
    let policy: RedirectPolicy
    let credentialFields: Set<HTTPField.Name>
    let boundary: URLReference?

    var url: URLReference {
      get {
        switch target {
        case .reference(let url): url
        case .text(let text, let known): URLReference(text, beside: known.url, prefix: known.prefix) ?? known.url
        }
      }
      set { target = .reference(newValue) }
    }

    init(
      method: HTTPRequest.Method, target: Target, headerFields: HTTPFields, sendsBody: Bool, policy: RedirectPolicy,
      credentialFields: Set<HTTPField.Name>, boundary: URLReference?
    ) {
      self.method = method
      self.target = target
      self.headerFields = headerFields
      self.sendsBody = sendsBody
      self.policy = policy
      self.credentialFields = credentialFields
      self.boundary = boundary
    }
  }

  /// The storage of all properties. The storage is a single reference, because many places copy the state of each request, and
  /// most requests are never redirected.
  private var storage: CopyOnWrite<Values>

  /// The method of the current request, after the redirects so far.
  public var method: HTTPRequest.Method { storage.value.method }
  /// The URL of the current request, after the redirects so far.
  public var url: URLReference { storage.value.url }
  /// The header fields of the current request: the caller's fields that still apply after redirects.
  public var headerFields: HTTPFields { storage.value.headerFields }
  /// Whether the current request, after the redirects so far, sends the body.
  public var sendsBody: Bool { storage.value.sendsBody }
  /// Whether credentials for the first origin (header fields, user and password, client certificate) may also be sent with the current
  /// request.
  public var isTrusted: Bool { storage.value.isTrusted }
  /// The number of followed redirects.
  public var count: Int { storage.value.count }
  /// Whether the current request uses `http` without TLS.
  var isCleartext: Bool {
    switch storage.value.target {
    case .reference(let url): url.scheme == "http"
    case .text(_, let known): known.isCleartext
    }
  }
  /// Whether the current request has header fields that the caller has set.
  var hasFields: Bool { !storage.value.headerFields.isEmpty }

  /// Creates the state of a request before any redirect.
  public init(
    method: HTTPRequest.Method, url: URLReference, headerFields: HTTPFields, sendsBody: Bool, credentialFields: Set<HTTPField.Name>,
    policy: RedirectPolicy, boundary: String? = nil
  ) {
    storage = CopyOnWrite(
      Values(
        method: method, target: .reference(url), headerFields: headerFields, sendsBody: sendsBody, policy: policy,
        credentialFields: credentialFields, boundary: boundary.flatMap { try? URLReference($0) }))
  }

  /// Creates the state of a request before any redirect, with an unparsed URL.
  ///
  /// The URL is parsed on demand; most requests never need the parsed URL.
  ///
  /// - Parameters:
  ///   - text: The URL. ``URLReference/isPlain(_:after:)`` must accept it.
  ///   - known: The start of the URL (scheme and authority), parsed for an earlier request.
  init(
    method: HTTPRequest.Method, text: String, known: LastAuthority, headerFields: HTTPFields, sendsBody: Bool,
    credentialFields: Set<HTTPField.Name>, policy: RedirectPolicy, boundary: String?
  ) {
    storage = CopyOnWrite(
      Values(
        method: method, target: .text(text, known), headerFields: headerFields, sendsBody: sendsBody, policy: policy,
        credentialFields: credentialFields, boundary: boundary.flatMap { try? URLReference($0) }))
  }

  /// The reaction to a response: deliver it, follow its redirect, or fail.
  public enum Decision: Sendable, Hashable {
    /// The response is delivered to the caller.
    case deliver
    /// Follow the redirect. The state now describes the next request.
    case follow
    /// Fail, since the redirect cannot be followed.
    case fail(NetworkingError.Redirect)
  }

  /// Decides what to do with a response that has the given status and `Location`. If the body must be sent again but `isBodyRepeatable` is
  /// false, the result is a failure.
  public mutating func next(status: Int, location: String?, isBodyRepeatable: Bool) -> Decision {
    guard case .follow(let maximum) = storage.value.policy, Self.statuses.contains(status), let location else { return .deliver }
    let resolved = (try? URLReference(location))?.resolved(against: url)
    if let resolved, isBoundary(resolved) { return .deliver }
    if count >= maximum { return .fail(.tooMany(limit: maximum)) }
    guard var target = resolved, target.host != nil else { return .fail(.invalidLocation(location)) }
    guard let scheme = target.scheme, scheme == "http" || scheme == "https" else {
      return .fail(.unsupportedScheme(target.scheme ?? ""))
    }
    // If the new URL has no fragment, the fragment of the old URL is kept (RFC 9110, section 10.2.2). User and password in a Location come
    // from the server and are not used.
    if target.fragment == nil { target.fragment = url.fragment }
    target.userInfo = nil
    if target.path.isEmpty { target.path = "/" }

    let becomesGet = (status == 303 && method != .head && method != .get) || ((status == 301 || status == 302) && method == .post)
    if sendsBody, !becomesGet, !isBodyRepeatable { return .fail(.bodyNotRepeatable) }
    if becomesGet {
      storage.value.method = .get
      dropContent()
    }
    if target.origin != url.origin { dropCredentials() }
    storage.value.url = target
    storage.value.count += 1
    return .follow
  }

  private static let statuses: Set<Int> = [301, 302, 303, 307, 308]

  /// Whether a redirect leads to ``TransferSettings/Values/redirectBoundary``, the URL to which no redirect is followed. Query and fragment
  /// are not compared.
  private func isBoundary(_ target: URLReference) -> Bool {
    guard let boundary = storage.value.boundary else { return false }
    return target.scheme == boundary.scheme && target.host == boundary.host && target.effectivePort == boundary.effectivePort
      && (target.path == boundary.path || target.path + boundary.path == "/")
  }

  /// Removes the body from the request, and the header fields that describe the body, such as `Content-Type`.
  private mutating func dropContent() {
    storage.value.sendsBody = false
    for name in [
      HTTPField.Name.contentType, .contentLength, .contentEncoding, .contentLanguage, .contentLocation, .expect, .transferEncoding,
    ] {
      storage.value.headerFields[name] = nil
    }
  }

  private mutating func dropCredentials() {
    storage.value.isTrusted = false
    for name in Self.alwaysCredential { storage.value.headerFields[name] = nil }
    let credentialFields = storage.value.credentialFields
    for name in credentialFields { storage.value.headerFields[name] = nil }
    // The caller's own host name was meant for the first origin.
    storage.value.headerFields[.hostField] = nil
  }

  package static let alwaysCredential: [HTTPField.Name] = [.authorization, .cookie, .proxyAuthorization]
}

/// The way in which a transfer treats a redirect: a response with status 301, 302, 303, 307 or 308 and a `Location`.
public enum RedirectPolicy: Sendable, Hashable {
  /// Follows redirects by the rules of ``RedirectState``, at most `maximum` in a row.
  case follow(maximum: Int = 20)
  /// Delivers the redirect as the response.
  case deliver
}
