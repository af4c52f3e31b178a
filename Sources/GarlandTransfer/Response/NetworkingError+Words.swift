extension NetworkingError.Reason {
  /// The reason without its details.
  public var kind: NetworkingError.Kind {
    switch self {
    case .invalidRequest: .invalidRequest
    case .unsupported: .unsupported
    case .resolve: .resolve
    case .refused: .refused
    case .unreachable: .unreachable
    case .timeout: .timeout
    case .tls, .trust: .tls
    case .proxy: .proxy
    case .connectionLost: .connectionLost
    case .truncated: .truncated
    case .invalidResponse: .invalidResponse
    case .redirect: .redirect
    case .bodyTooLarge, .itemTooLarge: .bodyTooLarge
    case .headerTooLarge, .tooManyFields: .headerTooLarge
    case .undecodable: .undecodable
    case .upload, .bodyStream: .upload
    case .download: .download
    case .file: .file
    case .background: .background
    case .refusedByServer: .refusedByServer
    case .notCached: .notCached
    case .cache: .cache
    case .cancelled, .shutDown, .invalidated: .cancelled
    case .parameters: .invalidRequest
    case .adaptation: .interception
    case .validation: .validation
    case .serialization: .serialization
    case .authentication: .authentication
    case .library: .library
    }
  }

  /// The details of the exceeded time limit; nil if the reason is not a timeout.
  public var timeout: NetworkingError.Timeout? {
    if case .timeout(let timeout) = self { timeout } else { nil }
  }

  /// The error message.
  public var description: String {
    switch self {
    case .invalidRequest(let detail): "the request can't be sent: \(detail)"
    case .unsupported(let detail): "not supported: \(detail)"
    case .resolve(let host): "could not resolve the host name \(host)"
    case .refused(let host, let port): "connection refused by \(host):\(port)"
    case .unreachable(let host, let port, let detail): "could not connect to \(host):\(port): \(detail)"
    case .timeout(let timeout): timeout.description
    case .tls(let failure, let detail): failure.words(detail)
    case .trust(let refusal): refusal.description
    case .proxy(let detail): "the connection through the proxy failed: \(detail)"
    case .connectionLost(let detail): "the connection was lost: \(detail)"
    case .truncated(let received, let expected?): "the response body ended after \(received) of \(expected) bytes"
    case .truncated(let received, nil): "the response body ended after \(received) bytes, before its end was announced"
    case .invalidResponse(let detail): "the response is invalid: \(detail)"
    case .redirect(let failure): failure.words
    case .bodyTooLarge(let limit): "the response body is larger than the limit of \(limit) bytes"
    case .itemTooLarge(let item, let limit): "the received \(item) is larger than the limit of \(limit) bytes"
    case .headerTooLarge(let limit): "the response's header is larger than the limit of \(limit) bytes"
    case .tooManyFields(let limit): "the response's header has more fields than the limit of \(limit)"
    case .undecodable(let detail): "the response body has an invalid content coding: \(detail)"
    case .background(let failure): failure.description
    case .refusedByServer(_, let detail): "the server refused: \(detail)"
    case .upload(let file), .download(let file), .file(let file): "could not \(file.operation.rawValue) \(file.path): \(file.detail)"
    case .notCached: "the cache has no response to the request, and the cache policy does not allow the request to be sent"
    case .cache(let file): "the cache could not \(file.operation.rawValue) \(file.path): \(file.detail)"
    case .bodyStream(let detail): "the request's body stream failed: \(detail)"
    case .cancelled: "cancelled"
    case .shutDown: "the network engine was shut down"
    case .invalidated: "the session was invalidated"
    case .parameters(let failure): "the parameters can't be encoded: \(failure)"
    case .adaptation(let error): "the request could not be prepared: \(error)"
    case .validation(let failure): failure.description
    case .serialization(let failure): failure.description
    case .authentication(let failure): failure.description
    case .library(let code, let detail): "\(detail) (libcurl error \(code))"
    }
  }
}

extension NetworkingError.Timeout: CustomStringConvertible {
  /// The error message for the timeout, with its duration.
  public var description: String {
    switch limit {
    case .connect: "no connection within \(duration.words), while \(phase)"
    case .idle: "no data for \(duration.words) while \(phase)"
    case .deadline: "timed out after \(duration.words) while \(phase)"
    }
  }
}

extension NetworkingError.TLS {
  /// Returns the error message for a TLS failure.
  ///
  /// - Parameter detail: libcurl's error text. It is omitted if the server sent a TLS alert, since the alert is more precise.
  func words(_ detail: String) -> String {
    // OpenSSL reads the first bytes of another protocol as a version number of TLS.
    if case .handshake = self, detail.contains("wrong version number") {
      return "\(words): the server's answer is not TLS; for a server without TLS, write `http://`"
    }
    if case .clientCertificate = self, detail.contains("unable to set private key file") {
      return "the private key of the client certificate can't be used: \(detail)"
    }
    guard case .alert(let alert) = self else { return "\(words): \(detail)" }
    return "\(words) (TLS alert \"\(alert.rawValue)\")"
  }

  var words: String {
    switch self {
    case .alert(let alert): alert.words
    case .untrusted: "the server's certificate is not trusted"
    case .wrongHost: "the server's certificate is for another host"
    case .handshake: "the TLS handshake failed"
    case .clientCertificate: "the client certificate can't be used"
    case .authorities: "the file of certificate authorities can't be used"
    case .settings: "the settings for TLS can't be used"
    }
  }
}

extension NetworkingError.Redirect {
  var words: String {
    switch self {
    case .tooMany(let limit): "too many redirects: the limit is \(limit)"
    case .invalidLocation(let location): "the redirect leads to \"\(location)\", which is not a URL"
    case .unsupportedScheme(let scheme): "the redirect leads to a \(scheme): URL, but only http and https are supported"
    case .bodyNotRepeatable: "the redirect needs the body again, but the body can't be sent twice"
    }
  }
}

extension Duration {
  /// The duration as text: `250 ms`, `10 s`, `1.5 s`, `5 min`, `1 h`.
  var words: String {
    let milliseconds = components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    if milliseconds < 1000 { return "\(milliseconds) ms" }
    if milliseconds % 3_600_000 == 0 { return "\(milliseconds / 3_600_000) h" }
    if milliseconds % 60_000 == 0, milliseconds > 60_000 { return "\(milliseconds / 60_000) min" }
    if milliseconds % 1000 == 0 { return "\(milliseconds / 1000) s" }
    let tenths = milliseconds / 100
    return "\(tenths / 10).\(tenths % 10) s"
  }
}
