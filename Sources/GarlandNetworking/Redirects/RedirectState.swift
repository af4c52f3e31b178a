import HTTPTypes

/// The head of a request on its way through redirects: what the next hop asks for, and what it must not carry any more.
///
/// A pure value. ``next(status:location:isBodyRepeatable:)`` says what a response means, and moves the state on if it is followed.
///
/// The rules (RFC 9110, section 15.4, and the Fetch standard where browsers agree on more):
/// - 303 becomes GET without the body, unless the method is HEAD; so do 301 and 302 after POST. Anything else repeats method and body.
/// - To another origin go no credentials of any kind, and none on the way back.
/// - At most so many hops.
public struct RedirectState: Sendable {
  /// The method of the current hop.
  public private(set) var method: HTTPRequest.Method
  /// The URL of the current hop.
  public private(set) var url: URLReference
  /// The header of the current hop, as the caller gave it and as far as it still applies.
  public private(set) var headerFields: HTTPFields
  /// Whether the current hop sends the body.
  public private(set) var sendsBody: Bool
  /// Whether credentials of the first origin (header fields, user and password, client certificate) still apply.
  public private(set) var isTrusted = true
  /// How many redirects were followed.
  public private(set) var count = 0
  private let policy: RedirectPolicy
  private let credentialFields: Set<HTTPField.Name>
  private let boundary: URLReference?

  /// The first hop.
  public init(
    method: HTTPRequest.Method, url: URLReference, headerFields: HTTPFields, sendsBody: Bool, credentialFields: Set<HTTPField.Name>,
    policy: RedirectPolicy, boundary: String? = nil
  ) {
    self.method = method
    self.url = url
    self.headerFields = headerFields
    self.sendsBody = sendsBody
    self.credentialFields = credentialFields
    self.policy = policy
    self.boundary = boundary.flatMap { try? URLReference($0) }
  }

  /// What a response means.
  public enum Decision: Sendable, Hashable {
    /// It is the response.
    case deliver
    /// The state is that of the next hop now.
    case follow
    /// It can't be followed.
    case fail(NetworkingError.Redirect)
  }

  /// What a response with this status and `Location` means. `isBodyRepeatable` matters only where the body is sent again.
  public mutating func next(status: Int, location: String?, isBodyRepeatable: Bool) -> Decision {
    guard case .follow(let maximum) = policy, Self.statuses.contains(status), let location else { return .deliver }
    let resolved = (try? URLReference(location))?.resolved(against: url)
    if let resolved, isBoundary(resolved) { return .deliver }
    if count >= maximum { return .fail(.tooMany(limit: maximum)) }
    guard var target = resolved, target.host != nil else { return .fail(.invalidLocation(location)) }
    guard let scheme = target.scheme, scheme == "http" || scheme == "https" else {
      return .fail(.unsupportedScheme(target.scheme ?? ""))
    }
    // RFC 9110, section 10.2.2: a fragment survives a redirect that names none. User and password in a Location are the server's, not ours.
    if target.fragment == nil { target.fragment = url.fragment }
    target.userInfo = nil
    if target.path.isEmpty { target.path = "/" }

    let becomesGet = (status == 303 && method != .head && method != .get) || ((status == 301 || status == 302) && method == .post)
    if sendsBody, !becomesGet, !isBodyRepeatable { return .fail(.bodyNotRepeatable) }
    if becomesGet {
      method = .get
      dropContent()
    }
    if target.origin != url.origin { dropCredentials() }
    url = target
    count += 1
    return .follow
  }

  private static let statuses: Set<Int> = [301, 302, 303, 307, 308]

  /// Whether a redirect leads to where none is followed.
  private func isBoundary(_ target: URLReference) -> Bool {
    guard let boundary else { return false }
    return target.scheme == boundary.scheme && target.host == boundary.host && target.effectivePort == boundary.effectivePort
      && (target.path == boundary.path || target.path + boundary.path == "/")
  }

  /// What describes a content that is not sent any more.
  private mutating func dropContent() {
    sendsBody = false
    for name in [
      HTTPField.Name.contentType, .contentLength, .contentEncoding, .contentLanguage, .contentLocation, .expect, .transferEncoding,
    ] {
      headerFields[name] = nil
    }
  }

  private mutating func dropCredentials() {
    isTrusted = false
    for name in Self.alwaysCredential { headerFields[name] = nil }
    for name in credentialFields { headerFields[name] = nil }
    // A host name of the caller's own was meant for the first origin.
    headerFields[.hostField] = nil
  }

  static let alwaysCredential: [HTTPField.Name] = [.authorization, .cookie, .proxyAuthorization]
}
