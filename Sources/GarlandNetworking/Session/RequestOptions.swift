/// The options that a request had when it started.
struct RequestOptions: Sendable {
  var validators: [Validator] = []
  var interceptor: (any RequestInterceptor)?
  var redirectHandler: (any RedirectHandler)?
  var credential: Credential?
  var compression: RequestCompression?
  var clientCertificate: ClientCertificate?
  var priority: TransferPriority?
  /// Whether the request waits for a network; nil uses the session's setting.
  var waitsForConnectivity: Bool?
  var cachePolicy: CachePolicy?
  var cachedResponseHandler: (any CachedResponseHandler)?
  /// The earliest time at which the work may begin.
  var earliestBegin: ContinuousClock.Instant?
}
