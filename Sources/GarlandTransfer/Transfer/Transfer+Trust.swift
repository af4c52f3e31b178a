import CCurl

/// Aborts a request if the server is not trusted. libcurl calls this function before it sends a request, when the connection (new or
/// reused) is ready.
let checkServerTrust: curl_prereq_callback = { context, _, _, _, _ in
  guard let context else { return CURL_PREREQFUNC_ABORT }
  let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
  return transfer.acceptsServer() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}

/// libcurl calls this function after it has set up OpenSSL for a new connection.
let prepareHandshake: curl_ssl_ctx_callback = { _, context, user in
  guard let context, let user else { return CURLE_SSL_CONNECT_ERROR }
  let transfer = Unmanaged<Transfer>.fromOpaque(user).takeUnretainedValue()
  let isDone = HandshakeSettings.apply(
    requestsStaple: transfer.route.trust?.requirements.requestsStaple ?? false, serverName: transfer.request.settings.tls.serverName,
    to: OpaquePointer(context))
  return isDone ? CURLE_OK : CURLE_SSL_CONNECT_ERROR
}

extension Transfer {
  fileprivate func acceptsServer() -> Bool {
    guard let easy, let host = origin?.host else { return false }
    let connection = TLSConnection(of: easy.handle)
    if request.settings.recordsSecurity, let last = metrics.transactions.indices.last {
      metrics.transactions[last].security = connection?.security
    }
    guard let trust = route.trust, let refusal = trust.refusal(of: connection, host: host) else { return true }
    intake.failure = .trust(refusal)
    // Do not reuse the connection, so that the next request can reach another server of the host, if there is one.
    easy.set(CURLOPT_FORBID_REUSE, 1)
    return false
  }
}
