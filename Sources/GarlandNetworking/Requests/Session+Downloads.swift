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

  /// The same with parameters from variables and values of mixed types: see ``Parameters``.
  public func download(
    _ url: String, to target: DownloadTarget, method: HTTPRequest.Method = .get, parameters: Parameters,
    encoding: some ParameterEncoding = URLEncodedParameters(), headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DownloadRequest {
    let original = original(url, method, headers, modify, parameters.values, encoding) { Self.prepare(&$0, for: .file(target)) }
    return DownloadRequest(session: self, original: original, interceptor: interceptor)
  }

  /// The same with parameters from a dictionary whose values have any types.
  @_disfavoredOverload
  public func download(
    _ url: String, to target: DownloadTarget, method: HTTPRequest.Method = .get, parameters: [String: Any],
    encoding: some ParameterEncoding = URLEncodedParameters(), headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DownloadRequest {
    let original = original(url, method, headers, modify, Parameters(parameters).values, encoding) { Self.prepare(&$0, for: .file(target)) }
    return DownloadRequest(session: self, original: original, interceptor: interceptor)
  }

  /// The same with the properties of a value as parameters.
  @_disfavoredOverload
  public func download(
    _ url: String, to target: DownloadTarget, method: HTTPRequest.Method = .get, parameters: some Encodable,
    encoding: some ParameterEncoding = URLEncodedParameters(), headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DownloadRequest {
    let original = original(url, method, headers, modify, structured(parameters, encoding), encoding) {
      Self.prepare(&$0, for: .file(target))
    }
    return DownloadRequest(session: self, original: original, interceptor: interceptor)
  }

  /// Continues a download that broke off, of this process or of an earlier one.
  ///
  /// ```swift
  /// let path = try await session.download(resuming: data, to: DownloadTarget(path: "big.iso")).validate().file
  /// ```
  /// Where the resource has changed in between, or the server gives no parts, it is received from its beginning. The target's own
  /// ``DownloadTarget/partial-swift.property`` does not count. Resume data hold no header fields: give those that are needed, credentials for example.
  public func download(
    resuming data: ResumeData, to target: DownloadTarget, headers: HTTPFields = HTTPFields(), interceptor: (any RequestInterceptor)? = nil,
    modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DownloadRequest {
    var target = target
    target.partial = .resumes(data)
    return download(data.url, to: target, headers: headers, interceptor: interceptor, modify: modify)
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

  /// The same with parameters from variables and values of mixed types: see ``Parameters``.
  public func stream(
    _ url: String, method: HTTPRequest.Method = .get, parameters: Parameters,
    encoding: some ParameterEncoding = URLEncodedParameters(), headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DataStreamRequest {
    let original = original(url, method, headers, modify, parameters.values, encoding) { Self.prepare(&$0, for: .memory) }
    return DataStreamRequest(session: self, original: original, interceptor: interceptor)
  }

  /// The same with parameters from a dictionary whose values have any types.
  @_disfavoredOverload
  public func stream(
    _ url: String, method: HTTPRequest.Method = .get, parameters: [String: Any],
    encoding: some ParameterEncoding = URLEncodedParameters(), headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DataStreamRequest {
    let original = original(url, method, headers, modify, Parameters(parameters).values, encoding) { Self.prepare(&$0, for: .memory) }
    return DataStreamRequest(session: self, original: original, interceptor: interceptor)
  }

  /// The same with the properties of a value as parameters.
  @_disfavoredOverload
  public func stream(
    _ url: String, method: HTTPRequest.Method = .get, parameters: some Encodable,
    encoding: some ParameterEncoding = URLEncodedParameters(), headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DataStreamRequest {
    let original = original(url, method, headers, modify, structured(parameters, encoding), encoding) { Self.prepare(&$0, for: .memory) }
    return DataStreamRequest(session: self, original: original, interceptor: interceptor)
  }

  private static func prepare(_ request: inout TransferRequest, for destination: TransferDestination) {
    request.destination = destination
    request.settings.maximumBodyBytes = nil
  }
}
