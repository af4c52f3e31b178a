/// What a request was told before it was started.
struct RequestOptions: Sendable {
  var validators: [Validator] = []
  var interceptor: (any RequestInterceptor)?
  var redirectHandler: (any RedirectHandler)?
  var credential: Credential?
  var compression: RequestCompression?
  var priority: TransferPriority?
  /// When the work may begin, at the earliest.
  var earliestBegin: ContinuousClock.Instant?
}
