/// What a request was told before it was started.
struct RequestOptions: Sendable {
  var validators: [Validator] = []
  var interceptor: (any RequestInterceptor)?
  var redirectHandler: (any RedirectHandler)?
  var credential: Credential?
  var compression: RequestCompression?
  var clientCertificate: ClientCertificate?
  var priority: TransferPriority?
  /// Whether it waits for a network; nil is as the session does.
  var waitsForConnectivity: Bool?
  var cachePolicy: CachePolicy?
  var cachedResponseHandler: (any CachedResponseHandler)?
  /// When the work may begin, at the earliest.
  var earliestBegin: ContinuousClock.Instant?
}
