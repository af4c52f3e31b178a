import HTTPTypes

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
    let original = original(url, method, headers, modify, prepare: { $0.body = body })
    return UploadRequest(session: self, original: original, interceptor: interceptor)
  }
}
