import HTTPTypes

extension Session {
  /// Downloads into a file, which is at its place only when it is complete and was accepted.
  ///
  /// ```swift
  /// let target = DownloadTarget(path: "downloads", name: .suggested, createsDirectories: true)
  /// let path = try await session.download("https://example.com/report", to: target).validate().file
  /// ```
  /// The other parameters are those of ``request(_:method:parameters:encoding:headers:interceptor:modify:)-(_,_,StructuredValue?,_,_,_,_)``.
  public func download(
    _ url: String, to target: DownloadTarget, method: HTTPRequest.Method = .get, parameters: StructuredValue? = nil,
    encoding: some ParameterEncoding = URLEncodedParameters(), headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DownloadRequest {
    let original = makeRequest(url, method, headers, modify) { (request) throws(ParameterEncodingError) in
      request.destination = .file(target)
      request.settings.maximumBodyBytes = nil
      if let parameters { try encoding.encode(parameters, into: &request) }
    }
    return DownloadRequest(session: self, original: original, interceptor: interceptor)
  }

  /// Takes a response piece by piece while it comes in.
  ///
  /// ```swift
  /// for try await line in session.stream("https://example.com/log").validate().lines { print(line) }
  /// ```
  /// The other parameters are those of ``request(_:method:parameters:encoding:headers:interceptor:modify:)-(_,_,StructuredValue?,_,_,_,_)``.
  public func stream(
    _ url: String, method: HTTPRequest.Method = .get, parameters: StructuredValue? = nil,
    encoding: some ParameterEncoding = URLEncodedParameters(), headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DataStreamRequest {
    let original = makeRequest(url, method, headers, modify) { (request) throws(ParameterEncodingError) in
      request.settings.maximumBodyBytes = nil
      if let parameters { try encoding.encode(parameters, into: &request) }
    }
    return DataStreamRequest(session: self, original: original, interceptor: interceptor)
  }

  /// The same, with the properties of a value as parameters.
  @_disfavoredOverload
  public func download(
    _ url: String, to target: DownloadTarget, method: HTTPRequest.Method = .get, parameters: some Encodable,
    encoding: some ParameterEncoding = URLEncodedParameters(), headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DownloadRequest {
    let original = makeRequest(url, method, headers, modify) { (request) throws(ParameterEncodingError) in
      request.destination = .file(target)
      request.settings.maximumBodyBytes = nil
      try encoding.encode(try StructuredEncoder().encode(parameters), into: &request)
    }
    return DownloadRequest(session: self, original: original, interceptor: interceptor)
  }

  /// The same, with the properties of a value as parameters.
  @_disfavoredOverload
  public func stream(
    _ url: String, method: HTTPRequest.Method = .get, parameters: some Encodable,
    encoding: some ParameterEncoding = URLEncodedParameters(), headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DataStreamRequest {
    let original = makeRequest(url, method, headers, modify) { (request) throws(ParameterEncodingError) in
      request.settings.maximumBodyBytes = nil
      try encoding.encode(try StructuredEncoder().encode(parameters), into: &request)
    }
    return DataStreamRequest(session: self, original: original, interceptor: interceptor)
  }
}
