/// Methods that set the options of a request. They have no effect once the request was sent.
extension Request {
  // MARK: Validation

  /// Accepts a status from 200 to 299. If the request has an `Accept` field, the content must also
  /// have a type that the field allows; see ``Validator/automatic``.
  @discardableResult
  public func validate() -> Self { validate(.automatic) }

  /// Adds validators. They run in the order in which they were added. The first validator that fails determines the error of the request.
  @discardableResult
  public func validate(_ validators: Validator...) -> Self {
    change { $0.validators += validators }
    return self
  }

  /// Accepts only responses whose status is in `statuses`.
  @discardableResult
  public func validate(statuses: some Sequence<Int> & Sendable) -> Self { validate(.statuses(statuses)) }

  /// Accepts responses whose media type matches one of `contentTypes`, such as `image/*`, and responses without content. Parameters such as
  /// `charset` are not compared.
  @discardableResult
  public func validate(contentTypes: [String]) -> Self { validate(.contentTypes(contentTypes)) }

  /// Accepts a response unless the closure throws.
  @discardableResult
  public func validate(_ check: @escaping @Sendable (_ request: TransferRequest, _ response: TransferResponse) throws -> Void) -> Self {
    validate(Validator(check))
  }

  // MARK: Interception and events

  /// Adds an interceptor. Interceptors run in the order in which they were added, and before the session's interceptor.
  @discardableResult
  public func interceptor(_ interceptor: any RequestInterceptor) -> Self {
    change { $0.interceptors.append(interceptor) }
    return self
  }

  /// Adds an adapter, which can change the request before each attempt to send it.
  @discardableResult
  public func adapt(using adapter: any RequestAdapter) -> Self { interceptor(Interceptor(adapters: [adapter])) }

  /// Adds a retrier.
  @discardableResult
  public func retry(using retrier: any RequestRetrier) -> Self { interceptor(Interceptor(retriers: [retrier])) }

  /// Adds a monitor, which receives the later events of this request. The monitors of the session receive each event first.
  @discardableResult
  public func eventMonitor(_ monitor: any EventMonitor) -> Self {
    add(monitor)
    return self
  }

  // MARK: Credentials and redirects

  /// Answers the challenges of the request's origin with user and password: by Digest authentication if the server offers it, otherwise by
  /// Basic authentication if the server requests it.
  ///
  /// - Parameters:
  ///   - user: The name of the user.
  ///   - password: The password of the user, in plain text.
  ///   - preemptive: Whether Basic credentials are sent before the server asks. Defaults to false.
  @discardableResult
  public func authenticate(user: String, password: String, preemptive: Bool = false) -> Self {
    authenticate(preemptive ? .basic(user: user, password: password) : .challenged(user: user, password: password))
  }

  /// Sends `credential` with the request, but only to the request's origin.
  @discardableResult
  public func authenticate(_ credential: Credential) -> Self {
    change { $0.credential = credential }
    return self
  }

  /// Compresses the content as it is sent; see ``RequestCompression``.
  @discardableResult
  public func compress(_ coding: RequestCompression.Coding) -> Self { compress(RequestCompression(coding)) }

  /// Compresses the content of the request with the given settings; see ``RequestCompression``.
  @discardableResult
  public func compress(_ compression: RequestCompression) -> Self {
    change { $0.compression = compression }
    return self
  }

  /// Presents `certificate` as the client certificate, but only to the request's origin.
  @discardableResult
  public func authenticate(certificate: ClientCertificate) -> Self {
    change { $0.clientCertificate = certificate }
    return self
  }

  /// Calls `handler` for each redirect, instead of the session's handler.
  @discardableResult
  public func redirect(using handler: any RedirectHandler) -> Self {
    change { $0.redirectHandler = handler }
    return self
  }

  /// Sets how this request uses the session's cache. If the session's own policy never uses the
  /// network, that policy stays in effect.
  @discardableResult
  public func cachePolicy(_ policy: CachePolicy) -> Self {
    change { $0.cachePolicy = policy }
    return self
  }

  /// Calls `handler`, instead of the session's handler, for each response that a cache may store by the rules of HTTP (RFC 9111). The
  /// handler decides whether this response is stored.
  @discardableResult
  public func cacheResponse(using handler: any CachedResponseHandler) -> Self {
    change { $0.cachedResponseHandler = handler }
    return self
  }

  /// Sets the priority of the request. Of the transfers that wait, those with a high priority start first.
  @discardableResult
  public func priority(_ priority: TransferPriority) -> Self {
    change { $0.priority = priority }
    return self
  }

  /// Sets whether the request waits until this machine has a network. Overrides
  /// ``SessionConfiguration/waitsForConnectivity``.
  @discardableResult
  public func waitsForConnectivity(_ waits: Bool = true) -> Self {
    change { $0.waitsForConnectivity = waits }
    return self
  }

  /// Delays the request until `instant` on the session's clock. The request's deadline is counted from `instant` too.
  @discardableResult
  public func begins(at instant: ContinuousClock.Instant) -> Self {
    change { $0.earliestBegin = instant }
    return self
  }

  /// Delays the request by `delay`, counted from now.
  @discardableResult
  public func begins(after delay: Duration) -> Self { begins(at: session.configuration.clock.now().advanced(by: delay)) }

  // MARK: Progress

  /// The upload progress of the request's body. The stream ends with the request. A slow reader misses intermediate values.
  public var uploadProgress: AsyncStream<RequestProgress> { uploads.stream() }

  /// The download progress of the response's body.
  public var downloadProgress: AsyncStream<RequestProgress> { downloads.stream() }

  /// Calls a closure with the upload progress, one call after another, in a separate task.
  @discardableResult
  public func onUploadProgress(_ closure: @escaping @Sendable (RequestProgress) -> Void) -> Self {
    let progress = uploadProgress
    Task { for await step in progress { closure(step) } }
    return self
  }

  /// Calls a closure with the download progress, one call after another, in a separate task.
  @discardableResult
  public func onDownloadProgress(_ closure: @escaping @Sendable (RequestProgress) -> Void) -> Self {
    let progress = downloadProgress
    Task { for await step in progress { closure(step) } }
    return self
  }
}
