import HTTPTypes

extension Session {
  /// Reads the parts of a multipart response one by one; see ``PartStream``.
  ///
  /// The request has `Accept: multipart/x-mixed-replace` unless `headers` contains another `Accept` field. A response is an error if its
  /// status is not 2xx, or its type is not `multipart/*`. The session's interceptors, trust and other settings apply. The request fails if
  /// no data arrives for longer than the session's idle timeout.
  ///
  /// - Parameters:
  ///   - url: The URL that responds with the parts.
  ///   - method: The HTTP method. Defaults to GET.
  ///   - headers: Header fields of the request.
  ///   - interceptor: Changes the request and decides about retries, before the session's own interceptor.
  ///   - modify: The closure that changes the request before it is sent, for example its settings.
  public func partStream(
    _ url: some URLConvertible, method: HTTPRequest.Method = .get, headers: HTTPFields = HTTPFields(),
    interceptor: (any RequestInterceptor)? = nil, modify: (@Sendable (inout TransferRequest) -> Void)? = nil
  ) -> PartStream {
    partStream(.success(headers), interceptor) { [self] fields in
      original(url, method, fields, modify) { Self.prepare(&$0, for: .memory) }
    }
  }

  /// Reads the parts of a multipart response one by one. The header fields are given as ``HTTPHeaders``, so their names are strings.
  public func partStream(
    _ url: some URLConvertible, method: HTTPRequest.Method = .get, headers: HTTPHeaders?, interceptor: (any RequestInterceptor)? = nil,
    modify: (@Sendable (inout TransferRequest) -> Void)? = nil
  ) -> PartStream {
    partStream(Self.fields(headers), interceptor) { [self] fields in
      original(url, method, fields, modify) { Self.prepare(&$0, for: .memory) }
    }
  }

  private func partStream(
    _ headers: Result<HTTPFields, NetworkingError>, _ interceptor: (any RequestInterceptor)?,
    _ make: @escaping @Sendable (HTTPFields) -> Result<TransferRequest, NetworkingError>
  ) -> PartStream {
    PartStream { [self] in
      let original = headers.flatMap { fields in
        var fields = fields
        if fields[.accept] == nil { fields[.accept] = "multipart/x-mixed-replace" }
        return make(fields)
      }
      return DataStreamRequest(session: self, original: original, interceptor: interceptor)
        .validate(.successful, .contentTypes(["multipart/*"]))
    }
  }
}
