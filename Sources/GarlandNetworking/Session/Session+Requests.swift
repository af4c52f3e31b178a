import HTTPTypes

extension Session {
  /// A request that is ready but for what the session adds: missing header fields, stricter limits. Its settings, cookies included, are its own.
  public func request(_ request: TransferRequest, interceptor: (any RequestInterceptor)? = nil) -> DataRequest {
    DataRequest(session: self, original: .success(request), interceptor: interceptor)
  }
}
