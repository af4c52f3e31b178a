/// Which proxy a transfer uses.
public enum ProxySetting: Sendable, Hashable {
  /// None, whatever environment variables say.
  case none
  /// This one for every URL, except for the hosts that are excepted.
  case url(String, credentials: ProxyCredentials? = nil, except: ProxyExceptions = ProxyExceptions())
  /// What environment variables say, as they were when the value was made.
  case environment(ProxyEnvironment)
}

/// User and password for a proxy.
public struct ProxyCredentials: Sendable, Hashable {
  /// The user.
  public var user: String
  /// The password.
  public var password: String
  /// How they are sent. Defaults to basic.
  public var scheme: Scheme

  /// How a proxy is told who is asking. libcurl does this: with all but basic it takes a refusal for each new connection, and NTLM and Negotiate are there only where
  /// libcurl was built with them. For SOCKS proxies it does not matter.
  public enum Scheme: Sendable, Hashable, CaseIterable {
    /// As they are (RFC 7617), at once.
    case basic
    /// Only digests of them (RFC 7616).
    case digest
    /// NTLM.
    case ntlm
    /// A Kerberos ticket from the process's credential cache.
    case negotiate
    /// The best of these that the proxy offers.
    case any
  }

  /// User and password, and how they are sent.
  public init(user: String, password: String, scheme: Scheme = .basic) {
    self.user = user
    self.password = password
    self.scheme = scheme
  }
}
