/// Which version of HTTP is asked for.
public enum HTTPVersionPreference: Sendable, Hashable {
  /// HTTP/2 over TLS if the server has it, else HTTP/1.1.
  case automatic
  /// HTTP/1.1.
  case http1
  /// HTTP/2: agreed on over TLS, by `Upgrade` without, which needs a connection for each request on libcurl 7.88: see <doc:WhatLibcurlDecides>.
  /// Over TLS the first requests to an origin wait until one of them has made a connection, which the others then share.
  case http2
  /// HTTP/2 at once, also without TLS. There, on libcurl 7.88, each request has a connection of its own: see <doc:WhatLibcurlDecides>.
  case http2PriorKnowledge
}
