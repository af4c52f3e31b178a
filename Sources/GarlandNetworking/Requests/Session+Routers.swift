extension Session {
  /// Creates a request from a ``URLRequestConvertible``, such as a case of a router enumeration. The response is kept in memory.
  public func request(_ convertible: some URLRequestConvertible, interceptor: (any RequestInterceptor)? = nil) -> DataRequest {
    DataRequest(session: self, original: original(convertible), interceptor: interceptor)
  }

  /// Sends the request of a ``URLRequestConvertible``, and downloads the response to a file.
  public func download(
    _ convertible: some URLRequestConvertible, to target: DownloadTarget = .temporary, interceptor: (any RequestInterceptor)? = nil
  ) -> DownloadRequest {
    let original = original(convertible).map { request in
      var request = request
      Self.prepare(&request, for: .file(target))
      return request
    }
    return DownloadRequest(session: self, original: original, interceptor: interceptor)
  }

  /// Sends the request of a ``URLRequestConvertible``, and reads the response piece by piece.
  public func stream(_ convertible: some URLRequestConvertible, interceptor: (any RequestInterceptor)? = nil) -> DataStreamRequest {
    let original = original(convertible).map { request in
      var request = request
      Self.prepare(&request, for: .memory)
      return request
    }
    return DataStreamRequest(session: self, original: original, interceptor: interceptor)
  }

  /// Sends the request of a ``URLRequestConvertible`` with `body` as its content.
  public func upload(
    _ body: TransferBody, with convertible: some URLRequestConvertible, interceptor: (any RequestInterceptor)? = nil
  ) -> UploadRequest {
    let original = original(convertible).map { request in
      var request = request
      request.body = body
      return request
    }
    return UploadRequest(session: self, original: original, interceptor: interceptor)
  }

  func original(_ convertible: some URLRequestConvertible) -> Result<TransferRequest, NetworkingError> {
    do {
      var request = try convertible.asURLRequest()
      request.url = absolute(request.url)
      if request.settings.areIdentical(to: TransferSettings()) { request.settings = transferRequest("").settings }
      return .success(request)
    } catch {
      return .failure(NetworkingError(converting: error))
    }
  }
}
