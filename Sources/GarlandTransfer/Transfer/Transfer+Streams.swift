import CCurl

/// Transfers that only open a connection for a stream, and send no request.
extension Transfer {
  /// Configures an easy handle that only opens a connection, with TLS if requested, and sends no request.
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
