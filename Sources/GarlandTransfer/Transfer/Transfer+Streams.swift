import CCurl

/// Transfers that only make a connection, for somebody else to use.
extension Transfer {
  /// Sets an easy handle up to connect, and to do TLS where that is asked for.
  func configureStream(_ easy: EasyHandle) {
    easy.set(CURLOPT_CONNECT_ONLY, 1)
    // An HTTP proxy gives a tunnel or nothing.
    if route.usesProxy { easy.set(CURLOPT_HTTPPROXYTUNNEL, 1) }
    // What is spoken on top is the caller's business.
    easy.set(CURLOPT_SSL_ENABLE_ALPN, 0)
    easy.set(CURLOPT_FRESH_CONNECT, 1)
    handover.socket?.give(to: easy)
  }
}
