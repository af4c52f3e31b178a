/// The proxies from environment variables: `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`, in
/// lower or upper case.
///
/// `HTTP_PROXY` in upper case is ignored: in a CGI program it is a header field sent by the client.
public struct ProxyEnvironment: Sendable, Hashable {
  /// The proxy for `http` URLs.
  public var http: String?
  /// The proxy for `https` URLs.
  public var https: String?
  /// The proxy for URLs whose scheme has no proxy of its own.
  public var all: String?
  /// The hosts that are reached without a proxy.
  public var exceptions: ProxyExceptions

  /// Reads the variables in `environment`. An empty variable counts as unset.
  public init(_ environment: [String: String]) {
    func value(_ names: String...) -> String? {
      for name in names { if let value = environment[name], !value.isEmpty { return value } }
      return nil
    }
    http = value("http_proxy")
    https = value("https_proxy", "HTTPS_PROXY")
    all = value("all_proxy", "ALL_PROXY")
    exceptions = ProxyExceptions(list: value("no_proxy", "NO_PROXY") ?? "")
  }

  /// Returns the proxy for an origin; nil if there is no proxy.
  public func proxy(for origin: Origin) -> String? {
    if exceptions.contains(host: origin.host, port: origin.port) { return nil }
    return (origin.scheme == "https" ? https : http) ?? all
  }
}
