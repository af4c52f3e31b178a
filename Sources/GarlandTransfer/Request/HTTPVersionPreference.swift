/// The preferred HTTP version.
public enum HTTPVersionPreference: Sendable, Hashable {
  /// HTTP/2 over TLS if the server supports it, otherwise HTTP/1.1.
  case automatic
  /// HTTP/1.1.
  case http1
  /// HTTP/2, negotiated over TLS. Over TLS the first requests to an origin wait until one of these requests has opened a
  /// connection, and then share it. Without TLS, HTTP/2 is requested by `Upgrade`, which needs a connection for each request with
  /// libcurl 7.88; see the page WhatLibcurlDecides of GarlandNetworking.
  case http2
  /// HTTP/2 from the first byte, also without TLS. Without TLS, each request has its own connection with libcurl 7.88; see the page
  /// WhatLibcurlDecides of GarlandNetworking.
  case http2PriorKnowledge
}
