import GarlandText

/// The credentials of a session by origin, for requests that have no credential of their own.
///
/// ```swift
/// try configuration.credentials.set(.bearer(token), for: "https://api.example.com")
/// configuration.credentials.netrc = try Netrc.ofUser(environment)
/// ```
/// A credential is sent to the origin of the request's URL. After a redirect to another origin no credential is sent, even if this value
/// contains a credential for that origin.
public struct SessionCredentials: Sendable, Hashable {
  private var byOrigin: [Origin: Credential] = [:]
  /// Users and passwords by host, which are sent as Basic credentials. They apply to each origin for which these session credentials
  /// contain no other credential. Defaults to none.
  public var netrc = Netrc()

  /// Creates an empty collection of credentials.
  public init() {}

  /// Whether the value contains no credentials.
  public var isEmpty: Bool { byOrigin.isEmpty && netrc.entries.isEmpty }

  /// The credential for an origin; nil if there is none.
  public subscript(origin: Origin) -> Credential? {
    get { byOrigin[origin] }
    set { byOrigin[origin] = newValue }
  }

  /// Sets or removes the credential for the origin of a URL: its scheme, host and port.
  public mutating func set(_ credential: Credential?, for url: String) throws(URLReferenceError) {
    guard let origin = try URLReference(url).origin else { throw URLReferenceError(.missingHost, in: url) }
    byOrigin[origin] = credential
  }

  /// Returns the credential for a URL; nil if there is none. If the URL contains a user without a password, the password comes from
  /// ``netrc``. If the URL contains a user and a password, returns nil, since no other credential is needed.
  func credential(for url: URLReference) -> Credential? {
    let parts = url.userInfo?.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false) ?? []
    if parts.count > 1 { return nil }
    let user = parts.first.map { PercentEncoding.text(decoding: $0) }
    if user == nil, let origin = url.origin, let credential = byOrigin[origin] { return credential }
    guard let host = url.host, let entry = netrc.entry(for: host, login: user), let login = user ?? entry.login,
      let password = entry.password
    else { return nil }
    return .basic(user: login, password: password)
  }
}
