import CCurl
import GarlandText
import HTTPTypes

/// Downloads of `ftp:` URLs. libcurl implements the protocol; its result is converted to a response with
/// status 200.
extension Transfer {
  var isFTP: Bool { origin?.scheme == "ftp" }

  /// Throws if the request is not a download, or has credentials that FTP does not support.
  func checkFTP() throws(NetworkingError) {
    try checkIsDownload("an ftp: URL")
    switch request.credential {
    case nil, .basic, .challenged: break
    default: throw NetworkingError(.unsupported("an ftp: URL with other credentials than user and password"), url: request.url)
    }
  }

  /// Copies the user and the password from a URL to the options of a libcurl handle.
  private func setUser(of url: URLReference, on easy: EasyHandle) throws(NetworkingError) {
    guard let userInfo = url.userInfo else { return }
    let parts = userInfo.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    try easy.set(CURLOPT_USERNAME, PercentEncoding.text(decoding: parts[0]))
    if parts.count > 1 { try easy.set(CURLOPT_PASSWORD, PercentEncoding.text(decoding: parts[1])) }
  }

  /// Configures an easy handle for a file or directory of an FTP server.
  func configureFTP(_ easy: EasyHandle, _ url: URLReference) throws(NetworkingError) {
    if request.method == .head { easy.set(CURLOPT_NOBODY, 1) }
    // For an anonymous user, libcurl sends a mail address as the password by default, which is sufficient.
    switch request.credential {
    case .basic(let user, let password), .challenged(let user, let password):
      try easy.set(CURLOPT_USERNAME, user)
      try easy.set(CURLOPT_PASSWORD, password)
    default: try setUser(of: url, on: easy)
    }
    // Use a tunnel: without it, libcurl would request an HTTP response from an HTTP proxy.
    if route.usesProxy { easy.set(CURLOPT_HTTPPROXYTUNNEL, 1) }
    let conversation = FTPConversation()
    conversation.attach(to: easy)
    local.ftp = conversation
  }

  /// Creates the head of the response. Called when the first bytes arrive, or when it is certain that none will arrive. Returns false if
  /// the content exceeds the limit.
  func beginFTPResponse() -> Bool {
    if intake.head.isComplete { return true }
    let announced = easy?.offset(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T) ?? -1
    let path = hop?.url.path ?? ""
    return beginResponse(
      type: path.utf8.last == UInt8(ascii: "/") ? "text/plain" : MediaTypes.type(forPath: path), length: announced >= 0 ? announced : nil)
  }

  /// Returns the reason for a libcurl code that is specific to FTP; nil for any other code.
  func ftpReason(for code: CURLcode, detail: String) -> NetworkingError.Reason? {
    guard isFTP else { return nil }
    switch code {
    case CURLE_LOGIN_DENIED, CURLE_REMOTE_FILE_NOT_FOUND, CURLE_REMOTE_ACCESS_DENIED, CURLE_FTP_COULDNT_RETR_FILE,
      CURLE_FTP_COULDNT_SET_TYPE, CURLE_FTP_ACCEPT_FAILED, CURLE_QUOTE_ERROR, CURLE_FTP_WEIRD_PASS_REPLY:
      let reply = local.ftp?.refusal ?? detail
      return .refusedByServer(code: Int(reply.prefix(3)) ?? 0, detail: reply)
    case CURLE_WEIRD_SERVER_REPLY, CURLE_FTP_WEIRD_PASV_REPLY, CURLE_FTP_WEIRD_227_FORMAT, CURLE_FTP_CANT_GET_HOST,
      CURLE_FTP_BAD_FILE_LIST:
      return .invalidResponse(detail: detail)
    default: return nil
    }
  }
}
