/// The scheme, host and port to which credentials belong (RFC 6454).
public struct Origin: Sendable, Hashable, CustomStringConvertible {
  /// The scheme, in lower case.
  public let scheme: String
  /// The host in lower case and ASCII.
  public let host: String
  /// The port; if the URL contains none, the default port of the scheme.
  public let port: Int

  package init(scheme: String, host: String, port: Int) {
    self.scheme = scheme
    self.host = host
    self.port = port
  }

  /// Whether the scheme is `http` or `https`.
  package var isHTTP: Bool { scheme == "http" || scheme == "https" }

  /// The origin as text, for example `https://example.com:443`.
  public var description: String { "\(scheme)://\(host):\(port)" }
}

/// The start of a request's URL, up to the path. If the next URL has the same start, this part is not parsed again.
final class LastAuthority: Sendable {
  let url: URLReference
  let prefix: [UInt8]
  let origin: Origin?
  /// Whether ``url`` uses `http` without TLS.
  let isCleartext: Bool

  init(_ url: URLReference) {
    var start = url
    start.path = ""
    start.query = nil
    start.fragment = nil
    self.url = start
    origin = start.origin
    isCleartext = start.scheme == "http"
    prefix = Array(start.description.utf8)
  }
}
