import CCurl
import Glibc

extension Transfer {
  /// Returns the reason for a failure, from libcurl's code and text and the system's error number.
  func reason(for code: CURLcode, easy: EasyHandle) -> NetworkingError.Reason {
    let text = easy.errorText
    let detail = text.isEmpty ? String(cString: curl_easy_strerror(code)) : text
    let host = origin?.host ?? ""
    let port = origin?.port ?? 0
    if let reason = ftpReason(for: code, detail: detail) { return reason }
    if let detail = proxyFailure(for: code, easy, detail: detail) { return .proxy(detail: detail) }
    // TLS 1.3 refuses a client certificate only after the client considers the handshake complete,
    // so the alert arrives while reading or writing.
    if !route.usesProxy || code == CURLE_RECV_ERROR, let alert = TLSAlert(openSSL: detail) { return .tls(.alert(alert), detail: detail) }
    switch code {
    case CURLE_URL_MALFORMAT, CURLE_BAD_FUNCTION_ARGUMENT: return .invalidRequest(detail)
    case CURLE_COULDNT_RESOLVE_HOST: return .resolve(host: host)
    case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: return .proxy(detail: detail)
    case CURLE_COULDNT_CONNECT: return connectReason(easy, host: host, port: port, detail: detail)
    case CURLE_INTERFACE_FAILED:
      // libcurl's text "bind failed with errno 99: Cannot assign requested address" contains the system's message.
      let message = detail.hasPrefix("bind failed") ? detail.split(separator: ": ", maxSplits: 1).last.map(String.init) ?? detail : detail
      return .unreachable(host: host, port: port, detail: "the chosen network interface or local address can't be used: \(message)")
    case CURLE_OPERATION_TIMEDOUT:
      let limit = request.settings.connectTimeout ?? request.settings.idleTimeout ?? .zero
      return .timeout(.init(limit: .connect, phase: phase, duration: limit))
    case CURLE_PARTIAL_FILE where isClosedHTTP2(code, easy): return .connectionLost(detail: "it was closed without a response")
    case CURLE_PARTIAL_FILE where !isFTP && intake.head.isEmpty:
      return .connectionLost(detail: "the server reset the HTTP/2 stream without a response")
    case CURLE_PARTIAL_FILE:
      return missingRest ?? .truncated(received: easy.offset(CURLINFO_SIZE_DOWNLOAD_T), expected: intake.head.contentLength)
    case CURLE_GOT_NOTHING: return .connectionLost(detail: "it was closed without a response")
    case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM: return lostReason(easy, detail: detail)
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP_RETURNED_ERROR: return .invalidResponse(detail: detail)
    case CURLE_SEND_FAIL_REWIND: return .authentication(.bodyNotRepeatable)
    case CURLE_OUT_OF_MEMORY where !intake.head.isComplete && easy.offset(CURLINFO_PRETRANSFER_TIME_T) > 0:
      // libcurl's own limit for a header line, CURL_MAX_HTTP_HEADER, for which it has no separate
      // error.
      return .headerTooLarge(limit: 100 << 10)
    case CURLE_BAD_CONTENT_ENCODING: return .undecodable(detail: detail)
    case CURLE_WRITE_ERROR where intake.head.received.contains("content-encoding"): return .undecodable(detail: detail)
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH:
      return .tls(detail.contains("match") && detail.contains("name") ? .wrongHost : .untrusted, detail: detail)
    case CURLE_SSL_CONNECT_ERROR, CURLE_USE_SSL_FAILED: return .tls(.handshake, detail: detail)
    case CURLE_SSL_CIPHER: return .tls(.settings, detail: detail)
    case CURLE_SSL_CERTPROBLEM, CURLE_SSL_CLIENTCERT: return .tls(.clientCertificate, detail: detail)
    case CURLE_SSL_CACERT_BADFILE: return .tls(.authorities, detail: detail)
    case CURLE_NOT_BUILT_IN, CURLE_UNKNOWN_OPTION: return .unsupported(detail)
    default: return .library(code: Int32(code.rawValue), detail: detail)
    }
  }

  /// If the transfer failed while an HTTP proxy was opening a tunnel, returns a description of the proxy's failure; otherwise nil. The
  /// server did not cause such an error.
  private func proxyFailure(for code: CURLcode, _ easy: EasyHandle, detail: String) -> String? {
    guard asksProxyForTunnel(easy), easy.long(CURLINFO_LOCAL_PORT) > 0 else { return nil }
    switch code {
    case CURLE_RECV_ERROR where detail.hasSuffix("response 0"): return "it opened no tunnel: its response to CONNECT is not HTTP"
    case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE:
      return detail.contains("CONNECT") ? detail : "it opened no tunnel: \(detail)"
    // libcurl's errors for an invalid response to CONNECT.
    case CURLE_BAD_FUNCTION_ARGUMENT, CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL:
      return "it opened no tunnel: its response to CONNECT is not HTTP"
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR:
      return "the TLS connection to it failed: \(detail)"
    default: return nil
    }
  }

  private func connectReason(_ easy: EasyHandle, host: String, port: Int, detail: String) -> NetworkingError.Reason {
    if route.usesProxy { return .proxy(detail: detail) }
    let number = Int32(easy.long(CURLINFO_OS_ERRNO))
    if number == ECONNREFUSED { return .refused(host: host, port: port) }
    let socket = request.settings.unixSocket.map { "the Unix socket \($0): " } ?? ""
    return .unreachable(host: host, port: port, detail: socket + (number == 0 ? detail : systemMessage(number)))
  }

  /// Whether the server closed an HTTP/2 connection before the response. If the server resets a stream and then sends a GOAWAY frame,
  /// libcurl returns the same code, but another text.
  func isClosedHTTP2(_ code: CURLcode, _ easy: EasyHandle) -> Bool {
    code == CURLE_PARTIAL_FILE && intake.head.isEmpty && easy.errorText.hasSuffix("end of the underlying stream")
  }

  private func lostReason(_ easy: EasyHandle, detail: String) -> NetworkingError.Reason {
    if detail.contains("chunk") || detail.contains("hexadecimal") { return .invalidResponse(detail: detail) }
    if route.usesProxy, detail.contains("CONNECT") || detail.contains("proxy") { return .proxy(detail: detail) }
    if easy.offset(CURLINFO_PRETRANSFER_TIME_T) == 0, origin?.scheme == "https" {
      // The server's TLS alert may be lost in two ways. Sending the first bytes of the request failed, after which libcurl does not read
      // the alert; or getting the address of the connection failed earlier, and libcurl keeps only its first error message.
      guard easy.offset(CURLINFO_APPCONNECT_TIME_T) > 0 || detail.hasPrefix("getpeername() failed") else {
        return .tls(.handshake, detail: detail)
      }
      return .tls(
        .handshake,
        detail: "the server closed the connection right after the handshake; it may require a client certificate, or another one")
    }
    return .connectionLost(detail: detail)
  }
}
