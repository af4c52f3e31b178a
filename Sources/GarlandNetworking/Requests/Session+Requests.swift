public import HTTPTypes

extension HTTPRequest.Method {
  /// The method QUERY. Like GET, it changes nothing on the server, but it sends the query in the body. The fallback `.post` is never used,
  /// since `QUERY` is a valid name of a method.
  public static let query = HTTPRequest.Method("QUERY") ?? .post
}

extension Session {
  /// Creates a request whose response is kept in memory.
  ///
  /// ```swift
  /// let page = try await session.request("https://example.com/").validate().string
  /// ```
  /// - Parameters:
  ///   - url: An absolute URL (see ``TransferRequest/url``), or a URL relative to ``SessionConfiguration/baseURL``. It is text or another
  ///     ``URLConvertible``. A request with an invalid URL fails when it is sent.
  ///   - method: The method, which can be any token. Defaults to GET.
  ///   - headers: Header fields. The session adds its own fields for names that are missing here.
  ///   - interceptor: Changes the request and decides about retries, before the session's own
  ///     interceptor.
  ///   - modify: Changes the request after it was created, for example its body or settings.
  public func request(
    _ url: some URLConvertible, method: HTTPRequest.Method = .get, headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil,
    modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DataRequest {
    DataRequest(session: self, original: original(url, method, headers, modify), interceptor: interceptor)
  }

  /// Creates a request that sends parameters. Its response is kept in memory.
  ///
  /// ```swift
  /// let user = try await session.request("https://example.com/users", method: .post, parameters: ["name": "Ada"], encoding: .json)
  ///   .validate().response(of: User.self).value
  /// ```
  /// - Parameters:
  ///   - url: An absolute URL; see ``TransferRequest/url``.
  ///   - method: The method, which can be any token. Defaults to GET.
  ///   - parameters: The values to send, for example as a literal. They are sent in the order in which they are written.
  ///   - encoding: The place and the form of the parameters in the request. Defaults to `key=value&…`, in the query for GET, HEAD and DELETE,
  ///     otherwise in the body.
  ///   - headers: Header fields.
  ///   - interceptor: Changes the request and decides about retries, before the session's own interceptor.
  ///   - modify: Changes the request after it was created.
  @_disfavoredOverload
  public func request(
    _ url: some URLConvertible, method: HTTPRequest.Method = .get, parameters: StructuredValue,
    encoding: some ParameterEncoding = URLEncodedParameters(), headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DataRequest {
    DataRequest(
      session: self, original: original(url, method, headers, modify, .success(parameters), encoding), interceptor: interceptor)
  }

  /// Creates a request with parameters of mixed types; see ``Parameters``. Nil means no parameters.
  public func request(
    _ url: some URLConvertible, method: HTTPRequest.Method = .get, parameters: Parameters,
    encoding: some ParameterEncoding = URLEncodedParameters(), headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DataRequest {
    DataRequest(session: self, original: original(url, method, headers, modify, parameters.values, encoding), interceptor: interceptor)
  }

  /// Creates a request whose parameters come from a dictionary. The dictionary's values can be of any types; see ``Parameters``.
  @_disfavoredOverload
  public func request(
    _ url: some URLConvertible, method: HTTPRequest.Method = .get, parameters: [String: Any],
    encoding: some ParameterEncoding = URLEncodedParameters(), headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DataRequest {
    request(
      url, method: method, parameters: Parameters(parameters), encoding: encoding, headers: headers, interceptor: interceptor,
      modify: modify)
  }

  /// Creates a request. The properties of `parameters` become the parameters of the request, in the order in which `encode(to:)` encodes
  /// the properties. If `parameters` is nil, the request has no parameters.
  @_disfavoredOverload
  public func request(
    _ url: some URLConvertible, method: HTTPRequest.Method = .get, parameters: some Encodable,
    encoding: some ParameterEncoding = URLEncodedParameters(), headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DataRequest {
    DataRequest(
      session: self, original: original(url, method, headers, modify, structured(parameters, encoding), encoding), interceptor: interceptor)
  }

  /// Creates a request from a complete transfer request. The session adds a header field only if the transfer request lacks this field, and
  /// applies a limit only if it is stricter than the limit of the transfer request. All other settings, including cookies, come from the
  /// transfer request. To use the session's settings, start from ``transferRequest(_:method:headers:)``.
  public func request(_ request: TransferRequest, interceptor: (any RequestInterceptor)? = nil) -> DataRequest {
    var request = request
    let url = absolute(request.url)
    if url != request.url { request.url = url }
    return DataRequest(session: self, original: .success(request), interceptor: interceptor)
  }

  // MARK: Creating requests

  func structured(
    _ parameters: some Encodable, _ encoding: some ParameterEncoding
  ) -> Result<StructuredValue, ParameterEncodingError> {
    Result { () throws(ParameterEncodingError) in
      var encoder = StructuredEncoder()
      encoder.keepsNils = encoding.keepsNils
      return try encoder.encode(parameters)
    }
  }

  func original(
    _ url: some URLConvertible, _ method: HTTPRequest.Method, _ headers: HTTPFields, _ modify: ((inout TransferRequest) -> Void)?,
    _ parameters: Result<StructuredValue, ParameterEncodingError> = .success(.null),
    _ encoding: some ParameterEncoding = URLEncodedParameters(),
    prepare: (inout TransferRequest) -> Void = { _ in }
  ) -> Result<TransferRequest, NetworkingError> {
    let text: String
    do {
      text = try url.asURL()
    } catch {
      return .failure(NetworkingError(converting: error))
    }
    var request = transferRequest(text, method: method, headers: headers)
    prepare(&request)
    do throws(ParameterEncodingError) {
      let parameters = try parameters.get()
      if !parameters.isNull { try encoding.encode(parameters, into: &request) }
    } catch {
      return .failure(NetworkingError(.parameters(error), url: text))
    }
    modify?(&request)
    return .success(request)
  }
}
