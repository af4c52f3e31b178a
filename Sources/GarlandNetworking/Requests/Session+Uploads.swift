import HTTPTypes

extension Session {
  /// Uploads bytes.
  ///
  /// ```swift
  /// try await session.upload(Array("hello".utf8), to: url, headers: [.contentType: "text/plain"]).validate().data
  /// ```
  public func upload(
    _ bytes: [UInt8], to url: some URLConvertible, method: HTTPRequest.Method = .post, headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> UploadRequest {
    upload(.bytes(bytes), to: url, method: method, headers: headers, interceptor: interceptor, modify: modify)
  }

  /// Uploads the bytes of any collection, such as `Data`.
  @_disfavoredOverload
  public func upload(
    _ bytes: some Collection<UInt8>, to url: some URLConvertible, method: HTTPRequest.Method = .post, headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> UploadRequest {
    upload(.bytes(Array(bytes)), to: url, method: method, headers: headers, interceptor: interceptor, modify: modify)
  }

  /// Uploads a file, which is read while it is sent. The content type follows from the file's extension unless `headers` contains a content
  /// type.
  public func upload(
    file path: String, to url: some URLConvertible, method: HTTPRequest.Method = .post, headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> UploadRequest {
    var headers = headers
    if headers[.contentType] == nil { headers[.contentType] = MediaTypes.type(forPath: path) }
    return upload(.file(path: path), to: url, method: method, headers: headers, interceptor: interceptor, modify: modify)
  }

  /// Uploads a stream. The next piece is read from the stream after the previous one was sent.
  public func upload(
    _ stream: BodyStream, to url: some URLConvertible, method: HTTPRequest.Method = .post, headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> UploadRequest {
    upload(.stream(stream), to: url, method: method, headers: headers, interceptor: interceptor, modify: modify)
  }

  /// Uploads a form.
  ///
  /// The files of the form are read while they are sent.
  ///
  /// ```swift
  /// session.upload(to: url) { form in
  ///   form.append("Front cover", name: "caption")
  ///   form.append(file: "cover.png", name: "image")
  /// }
  /// ```
  public func upload(
    to url: some URLConvertible, method: HTTPRequest.Method = .post, headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil,
    modify: ((inout TransferRequest) -> Void)? = nil, form build: (inout MultipartFormData) -> Void
  ) -> UploadRequest {
    var form = MultipartFormData()
    build(&form)
    return upload(.multipart(form), to: url, method: method, headers: headers, interceptor: interceptor, modify: modify)
  }

  /// Uploads content of any kind.
  public func upload(
    _ body: TransferBody, to url: some URLConvertible, method: HTTPRequest.Method = .post, headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> UploadRequest {
    let original = original(url, method, headers, modify, prepare: { $0.body = body })
    return UploadRequest(session: self, original: original, interceptor: interceptor)
  }
}
