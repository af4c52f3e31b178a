import HTTPTypes

/// The methods that send a request, and send it again as long as a retrier asks for another attempt.
extension Request {
  // MARK: Requests without their own task

  /// Whether the request is a single transfer that calls no code of the caller, such as an interceptor or a monitor. The result of such a
  /// request is handled on the thread where the response arrives, which saves two thread changes.
  final func isPlain(_ options: RequestOptions) -> Bool {
    !needsDriver && options.interceptors.isEmpty && options.redirectHandler == nil && options.earliestBegin == nil
      && options.challengeHandler == nil && options.disposition == nil && !hasMonitors
      && session.configuration.challengeHandler == nil && session.configuration.interceptor == nil
      && session.configuration.redirectHandler == nil
      && options.validators.allSatisfy(\.isOwn) && !(options.waitsForConnectivity ?? session.configuration.waitsForConnectivity)
  }

  final func runDirectly(_ options: RequestOptions) {
    var request: TransferRequest
    do throws(NetworkingError) {
      request = try original.get()
    } catch {
      finish(.failure(error))
      return
    }
    finalize(&request, options)
    if request.method == .get, !request.body.isEmpty { session.warn(.contentInGet, of: self) }
    note(request: request)
    launch(request) { [request] result in
      var attempt = Attempt(request: request, begun: .now)
      self.take(result, into: &attempt, options)
      self.finish(attempt.outcome(metrics: self.metrics, refusal: nil))
    }
  }

  private final func take(
    _ result: Result<TransferResponse, NetworkingError>, into attempt: inout Attempt, _ options: RequestOptions
  ) {
    switch result {
    case .success(let response):
      attempt.response = response
      note(response: response, metrics: response.metrics)
      do throws(NetworkingError) {
        if let request = attempt.request { try validate(response, to: request, options.validators) }
        try accept(response)
      } catch {
        refuse(response)
        attempt.error = error
      }
    case .failure(let error):
      attempt.response = error.partialResponse
      note(response: error.partialResponse, metrics: error.metrics)
      attempt.error = error
    }
  }

  // MARK: Requests with their own task

  func drive() async {
    let options = options
    if let begin = options.earliestBegin {
      let wait = session.configuration.clock.now().duration(to: begin)
      if wait > .zero { try? await session.configuration.clock.sleep(wait) }
    }
    let interceptors = interceptors(options)
    let started = session.configuration.clock.now()
    while true {
      // A request that was cancelled while it waited for its start time needs no adapters.
      if isCancelled {
        finish(Attempt(request: request, begun: started).cancelled(metrics: metrics, retryCount: retryCount))
        return
      }
      let attempt = await attempt(interceptors: interceptors, options: options, started: started)
      if isCancelled || attempt.isFinal(withRetriers: !interceptors.isEmpty) {
        finish(attempt.outcome(metrics: metrics, refusal: nil))
        return
      }
      switch await decision(after: attempt, interceptors: interceptors) {
      case .success(let delay):
        tell(.retrying(after: delay, because: attempt.error))
        if delay > .zero { try? await session.configuration.clock.sleep(delay) }
        _ = noteRetry()
      case .failure(let end):
        var attempt = attempt
        if let reason = end.reason { attempt.fail(reason) }
        if let refusal = end.refusal { tell(.retryRefused(refusal)) }
        finish(attempt.outcome(metrics: metrics, refusal: end.refusal))
        return
      }
    }
  }

  private func interceptors(_ options: RequestOptions) -> [any RequestInterceptor] {
    guard let last = session.configuration.interceptor else { return options.interceptors }
    return options.interceptors + [last]
  }

  /// Asks the retriers whether to send the request again, after a serializer could not read the response. Returns the result of the
  /// repeated request, or the error if the request is not sent again.
  final func retry(_ outcome: RequestOutcome, after error: NetworkingError) async -> Result<RequestOutcome, NetworkingError> {
    let interceptors = interceptors(options)
    if interceptors.isEmpty { return .failure(error) }
    let clock = session.configuration.clock
    var attempt = Attempt(
      request: outcome.request, response: outcome.response, error: error, retryCount: outcome.retryCount, begun: clock.now())
    switch await decision(after: attempt, interceptors: interceptors) {
    case .success(let delay):
      tell(.retrying(after: delay, because: error))
      if delay > .zero { try? await clock.sleep(delay) }
      if Task.isCancelled { return .failure(NetworkingError(.cancelled, url: error.url)) }
      restart(after: outcome)
      return .success(await self.outcome())
    case .failure(let end):
      if let reason = end.reason { attempt.fail(reason) }
      if let refusal = end.refusal { tell(.retryRefused(refusal)) }
      attempt.error?.retryRefusal = end.refusal
      return .failure(attempt.error ?? error)
    }
  }

  /// One attempt to send a request, with the response or the error in which the attempt ended.
  fileprivate struct Attempt {
    var request: TransferRequest?
    var response: TransferResponse?
    var error: NetworkingError?
    var retryCount = 0
    var begun: ContinuousClock.Instant

    /// Returns whether the request ends with this attempt, so that no retrier is asked. True if there are no retriers, if the request was
    /// cancelled, or if this attempt succeeded with a status less than 400.
    func isFinal(withRetriers hasRetriers: Bool) -> Bool {
      if !hasRetriers { return true }
      if let error { return error.reason.kind == .cancelled }
      return (response?.status.code ?? 0) < 400
    }

    mutating func fail(_ reason: NetworkingError.Reason) {
      var error = NetworkingError(reason, url: request?.url, metrics: response?.metrics ?? error?.metrics ?? TransferMetrics())
      error.partialResponse = response
      self.error = error
    }

    func cancelled(metrics: [TransferMetrics], retryCount: Int) -> RequestOutcome {
      var attempt = self
      attempt.retryCount = retryCount
      attempt.fail(.cancelled)
      return attempt.outcome(metrics: metrics, refusal: nil)
    }

    func outcome(metrics: [TransferMetrics], refusal: RetryRefusal?) -> RequestOutcome {
      let result: Result<TransferResponse, NetworkingError>
      if var error {
        error.retryRefusal = refusal
        result = .failure(error)
      } else if let response {
        result = .success(response)
      } else {
        result = .failure(NetworkingError(.cancelled, url: request?.url))
      }
      return RequestOutcome(request: request, result: result, response: response, metrics: metrics, retryCount: retryCount)
    }
  }

  private func attempt(
    interceptors: [any RequestInterceptor], options: RequestOptions, started: ContinuousClock.Instant
  ) async -> Attempt {
    var attempt = Attempt(retryCount: retryCount, begun: session.configuration.clock.now())
    do throws(NetworkingError) {
      var request = try await adapted(by: interceptors)
      finalize(&request, options)
      if let deadline = request.settings.deadline {
        let left = deadline - started.duration(to: session.configuration.clock.now())
        guard left > .zero else {
          throw NetworkingError(.timeout(.init(limit: .deadline, phase: .waiting, duration: deadline)), url: request.url)
        }
        request.settings.deadline = left
      }
      if request.method == .get, !request.body.isEmpty { session.warn(.contentInGet, of: self) }
      attempt.request = request
      note(request: request)
      tell(.adapted(request))
      let result: Result<TransferResponse, NetworkingError>
      if let handler = options.redirectHandler ?? session.configuration.redirectHandler {
        result = await RedirectFollower(handler: handler, request: request).run { await self.sendAnswering($0, options) }
      } else {
        result = await sendAnswering(request, options)
      }
      if hasMonitors {
        if case .success(let response) = result { for hop in response.redirects { tell(.redirected(hop)) } }
        tell(.transferred(result))
      }
      take(result, into: &attempt, options)
    } catch {
      attempt.error = error
    }
    return attempt
  }

  private func adapted(by interceptors: [any RequestInterceptor]) async throws(NetworkingError) -> TransferRequest {
    var request = try original.get()
    do {
      for interceptor in interceptors { request = try await interceptor.adapt(request) }
      return request
    } catch let error as NetworkingError {
      throw error
    } catch is CancellationError where isCancelled {
      throw NetworkingError(.cancelled, url: request.url)
    } catch {
      throw NetworkingError(.adaptation(.init(error)), url: request.url)
    }
  }

  /// Completes `request` directly before it is sent: adds the options that the caller has set with method chaining, such as a credential,
  /// and the settings of the session.
  final func finalize(_ request: inout TransferRequest, _ options: RequestOptions? = nil) {
    let options = options ?? self.options
    if let credential = options.credential, isForSameOrigin(request) { request.credential = credential }
    if let compression = options.compression { request.compression = compression }
    if let certificate = options.clientCertificate, isForSameOrigin(request) { request.settings.tls.clientCertificate = certificate }
    if let priority = options.priority { request.settings.priority = priority }
    if let policy = options.cachePolicy { request.settings.cachePolicy = policy }
    if let handler = options.cachedResponseHandler { request.cachedResponseHandler = handler }
    let limit = request.settings.maximumBodyBytes
    session.complete(&request)
    if !keepsBody { request.settings.maximumBodyBytes = limit }
  }

  /// Whether `request`, which adapters may have changed, still has the origin of the request that the caller created.
  private func isForSameOrigin(_ request: TransferRequest) -> Bool {
    guard let given = try? original.get() else { return false }
    if given.url == request.url { return true }
    return (try? URLReference(given.url))?.origin == (try? URLReference(request.url))?.origin
  }

  private func validate(
    _ response: TransferResponse, to request: TransferRequest, _ validators: [Validator]
  ) throws(NetworkingError) {
    if validators.isEmpty { return }
    var found: NetworkingError?
    for validator in validators {
      guard let failure = validator.failure(of: response, to: request) else { continue }
      var error = NetworkingError(.validation(failure), url: response.url, metrics: response.metrics)
      error.partialResponse = response
      found = error
      break
    }
    tell(.validated(found))
    if let found { throw found }
  }

  /// The decision not to send the request again. `refusal` and `reason` are nil if there is nothing to report, for example because no
  /// retrier requested a retry.
  private struct NoRetry: Error {
    var refusal: RetryRefusal?
    /// The error with which a retrier replaces the error of the request; nil if the request keeps its own error.
    var reason: NetworkingError.Reason?
  }

  private func decision(
    after attempt: Attempt, interceptors: [any RequestInterceptor]
  ) async -> Result<Duration, NoRetry> {
    guard let request = attempt.request ?? (try? original.get()) else { return .failure(NoRetry()) }
    let isRepeatable = request.body.isRepeatable
    let asked = RequestAttempt(
      request: request, response: attempt.response, error: attempt.error, retryCount: attempt.retryCount, isBodyRepeatable: isRepeatable)
    for interceptor in interceptors {
      let delay: Duration
      switch await interceptor.retry(asked) {
      case .doNotRetry: continue
      case .refuse(let refusal): return .failure(NoRetry(refusal: refusal))
      case .fail(let reason): return .failure(NoRetry(reason: reason))
      case .retry: delay = .zero
      case .retryAfter(let time): delay = time
      }
      if isCancelled { return .failure(NoRetry()) }
      if !isRepeatable { return .failure(NoRetry(refusal: .bodyNotRepeatable)) }
      if hasHandedOn { return .failure(NoRetry(refusal: .responseBegun)) }
      if let deadline = request.settings.deadline {
        // The remaining time, counted from the start of the attempt.
        let left = deadline - attempt.begun.duration(to: session.configuration.clock.now())
        if left <= delay { return .failure(NoRetry(refusal: .deadline)) }
      }
      return .success(delay)
    }
    return .failure(NoRetry())
  }
}

/// The result of a request, which every waiting task receives.
struct RequestOutcome: Sendable {
  /// The request as it was last sent; nil if it could not be created.
  let request: TransferRequest?
  /// The response that the validators accepted, or the error of the request.
  let result: Result<TransferResponse, NetworkingError>
  /// The response, even if a validator refused it; nil if no response arrived.
  let response: TransferResponse?
  /// The metrics of each attempt.
  let metrics: [TransferMetrics]
  let retryCount: Int

  static func failure(_ error: NetworkingError, request: TransferRequest? = nil) -> RequestOutcome {
    RequestOutcome(request: request, result: .failure(error), response: nil, metrics: [], retryCount: 0)
  }
}

extension Request {
  /// Waits for the response and serializes it. If the serializer fails and a retrier requests a retry, the
  /// request is sent again.
  final func serialized<Serializer: ResponseSerializer>(
    with serializer: Serializer, bytes: (TransferResponse) throws(NetworkingError) -> [UInt8]
  ) async -> (outcome: RequestOutcome, result: Result<Serializer.Output, NetworkingError>, duration: Duration) {
    var outcome = await outcome()
    while true {
      let (result, duration) = serializer.result(outcome.request, outcome.result, bytes: bytes)
      guard case .success = outcome.result else { return (outcome, result, duration) }
      guard case .failure(let error) = result else {
        tell(.serialized(duration, failure: nil))
        return (outcome, result, duration)
      }
      tell(.serialized(duration, failure: error))
      switch await retry(outcome, after: error) {
      case .success(let next): outcome = next
      case .failure(let error): return (outcome, .failure(error), duration)
      }
    }
  }
}
