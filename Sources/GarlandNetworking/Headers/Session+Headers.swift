/// Requests whose header fields have strings as names; see ``HTTPHeaders``.
extension Session {
  /// Creates a request with these header fields.
  @_disfavoredOverload
  public func request(
    _ url: some URLConvertible, method: HTTPRequest.Method = .get, headers: HTTPHeaders, interceptor: (any RequestInterceptor)? = nil,
    modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DataRequest {
    DataRequest(session: self, original: original(headers) { original(url, method, $0, modify) }, interceptor: interceptor)
  }

  /// Creates a request with parameters of mixed types, and these header fields.
  public func request(
    _ url: some URLConvertible, method: HTTPRequest.Method = .get, parameters: Parameters,
    encoding: some ParameterEncoding = URLEncodedParameters(), headers: HTTPHeaders, interceptor: (any RequestInterceptor)? = nil,
    modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DataRequest {
    let made = original(headers) { original(url, method, $0, modify, parameters.values, encoding) }
    return DataRequest(session: self, original: made, interceptor: interceptor)
  }

  /// Creates a request with the properties of a value as parameters, and these header fields.
  @_disfavoredOverload
  public func request(
    _ url: some URLConvertible, method: HTTPRequest.Method = .get, parameters: some Encodable,
    encoding: some ParameterEncoding = URLEncodedParameters(), headers: HTTPHeaders, interceptor: (any RequestInterceptor)? = nil,
    modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DataRequest {
    let made = original(headers) { original(url, method, $0, modify, structured(parameters, encoding), encoding) }
    return DataRequest(session: self, original: made, interceptor: interceptor)
  }

  /// Uploads content of any kind with these header fields.
  @_disfavoredOverload
  public func upload(
    _ body: TransferBody, to url: some URLConvertible, method: HTTPRequest.Method = .post, headers: HTTPHeaders,
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> UploadRequest {
    let made = original(headers) { original(url, method, $0, modify, prepare: { $0.body = body }) }
    return UploadRequest(session: self, original: made, interceptor: interceptor)
  }

  /// Uploads bytes with these header fields.
  @_disfavoredOverload
  public func upload(
    _ bytes: [UInt8], to url: some URLConvertible, method: HTTPRequest.Method = .post, headers: HTTPHeaders,
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> UploadRequest {
    upload(.bytes(bytes), to: url, method: method, headers: headers, interceptor: interceptor, modify: modify)
  }

  /// Uploads a form with these header fields.
  public func upload(
    to url: some URLConvertible, method: HTTPRequest.Method = .post, headers: HTTPHeaders, interceptor: (any RequestInterceptor)? = nil,
    modify: ((inout TransferRequest) -> Void)? = nil, form build: (inout MultipartFormData) -> Void
  ) -> UploadRequest {
    var form = MultipartFormData()
    build(&form)
    return upload(.multipart(form), to: url, method: method, headers: headers, interceptor: interceptor, modify: modify)
  }

  /// Downloads to a file with these header fields.
  @_disfavoredOverload
  public func download(
    _ url: some URLConvertible, to target: DownloadTarget = .temporary, method: HTTPRequest.Method = .get, headers: HTTPHeaders,
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DownloadRequest {
    let made = original(headers) { original(url, method, $0, modify) { Self.prepare(&$0, for: .file(target)) } }
    return DownloadRequest(session: self, original: made, interceptor: interceptor)
  }

  /// Reads a response piece by piece, with these header fields.
  @_disfavoredOverload
  public func stream(
    _ url: some URLConvertible, method: HTTPRequest.Method = .get, headers: HTTPHeaders, interceptor: (any RequestInterceptor)? = nil,
    modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DataStreamRequest {
    let made = original(headers) { original(url, method, $0, modify) { Self.prepare(&$0, for: .memory) } }
    return DataStreamRequest(session: self, original: made, interceptor: interceptor)
  }

  private func original(
    _ headers: HTTPHeaders, _ make: (HTTPFields) -> Result<TransferRequest, NetworkingError>
  ) -> Result<TransferRequest, NetworkingError> {
    do throws(NetworkingError) {
      return make(try headers.fields())
    } catch {
      return .failure(error)
    }
  }
}
