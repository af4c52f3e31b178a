import HTTPTypes

extension Session {
  /// A request whose response is kept in memory.
  ///
  /// ```swift
  /// let user = try await session.request("https://example.com/users", method: .post, parameters: ["name": "Ada"], encoding: .json)
  ///   .validate().response(of: User.self).value
  /// ```
  /// - Parameters:
  ///   - url: An absolute URL, see ``TransferRequest/url``. One that is none shows when the request is sent.
  ///   - method: Any token. Defaults to GET.
  ///   - parameters: Values to send, as a literal whose order is kept.
  ///   - encoding: Where they go and in which form. Defaults to `key=value&…`, for GET, HEAD and DELETE in the query, else in the body.
  ///   - headers: Fields of the header. Those of the session are added where names are missing.
  ///   - interceptor: Changes the request and says whether it is sent again, before the session's own.
  ///   - modify: Changes the request once it is put together: its body, settings and so on.
  public func request(
    _ url: String, method: HTTPRequest.Method = .get, parameters: StructuredValue? = nil,
    encoding: some ParameterEncoding = URLEncodedParameters(), headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DataRequest {
    let original = makeRequest(url, method, headers, modify) { (request) throws(ParameterEncodingError) in
      if let parameters { try encoding.encode(parameters, into: &request) }
    }
    return DataRequest(session: self, original: original, interceptor: interceptor)
  }

  /// A request whose response is kept in memory, with the properties of a value as its parameters, in the order in which its type writes them.
  ///
  /// The other parameters are those of ``request(_:method:parameters:encoding:headers:interceptor:modify:)-(_,_,StructuredValue?,_,_,_,_)``.
  @_disfavoredOverload
  public func request(
    _ url: String, method: HTTPRequest.Method = .get, parameters: some Encodable,
    encoding: some ParameterEncoding = URLEncodedParameters(), headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DataRequest {
    let original = makeRequest(url, method, headers, modify) { (request) throws(ParameterEncodingError) in
      try encoding.encode(try StructuredEncoder().encode(parameters), into: &request)
    }
    return DataRequest(session: self, original: original, interceptor: interceptor)
  }

  /// A request that is ready but for what the session adds: missing header fields, stricter limits. Its settings, cookies included, are its own;
  /// start from ``transferRequest(_:method:headers:)`` to have the session's.
  public func request(_ request: TransferRequest, interceptor: (any RequestInterceptor)? = nil) -> DataRequest {
    DataRequest(session: self, original: .success(request), interceptor: interceptor)
  }

  func makeRequest(
    _ url: String, _ method: HTTPRequest.Method, _ headers: HTTPFields, _ modify: ((inout TransferRequest) -> Void)?,
    _ encode: (inout TransferRequest) throws(ParameterEncodingError) -> Void
  ) -> Result<TransferRequest, NetworkingError> {
    var request = transferRequest(url, method: method, headers: headers)
    do throws(ParameterEncodingError) {
      try encode(&request)
    } catch {
      return .failure(NetworkingError(.parameters(error), url: url))
    }
    modify?(&request)
    return .success(request)
  }
}

// MARK: - Uploads

extension Session {
  /// Sends bytes.
  ///
  /// ```swift
  /// try await session.upload(Array("hello".utf8), to: url, headers: [.contentType: "text/plain"]).validate().data
  /// ```
  public func upload(
    _ bytes: [UInt8], to url: String, method: HTTPRequest.Method = .post, headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> UploadRequest {
    upload(.bytes(bytes), to: url, method: method, headers: headers, interceptor: interceptor, modify: modify)
  }

  /// Sends a file, read while it is sent. The content type is that of the name's extension, unless the header has one.
  public func upload(
    file path: String, to url: String, method: HTTPRequest.Method = .post, headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> UploadRequest {
    var headers = headers
    if headers[.contentType] == nil { headers[.contentType] = MediaTypes.type(forPath: path) }
    return upload(.file(path: path), to: url, method: method, headers: headers, interceptor: interceptor, modify: modify)
  }

  /// Sends a stream, which is asked for the next piece when the one before has left.
  public func upload(
    _ stream: BodyStream, to url: String, method: HTTPRequest.Method = .post, headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> UploadRequest {
    upload(.stream(stream), to: url, method: method, headers: headers, interceptor: interceptor, modify: modify)
  }

  /// Sends a form, whose files are read while they are sent.
  ///
  /// ```swift
  /// session.upload(to: url) { form in
  ///   form.append("Front cover", name: "caption")
  ///   form.append(file: "cover.png", name: "image")
  /// }
  /// ```
  public func upload(
    to url: String, method: HTTPRequest.Method = .post, headers: HTTPFields = HTTPFields(), interceptor: (any RequestInterceptor)? = nil,
    modify: ((inout TransferRequest) -> Void)? = nil, form build: (inout MultipartFormData) -> Void
  ) -> UploadRequest {
    var form = MultipartFormData()
    build(&form)
    return upload(.multipart(form), to: url, method: method, headers: headers, interceptor: interceptor, modify: modify)
  }

  /// Sends content of any kind.
  public func upload(
    _ body: TransferBody, to url: String, method: HTTPRequest.Method = .post, headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> UploadRequest {
    let original = makeRequest(url, method, headers, modify) { (request) throws(ParameterEncodingError) in request.body = body }
    return UploadRequest(session: self, original: original, interceptor: interceptor)
  }
}
