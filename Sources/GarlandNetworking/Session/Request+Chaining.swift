import HTTPTypes

/// What a request is told before it is sent. Afterwards these change nothing.
extension Request {
  // MARK: Validation

  /// Accepts a status from 200 to 299, and content of a type that the request's `Accept` allows, if it has one: see ``Validator/automatic``.
  @discardableResult
  public func validate() -> Self { validate(.automatic) }

  /// Adds validators. They run in the order in which they were added, and the first failure wins.
  @discardableResult
  public func validate(_ validators: Validator...) -> Self {
    change { $0.validators += validators }
    return self
  }

  /// Accepts these statuses.
  @discardableResult
  public func validate(statuses: some Sequence<Int> & Sendable) -> Self { validate(.statuses(statuses)) }

  /// Accepts content of these media types, with wildcards and parameters, and responses without content.
  @discardableResult
  public func validate(contentTypes: [String]) -> Self { validate(.contentTypes(contentTypes)) }

  /// Accepts what the closure lets pass: it throws what is wrong.
  @discardableResult
  public func validate(_ check: @escaping @Sendable (_ request: TransferRequest, _ response: TransferResponse) throws -> Void) -> Self {
    validate(Validator(check))
  }

  // MARK: Who and how

  /// Answers the challenges of the request's origin with user and password: by digests where the server offers them, as they are where it asks for Basic.
  ///
  /// - Parameter preemptive: whether they are sent as they are (Basic) before anybody has asked. Defaults to false.
  @discardableResult
  public func authenticate(user: String, password: String, preemptive: Bool = false) -> Self {
    authenticate(preemptive ? .basic(user: user, password: password) : .challenged(user: user, password: password))
  }

  /// Sends this credential, for the request's origin only.
  @discardableResult
  public func authenticate(_ credential: Credential) -> Self {
    change { $0.credential = credential }
    return self
  }

  /// Compresses the content on its way: see ``RequestCompression``.
  @discardableResult
  public func compress(_ coding: RequestCompression.Coding) -> Self { compress(RequestCompression(coding)) }

  /// Compresses the content on its way.
  @discardableResult
  public func compress(_ compression: RequestCompression) -> Self {
    change { $0.compression = compression }
    return self
  }

  /// Shows this certificate to the request's origin, and to no other.
  @discardableResult
  public func authenticate(certificate: ClientCertificate) -> Self {
    change { $0.clientCertificate = certificate }
    return self
  }

  /// Asks this handler about redirects, instead of the session's.
  @discardableResult
  public func redirect(using handler: some RedirectHandler) -> Self {
    change { $0.redirectHandler = handler }
    return self
  }

  /// Uses the session's cache in this way, unless the session never uses the network.
  @discardableResult
  public func cachePolicy(_ policy: CachePolicy) -> Self {
    change { $0.cachePolicy = policy }
    return self
  }

  /// Asks this handler what becomes of a response that may be stored, instead of the session's.
  @discardableResult
  public func cacheResponse(using handler: some CachedResponseHandler) -> Self {
    change { $0.cachedResponseHandler = handler }
    return self
  }

  /// Sets how urgent it is.
  @discardableResult
  public func priority(_ priority: TransferPriority) -> Self {
    change { $0.priority = priority }
    return self
  }

  /// Waits, or does not, until this machine has a network, in place of what the session says: see ``SessionConfiguration/waitsForConnectivity``.
  @discardableResult
  public func waitsForConnectivity(_ waits: Bool = true) -> Self {
    change { $0.waitsForConnectivity = waits }
    return self
  }

  /// Does not begin before this time, on the session's clock. Waiting counts for the deadline from then on only.
  @discardableResult
  public func begins(at instant: ContinuousClock.Instant) -> Self {
    change { $0.earliestBegin = instant }
    return self
  }

  /// Does not begin before this much time has gone by, counted from now.
  @discardableResult
  public func begins(after delay: Duration) -> Self { begins(at: session.configuration.clock.now().advanced(by: delay)) }

  // MARK: Progress

  /// How the request's body is sent. Ends with the request; a reader that is slow misses what was overtaken.
  public var uploadProgress: AsyncStream<RequestProgress> { uploads.stream() }

  /// How the response's body is received.
  public var downloadProgress: AsyncStream<RequestProgress> { downloads.stream() }

  /// Calls a closure as the request's body is sent, one call after the other, in a task of its own.
  @discardableResult
  public func onUploadProgress(_ closure: @escaping @Sendable (RequestProgress) -> Void) -> Self {
    let progress = uploadProgress
    Task { for await step in progress { closure(step) } }
    return self
  }

  /// Calls a closure as the response's body is received, one call after the other, in a task of its own.
  @discardableResult
  public func onDownloadProgress(_ closure: @escaping @Sendable (RequestProgress) -> Void) -> Self {
    let progress = downloadProgress
    Task { for await step in progress { closure(step) } }
    return self
  }
}
