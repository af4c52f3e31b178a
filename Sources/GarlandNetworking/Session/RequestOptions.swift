/// The options that a request had when it started.
struct RequestOptions: Sendable {
  var validators: [Validator] = []
  var interceptor: (any RequestInterceptor)?
  var redirectHandler: (any RedirectHandler)?
  var credential: Credential?
  var challengeHandler: (any ChallengeHandler)?
  /// Decides about the response before its body is read.
  var disposition: (@Sendable (TransferResponse) async -> ResponseDisposition)?
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
