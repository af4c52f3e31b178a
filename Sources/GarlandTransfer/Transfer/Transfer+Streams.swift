import CCurl

/// Transfers that only open the connection of a stream.
extension Transfer {
  /// Configures an easy handle to connect, and to set up TLS if requested.
  func configureStream(_ easy: EasyHandle) {
    easy.set(CURLOPT_CONNECT_ONLY, 1)
    // An HTTP proxy must open a tunnel.
    if route.usesProxy { easy.set(CURLOPT_HTTPPROXYTUNNEL, 1) }
    // The caller chooses the protocol above TLS, so ALPN is not used.
    easy.set(CURLOPT_SSL_ENABLE_ALPN, 0)
    easy.set(CURLOPT_FRESH_CONNECT, 1)
    handover.socket?.give(to: easy)
  }
}
