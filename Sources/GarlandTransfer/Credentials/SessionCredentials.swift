import HTTPTypes

/// The credentials of a session by origin, for requests without their own.
///
/// ```swift
/// try configuration.credentials.set(.bearer(token), for: "https://api.example.com")
/// configuration.credentials.netrc = try Netrc.ofUser(environment)
/// ```
/// A credential is sent to the origin of the request's URL. A redirect to another origin carries
/// none, even if there is one for that origin.
public struct SessionCredentials: Sendable, Hashable {
  private var byOrigin: [Origin: Credential] = [:]
  /// Users and passwords by host, for origins without another credential here; used as basic
  /// credentials. Defaults to none.
  public var netrc = Netrc()

  /// Creates a set without credentials.
  public init() {}

  /// Whether there are no credentials.
  public var isEmpty: Bool { byOrigin.isEmpty && netrc.entries.isEmpty }

  /// The credential for an origin.
  public subscript(origin: Origin) -> Credential? {
    get { byOrigin[origin] }
    set { byOrigin[origin] = newValue }
  }

  /// Sets or removes the credential for the origin of a URL: its scheme, host and port.
  public mutating func set(_ credential: Credential?, for url: String) throws(URLReferenceError) {
    guard let origin = try URLReference(url).origin else { throw URLReferenceError(.missingHost, in: url) }
    byOrigin[origin] = credential
  }

  /// Returns the credential for a URL. A user without a password in the URL is looked up in
  /// ``netrc``; a user with a password needs no lookup.
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
