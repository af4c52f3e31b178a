// Requests whose header fields have strings as names; see `HTTPHeaders`.
//
// The parameter is an optional, so that `headers: nil` compiles, and so that `headers: [:]` means
// `HTTPFields`: of two overloads that accept a literal, Swift prefers the one without a conversion to
// an optional. `Tests/LibraryUse/Overloads.swift` has a call of each combination. One generic parameter
// for both kinds of header fields is not possible: in `headers: [.accept: "a/b"]`, the type of the
// literal follows from the type of the parameter.

extension Session {
  /// Creates a request. In `headers`, the names of the fields are strings; see ``HTTPHeaders``.
  public func request(
    _ url: some URLConvertible, method: HTTPRequest.Method = .get, headers: HTTPHeaders?, interceptor: (any RequestInterceptor)? = nil,
    modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DataRequest {
    DataRequest(session: self, original: original(headers) { original(url, method, $0, modify) }, interceptor: interceptor)
  }

  /// Creates a request with parameters of mixed types. The names of the header fields are strings; see ``HTTPHeaders``.
  public func request(
    _ url: some URLConvertible, method: HTTPRequest.Method = .get, parameters: Parameters,
    encoding: some ParameterEncoding = URLEncodedParameters(), headers: HTTPHeaders?, interceptor: (any RequestInterceptor)? = nil,
    modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DataRequest {
    let made = original(headers) { original(url, method, $0, modify, parameters.values, encoding) }
    return DataRequest(session: self, original: made, interceptor: interceptor)
  }

  /// Creates a request whose parameters come from a dictionary. The dictionary's values can be of any types, and the header fields are
  /// ``HTTPHeaders``, whose names are strings.
  @_disfavoredOverload
  public func request(
    _ url: some URLConvertible, method: HTTPRequest.Method = .get, parameters: [String: Any],
    encoding: some ParameterEncoding = URLEncodedParameters(), headers: HTTPHeaders?, interceptor: (any RequestInterceptor)? = nil,
    modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DataRequest {
    request(
      url, method: method, parameters: Parameters(parameters), encoding: encoding, headers: headers, interceptor: interceptor,
      modify: modify)
  }

  /// Creates a request. The properties of `parameters` are encoded as the request's parameters. The header fields are ``HTTPHeaders``,
  /// whose names are strings.
  @_disfavoredOverload
  public func request(
    _ url: some URLConvertible, method: HTTPRequest.Method = .get, parameters: some Encodable,
    encoding: some ParameterEncoding = URLEncodedParameters(), headers: HTTPHeaders?, interceptor: (any RequestInterceptor)? = nil,
    modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DataRequest {
    let made = original(headers) { original(url, method, $0, modify, structured(parameters, encoding), encoding) }
    return DataRequest(session: self, original: made, interceptor: interceptor)
  }

  // MARK: Uploads

  /// Uploads content of any kind. The names in `headers` are strings; see ``HTTPHeaders``.
  public func upload(
    _ body: TransferBody, to url: some URLConvertible, method: HTTPRequest.Method = .post, headers: HTTPHeaders?,
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> UploadRequest {
    let made = original(headers) { original(url, method, $0, modify, prepare: { $0.body = body }) }
    return UploadRequest(session: self, original: made, interceptor: interceptor)
  }

  /// Uploads bytes. The names in `headers` are strings; see ``HTTPHeaders``.
  public func upload(
    _ bytes: [UInt8], to url: some URLConvertible, method: HTTPRequest.Method = .post, headers: HTTPHeaders?,
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> UploadRequest {
    upload(.bytes(bytes), to: url, method: method, headers: headers, interceptor: interceptor, modify: modify)
  }

  /// Uploads the bytes of any collection, such as `Data`. The header fields are ``HTTPHeaders``, whose names are strings.
  @_disfavoredOverload
  public func upload(
    _ bytes: some Collection<UInt8>, to url: some URLConvertible, method: HTTPRequest.Method = .post, headers: HTTPHeaders?,
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> UploadRequest {
    upload(.bytes(Array(bytes)), to: url, method: method, headers: headers, interceptor: interceptor, modify: modify)
  }

  /// Uploads a file, which is read while it is sent. The content type follows from the file's extension unless `headers` contains a content
  /// type. The names in `headers` are strings; see ``HTTPHeaders``.
  public func upload(
    file path: String, to url: some URLConvertible, method: HTTPRequest.Method = .post, headers: HTTPHeaders?,
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> UploadRequest {
    var headers = headers ?? HTTPHeaders()
    if headers["Content-Type"] == nil { headers["Content-Type"] = MediaTypes.type(forPath: path) }
    return upload(.file(path: path), to: url, method: method, headers: headers, interceptor: interceptor, modify: modify)
  }

  /// Uploads a form. In `headers`, the names of the fields are strings; see ``HTTPHeaders``.
  public func upload(
    to url: some URLConvertible, method: HTTPRequest.Method = .post, headers: HTTPHeaders?, interceptor: (any RequestInterceptor)? = nil,
    modify: ((inout TransferRequest) -> Void)? = nil, form build: (inout MultipartFormData) -> Void
  ) -> UploadRequest {
    var form = MultipartFormData()
    build(&form)
    return upload(.multipart(form), to: url, method: method, headers: headers, interceptor: interceptor, modify: modify)
  }

  // MARK: Downloads

  /// Downloads the response body to a file. The request has parameters of mixed types (see ``Parameters``), and the names of its header
  /// fields are strings (see ``HTTPHeaders``).
  public func download(
    _ url: some URLConvertible, to target: DownloadTarget = .temporary, method: HTTPRequest.Method = .get, parameters: Parameters = nil,
    encoding: some ParameterEncoding = URLEncodedParameters(), headers: HTTPHeaders?, interceptor: (any RequestInterceptor)? = nil,
    modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DownloadRequest {
    let made = original(headers) {
      original(url, method, $0, modify, parameters.values, encoding) { Self.prepare(&$0, for: .file(target)) }
    }
    return DownloadRequest(session: self, original: made, interceptor: interceptor)
  }

  /// Downloads the response body to a file. The values of the dictionary `parameters` can be of any types. The header fields are
  /// ``HTTPHeaders``, whose names are strings.
  @_disfavoredOverload
  public func download(
    _ url: some URLConvertible, to target: DownloadTarget = .temporary, method: HTTPRequest.Method = .get, parameters: [String: Any],
    encoding: some ParameterEncoding = URLEncodedParameters(), headers: HTTPHeaders?, interceptor: (any RequestInterceptor)? = nil,
    modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DownloadRequest {
    download(
      url, to: target, method: method, parameters: Parameters(parameters), encoding: encoding, headers: headers, interceptor: interceptor,
      modify: modify)
  }

  /// Downloads the response body to a file. The properties of `parameters` are encoded as the request's parameters. The header fields are
  /// ``HTTPHeaders``, whose names are strings.
  @_disfavoredOverload
  public func download(
    _ url: some URLConvertible, to target: DownloadTarget = .temporary, method: HTTPRequest.Method = .get, parameters: some Encodable,
    encoding: some ParameterEncoding = URLEncodedParameters(), headers: HTTPHeaders?, interceptor: (any RequestInterceptor)? = nil,
    modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DownloadRequest {
    let made = original(headers) {
      original(url, method, $0, modify, structured(parameters, encoding), encoding) { Self.prepare(&$0, for: .file(target)) }
    }
    return DownloadRequest(session: self, original: made, interceptor: interceptor)
  }

  // MARK: Streams

  /// Reads a response piece by piece. The values in `parameters` may have different types. In `headers`, the names of the fields are
  /// strings; see ``HTTPHeaders``.
  public func stream(
    _ url: some URLConvertible, method: HTTPRequest.Method = .get, parameters: Parameters = nil,
    encoding: some ParameterEncoding = URLEncodedParameters(), headers: HTTPHeaders?, interceptor: (any RequestInterceptor)? = nil,
    modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DataStreamRequest {
    let made = original(headers) {
      original(url, method, $0, modify, parameters.values, encoding) { Self.prepare(&$0, for: .memory) }
    }
    return DataStreamRequest(session: self, original: made, interceptor: interceptor)
  }

  /// Reads a response piece by piece. The request's parameters come from a dictionary whose values can be of any types. The header fields
  /// are ``HTTPHeaders``, whose names are strings.
  @_disfavoredOverload
  public func stream(
    _ url: some URLConvertible, method: HTTPRequest.Method = .get, parameters: [String: Any],
    encoding: some ParameterEncoding = URLEncodedParameters(), headers: HTTPHeaders?, interceptor: (any RequestInterceptor)? = nil,
    modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DataStreamRequest {
    stream(
      url, method: method, parameters: Parameters(parameters), encoding: encoding, headers: headers, interceptor: interceptor,
      modify: modify)
  }

  /// Reads a response piece by piece. The properties of `parameters` are encoded as the request's parameters. The names of the header
  /// fields are strings; see ``HTTPHeaders``.
  @_disfavoredOverload
  public func stream(
    _ url: some URLConvertible, method: HTTPRequest.Method = .get, parameters: some Encodable,
    encoding: some ParameterEncoding = URLEncodedParameters(), headers: HTTPHeaders?, interceptor: (any RequestInterceptor)? = nil,
    modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DataStreamRequest {
    let made = original(headers) {
      original(url, method, $0, modify, structured(parameters, encoding), encoding) { Self.prepare(&$0, for: .memory) }
    }
    return DataStreamRequest(session: self, original: made, interceptor: interceptor)
  }

  func original(
    _ headers: HTTPHeaders?, _ make: (HTTPFields) -> Result<TransferRequest, NetworkingError>
  ) -> Result<TransferRequest, NetworkingError> {
    Self.fields(headers).flatMap(make)
  }

  static func fields(_ headers: HTTPHeaders?) -> Result<HTTPFields, NetworkingError> {
    Result { () throws(NetworkingError) in try headers?.fields() ?? HTTPFields() }
  }
}
