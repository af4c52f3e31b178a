extension Session {
  /// Creates a TCP connection; see ``StreamTask``.
  ///
  /// The first operation on the task opens the connection.
  ///
  /// - Parameters:
  ///   - host: The host to connect to: a name or an address.
  ///   - port: The TCP port of the host.
  ///   - isSecure: Whether the connection begins with TLS.
  ///   - modify: The closure that changes the session's settings for this connection: TLS, proxy,
  ///     interface and so on.
  public func stream(
    toHost host: String, port: Int, isSecure: Bool = false, modify: ((inout TransferSettings) -> Void)? = nil
  ) -> StreamTask {
    let isAddress = host.utf8.contains(UInt8(ascii: ":")) && host.utf8.first != UInt8(ascii: "[")
    let destination = (isAddress ? "[\(host)]" : host) + ":\(port)"
    var request = transferRequest("\(isSecure ? "https" : "http")://\(destination)/")
    modify?(&request.settings)
    request.settings = request.settings.restricted(by: configuration.settings)
    request.settings.cookies = nil
    request.extent = .stream
    let made: Result<TransferRequest, NetworkingError>
    if responder != nil {
      made = .failure(NetworkingError(.unsupported("a stream in a session that has a transport of its own")))
    } else if (1...65535).contains(port), let url = try? URLReference(request.url), url.userInfo == nil, url.path == "/",
      url.host?.isEmpty == false
    {
      made = .success(request)
    } else {
      made = .failure(NetworkingError(.invalidRequest("\(destination) is not a host and port")))
    }
    return StreamTask(session: self, engine: streamEngine, destination: destination, request: made, isSecure: isSecure)
  }
}
