import HTTPTypes

extension Session {
  /// A request whose response is kept in memory.
  ///
  /// ```swift
  /// let page = try await session.request("https://example.com/").validate().string
  /// ```
  /// - Parameters:
  ///   - url: An absolute URL, see ``TransferRequest/url``. One that is none shows when the request is sent.
  ///   - method: Any token. Defaults to GET.
  ///   - headers: Fields of the header. Those of the session are added where names are missing.
  ///   - interceptor: Changes the request and says whether it is sent again, before the session's own.
  ///   - modify: Changes the request once it is put together: its body, settings and so on.
  public func request(
    _ url: String, method: HTTPRequest.Method = .get, headers: HTTPFields = HTTPFields(), interceptor: (any RequestInterceptor)? = nil,
    modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DataRequest {
    DataRequest(session: self, original: original(url, method, headers, modify), interceptor: interceptor)
  }

  /// A request with parameters, whose response is kept in memory.
  ///
  /// ```swift
  /// let user = try await session.request("https://example.com/users", method: .post, parameters: ["name": "Ada"], encoding: .json)
  ///   .validate().response(of: User.self).value
  /// ```
  /// - Parameters:
  ///   - url: An absolute URL, see ``TransferRequest/url``.
  ///   - method: Any token. Defaults to GET.
  ///   - parameters: Values to send, as a literal whose order is kept.
  ///   - encoding: Where they go and in which form. Defaults to `key=value&…`, for GET, HEAD and DELETE in the query, else in the body.
  ///   - headers: Fields of the header.
  ///   - interceptor: Changes the request and says whether it is sent again, before the session's own.
  ///   - modify: Changes the request once it is put together.
  public func request(
    _ url: String, method: HTTPRequest.Method = .get, parameters: StructuredValue,
    encoding: some ParameterEncoding = URLEncodedParameters(), headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DataRequest {
    DataRequest(
      session: self, original: original(url, method, headers, modify, .success(parameters), encoding), interceptor: interceptor)
  }

  /// A request with parameters from variables and values of mixed types: see ``Parameters``.
  public func request(
    _ url: String, method: HTTPRequest.Method = .get, parameters: Parameters,
    encoding: some ParameterEncoding = URLEncodedParameters(), headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DataRequest {
    DataRequest(session: self, original: original(url, method, headers, modify, parameters.values, encoding), interceptor: interceptor)
  }

  /// A request with parameters from a dictionary whose values have any types: see ``Parameters``.
  @_disfavoredOverload
  public func request(
    _ url: String, method: HTTPRequest.Method = .get, parameters: [String: Any],
    encoding: some ParameterEncoding = URLEncodedParameters(), headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DataRequest {
    request(
      url, method: method, parameters: Parameters(parameters), encoding: encoding, headers: headers, interceptor: interceptor,
      modify: modify)
  }

  /// The same, with the properties of a value as parameters, in the order in which its type writes them. Nil is none.
  @_disfavoredOverload
  public func request(
    _ url: String, method: HTTPRequest.Method = .get, parameters: some Encodable,
    encoding: some ParameterEncoding = URLEncodedParameters(), headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil, modify: ((inout TransferRequest) -> Void)? = nil
  ) -> DataRequest {
    DataRequest(
      session: self, original: original(url, method, headers, modify, structured(parameters, encoding), encoding), interceptor: interceptor)
  }

  /// A request that is ready but for what the session adds: missing header fields, stricter limits. Its settings, cookies included, are its own;
  /// start from ``transferRequest(_:method:headers:)`` to have the session's.
  public func request(_ request: TransferRequest, interceptor: (any RequestInterceptor)? = nil) -> DataRequest {
    DataRequest(session: self, original: .success(request), interceptor: interceptor)
  }

  // MARK: Putting requests together

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
    _ url: String, _ method: HTTPRequest.Method, _ headers: HTTPFields, _ modify: ((inout TransferRequest) -> Void)?,
    _ parameters: Result<StructuredValue, ParameterEncodingError> = .success(.null),
    _ encoding: some ParameterEncoding = URLEncodedParameters(),
    prepare: (inout TransferRequest) -> Void = { _ in }
  ) -> Result<TransferRequest, NetworkingError> {
    var request = transferRequest(url, method: method, headers: headers)
    prepare(&request)
    do throws(ParameterEncodingError) {
      let parameters = try parameters.get()
      if !parameters.isNull { try encoding.encode(parameters, into: &request) }
    } catch {
      return .failure(NetworkingError(.parameters(error), url: url))
    }
    modify?(&request)
    return .success(request)
  }
}
