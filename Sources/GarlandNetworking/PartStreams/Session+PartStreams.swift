import HTTPTypes

extension Session {
  /// Reads the parts of a multipart response one by one; see ``PartStream``.
  ///
  /// The request has `Accept: multipart/x-mixed-replace` unless `headers` says otherwise. A response
  /// with another status than 2xx, or of another type than `multipart/*`, is an error. Interceptors,
  /// trust and all other settings are those of the session's requests; its idle timeout is also the
  /// longest time without any data.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - method: The method.
  ///   - headers: Header fields of the request.
  ///   - interceptor: An interceptor of the request.
  ///   - modify: Changes the request.
  public func partStream(
    _ url: String, method: HTTPRequest.Method = .get, headers: HTTPFields = HTTPFields(), interceptor: (any RequestInterceptor)? = nil,
    modify: (@Sendable (inout TransferRequest) -> Void)? = nil
  ) -> PartStream {
    PartStream { [self] in
      var headers = headers
      if headers[.accept] == nil { headers[.accept] = "multipart/x-mixed-replace" }
      return stream(url, method: method, headers: headers, interceptor: interceptor, modify: modify)
        .validate(.successful, .contentTypes(["multipart/*"]))
    }
  }
}
