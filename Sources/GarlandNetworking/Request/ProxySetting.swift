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

  /// Both.
  public init(user: String, password: String) {
    self.user = user
    self.password = password
  }
}
