import HTTPTypes

extension Session {
  /// Downloads the response body to a file.
  ///
  /// The file appears at its path when it is complete and the validators have accepted the response.
  ///
  /// ```swift
  /// let target = DownloadTarget(path: "downloads", name: .suggested, createsDirectories: true)
  /// let path = try await session.download("https://example.com/report", to: target).validate().file
  /// ```
  /// Without a target, the file has a random name in the folder for temporary files, and the caller must remove it after use. The session's
  /// body limit does not apply: set a limit in `modify` if a full disk is a risk. The parameters other than `target` have the same meaning
  /// as in `request(_:method:headers:interceptor:modify:)`.
  public func download(
    _ url: some URLConvertible, to target: DownloadTarget = .temporary, method: HTTPRequest.Method = .get,
    headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DownloadRequest {
    let original = original(url, method, headers, modify) { Self.prepare(&$0, for: .file(target)) }
    return DownloadRequest(session: self, original: original, interceptor: interceptor)
  }

  /// Downloads the response body to a file. The request is sent with `parameters`.
  @_disfavoredOverload
  public func download(
    _ url: some URLConvertible, to target: DownloadTarget = .temporary, method: HTTPRequest.Method = .get, parameters: StructuredValue,
    encoding: some ParameterEncoding = URLEncodedParameters(), headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DownloadRequest {
    let original = original(url, method, headers, modify, .success(parameters), encoding) { Self.prepare(&$0, for: .file(target)) }
    return DownloadRequest(session: self, original: original, interceptor: interceptor)
  }

  /// Downloads the response body to a file. The request has parameters of mixed types; see ``Parameters``.
  public func download(
    _ url: some URLConvertible, to target: DownloadTarget = .temporary, method: HTTPRequest.Method = .get, parameters: Parameters,
    encoding: some ParameterEncoding = URLEncodedParameters(), headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DownloadRequest {
    let original = original(url, method, headers, modify, parameters.values, encoding) { Self.prepare(&$0, for: .file(target)) }
    return DownloadRequest(session: self, original: original, interceptor: interceptor)
  }

  /// Downloads the response body to a file. The request's parameters come from a dictionary whose values can be of any types.
  @_disfavoredOverload
  public func download(
    _ url: some URLConvertible, to target: DownloadTarget = .temporary, method: HTTPRequest.Method = .get, parameters: [String: Any],
    encoding: some ParameterEncoding = URLEncodedParameters(), headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DownloadRequest {
    let original = original(url, method, headers, modify, Parameters(parameters).values, encoding) { Self.prepare(&$0, for: .file(target)) }
    return DownloadRequest(session: self, original: original, interceptor: interceptor)
  }

  /// Downloads the response body to a file. The properties of `parameters` are encoded as the request's parameters.
  @_disfavoredOverload
  public func download(
    _ url: some URLConvertible, to target: DownloadTarget = .temporary, method: HTTPRequest.Method = .get, parameters: some Encodable,
    encoding: some ParameterEncoding = URLEncodedParameters(), headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DownloadRequest {
    let original = original(url, method, headers, modify, structured(parameters, encoding), encoding) {
      Self.prepare(&$0, for: .file(target))
    }
    return DownloadRequest(session: self, original: original, interceptor: interceptor)
  }

  /// Resumes an interrupted download of this process or of an earlier process.
  ///
  /// ```swift
  /// let path = try await session.download(resuming: data, to: DownloadTarget(path: "big.iso")).validate().file
  /// ```
  /// If the resource has changed in the meantime, or the server does not support ranges, the download starts again from the beginning. The
  /// property ``DownloadTarget/partial-swift.property`` of `target` is ignored, since `data` determines the partial file. Resume data
  /// contains no header fields: pass the fields that the server needs, for example credentials.
  public func download(
    resuming data: ResumeData, to target: DownloadTarget, headers: HTTPFields = HTTPFields(), interceptor: (any RequestInterceptor)? = nil,
    modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DownloadRequest {
    var target = target
    target.partial = .resumes(data)
    return download(data.url, to: target, headers: headers, interceptor: interceptor, modify: modify)
  }

  /// Reads a response piece by piece as it arrives.
  ///
  /// ```swift
  /// for try await line in session.stream("https://example.com/log").validate().lines { print(line) }
  /// ```
  /// The session's body limit does not apply, since the response is never in memory as a whole. The other parameters are those of
  /// `request(_:method:headers:interceptor:modify:)`.
  public func stream(
    _ url: some URLConvertible, method: HTTPRequest.Method = .get, headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil,
    modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DataStreamRequest {
    let original = original(url, method, headers, modify) { Self.prepare(&$0, for: .memory) }
    return DataStreamRequest(session: self, original: original, interceptor: interceptor)
  }

  /// Sends a request with parameters, and reads the response piece by piece.
  @_disfavoredOverload
  public func stream(
    _ url: some URLConvertible, method: HTTPRequest.Method = .get, parameters: StructuredValue,
    encoding: some ParameterEncoding = URLEncodedParameters(), headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DataStreamRequest {
    let original = original(url, method, headers, modify, .success(parameters), encoding) { Self.prepare(&$0, for: .memory) }
    return DataStreamRequest(session: self, original: original, interceptor: interceptor)
  }

  /// Sends a request with parameters of mixed types, and reads the response piece by piece; see ``Parameters``.
  public func stream(
    _ url: some URLConvertible, method: HTTPRequest.Method = .get, parameters: Parameters,
    encoding: some ParameterEncoding = URLEncodedParameters(), headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DataStreamRequest {
    let original = original(url, method, headers, modify, parameters.values, encoding) { Self.prepare(&$0, for: .memory) }
    return DataStreamRequest(session: self, original: original, interceptor: interceptor)
  }

  /// Reads a response piece by piece. The request's parameters come from a dictionary whose values can be of any types.
  @_disfavoredOverload
  public func stream(
    _ url: some URLConvertible, method: HTTPRequest.Method = .get, parameters: [String: Any],
    encoding: some ParameterEncoding = URLEncodedParameters(), headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DataStreamRequest {
    let original = original(url, method, headers, modify, Parameters(parameters).values, encoding) { Self.prepare(&$0, for: .memory) }
    return DataStreamRequest(session: self, original: original, interceptor: interceptor)
  }

  /// Reads a response piece by piece. The properties of `parameters` are encoded as the request's parameters.
  @_disfavoredOverload
  public func stream(
    _ url: some URLConvertible, method: HTTPRequest.Method = .get, parameters: some Encodable,
    encoding: some ParameterEncoding = URLEncodedParameters(), headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DataStreamRequest {
    let original = original(url, method, headers, modify, structured(parameters, encoding), encoding) { Self.prepare(&$0, for: .memory) }
    return DataStreamRequest(session: self, original: original, interceptor: interceptor)
  }

  static func prepare(_ request: inout TransferRequest, for destination: TransferDestination) {
    request.destination = destination
    request.settings.maximumBodyBytes = nil
  }
}
