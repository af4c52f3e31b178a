import HTTPTypes

extension Session {
  /// Downloads into a file, which is at its place only when it is complete and was accepted.
  ///
  /// ```swift
  /// let target = DownloadTarget(path: "downloads", name: .suggested, createsDirectories: true)
  /// let path = try await session.download("https://example.com/report", to: target).validate().file
  /// ```
  /// The session's limit for bodies does not count: set one in `modify` where a disk may be filled. The other parameters are those of
  /// ``request(_:method:headers:interceptor:modify:)``.
  public func download(
    _ url: String, to target: DownloadTarget, method: HTTPRequest.Method = .get, headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DownloadRequest {
    let original = original(url, method, headers, modify) { Self.prepare(&$0, for: .file(target)) }
    return DownloadRequest(session: self, original: original, interceptor: interceptor)
  }

  /// The same with parameters.
  public func download(
    _ url: String, to target: DownloadTarget, method: HTTPRequest.Method = .get, parameters: StructuredValue,
    encoding: some ParameterEncoding = URLEncodedParameters(), headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DownloadRequest {
    let original = original(url, method, headers, modify, .success(parameters), encoding) { Self.prepare(&$0, for: .file(target)) }
    return DownloadRequest(session: self, original: original, interceptor: interceptor)
  }

  /// The same with the properties of a value as parameters.
  @_disfavoredOverload
  public func download(
    _ url: String, to target: DownloadTarget, method: HTTPRequest.Method = .get, parameters: some Encodable,
    encoding: some ParameterEncoding = URLEncodedParameters(), headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DownloadRequest {
    let original = original(url, method, headers, modify, structured(parameters), encoding) { Self.prepare(&$0, for: .file(target)) }
    return DownloadRequest(session: self, original: original, interceptor: interceptor)
  }

  /// Takes a response piece by piece while it comes in.
  ///
  /// ```swift
  /// for try await line in session.stream("https://example.com/log").validate().lines { print(line) }
  /// ```
  /// The session's limit for bodies does not count, since nothing is kept. The other parameters are those of
  /// ``request(_:method:headers:interceptor:modify:)``.
  public func stream(
    _ url: String, method: HTTPRequest.Method = .get, headers: HTTPFields = HTTPFields(), interceptor: (any RequestInterceptor)? = nil,
    modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DataStreamRequest {
    let original = original(url, method, headers, modify) { Self.prepare(&$0, for: .memory) }
    return DataStreamRequest(session: self, original: original, interceptor: interceptor)
  }

  /// The same with parameters.
  public func stream(
    _ url: String, method: HTTPRequest.Method = .get, parameters: StructuredValue,
    encoding: some ParameterEncoding = URLEncodedParameters(), headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DataStreamRequest {
    let original = original(url, method, headers, modify, .success(parameters), encoding) { Self.prepare(&$0, for: .memory) }
    return DataStreamRequest(session: self, original: original, interceptor: interceptor)
  }

  /// The same with the properties of a value as parameters.
  @_disfavoredOverload
  public func stream(
    _ url: String, method: HTTPRequest.Method = .get, parameters: some Encodable,
    encoding: some ParameterEncoding = URLEncodedParameters(), headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DataStreamRequest {
    let original = original(url, method, headers, modify, structured(parameters), encoding) { Self.prepare(&$0, for: .memory) }
    return DataStreamRequest(session: self, original: original, interceptor: interceptor)
  }

  private static func prepare(_ request: inout TransferRequest, for destination: TransferDestination) {
    request.destination = destination
    request.settings.maximumBodyBytes = nil
  }
}
