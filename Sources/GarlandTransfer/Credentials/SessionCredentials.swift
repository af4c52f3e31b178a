import HTTPTypes

/// The credentials that a session has for origins, used for requests that have none of their own.
///
/// ```swift
/// try configuration.credentials.set(.bearer(token), for: "https://api.example.com")
/// configuration.credentials.netrc = try Netrc.ofUser(environment)
/// ```
/// They go to the origin of the request's URL; a redirect to another origin carries none, whether or not there is one for that.
public struct SessionCredentials: Sendable, Hashable {
  private var byOrigin: [Origin: Credential] = [:]
  /// Users and passwords by host, for origins without a credential here: as basic credentials. Defaults to none.
  public var netrc = Netrc()

  /// None.
  public init() {}

  /// Whether there is nothing here.
  public var isEmpty: Bool { byOrigin.isEmpty && netrc.entries.isEmpty }

  /// The credential for an origin.
  public subscript(origin: Origin) -> Credential? {
    get { byOrigin[origin] }
    set { byOrigin[origin] = newValue }
  }

  /// Sets, or removes, the credential for the origin of a URL: its scheme, host and port.
  public mutating func set(_ credential: Credential?, for url: String) throws(URLReferenceError) {
    guard let origin = try URLReference(url).origin else { throw URLReferenceError(.missingHost, in: url) }
    byOrigin[origin] = credential
  }

  /// The credential for a URL. A user without a password in it is looked for in ``netrc``; user and password are enough.
  func credential(for url: URLReference) -> Credential? {
    let parts = url.userInfo?.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false) ?? []
    if parts.count > 1 { return nil }
    let user = parts.first.map { String(decoding: PercentEncoding.decode($0), as: UTF8.self) }
    if user == nil, let origin = url.origin, let credential = byOrigin[origin] { return credential }
    guard let host = url.host, let entry = netrc.entry(for: host, login: user), let login = user ?? entry.login,
      let password = entry.password
    else { return nil }
    return .basic(user: login, password: password)
  }
}
