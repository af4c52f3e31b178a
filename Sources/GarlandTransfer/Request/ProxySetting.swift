/// The proxy of a transfer.
public enum ProxySetting: Sendable, Hashable {
  /// No proxy. Environment variables are ignored.
  case none
  /// A proxy with this URL, used for every host that is not one of the exceptions.
  case url(String, credentials: ProxyCredentials? = nil, except: ProxyExceptions = ProxyExceptions())
  /// The proxy from the environment variables that ``ProxyEnvironment`` has read.
  case environment(ProxyEnvironment)
}

/// User and password for a proxy.
public struct ProxyCredentials: Sendable, Hashable {
  /// The user name at the proxy.
  public var user: String
  /// The password of the user at the proxy.
  public var password: String
  /// The authentication scheme. Defaults to basic.
  public var scheme: Scheme

  /// The authentication scheme of a proxy, as implemented by libcurl. With any scheme except Basic, the proxy first refuses each new
  /// connection with a challenge. NTLM and Negotiate need a libcurl that was built with these schemes. SOCKS proxies ignore the scheme.
  public enum Scheme: Sendable, Hashable, CaseIterable {
    /// The user and password are sent as plain text (RFC 7617), without waiting for a challenge.
    case basic
    /// The user and password are sent as digests (RFC 7616).
    case digest
    /// The proxy authenticates the connection by NTLM.
    case ntlm
    /// The proxy accepts a Kerberos ticket from the process's credential cache.
    case negotiate
    /// The client uses the most secure authentication scheme that the proxy offers. This can be any of the other cases of this type.
    case any
  }

  /// Creates credentials.
  public init(user: String, password: String, scheme: Scheme = .basic) {
    self.user = user
    self.password = password
    self.scheme = scheme
  }
}
