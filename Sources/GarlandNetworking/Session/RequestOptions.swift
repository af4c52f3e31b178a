/// The options that methods such as `validate()` add to a request. They are copied when the request
/// starts.
struct RequestOptions: Sendable {
  var validators: [Validator] = []
  /// The interceptors of the request itself, which run before the session's interceptor.
  var interceptors: [any RequestInterceptor] = []
  /// The monitors of the request itself, which receive each event after the session's monitors.
  var monitors: [any EventMonitor] = []
  var redirectHandler: (any RedirectHandler)?
  var credential: Credential?
  var challengeHandler: (any ChallengeHandler)?
  /// The closure that decides what happens with a response before its body is read; nil accepts
  /// every response.
  var disposition: (@Sendable (TransferResponse) async -> ResponseDisposition)?
  var compression: RequestCompression?
  var clientCertificate: ClientCertificate?
  var priority: TransferPriority?
  /// Whether the request waits for a network; nil uses the session's setting.
  var waitsForConnectivity: Bool?
  var cachePolicy: CachePolicy?
  var cachedResponseHandler: (any CachedResponseHandler)?
  /// The earliest time at which the request may begin.
  var earliestBegin: ContinuousClock.Instant?
}

/// The decision about a response before its body is read; see
/// ``DataRequest/onResponse(_:)``.
public enum ResponseDisposition: Sendable, Hashable {
  /// The body is read into memory.
  case allow
  /// The request is cancelled.
  case cancel
  /// The body is written to a file. The file appears at its target path, ``DataRequest/file``, when the body is complete and all validators
  /// have accepted the response.
  case becomeDownload(DownloadTarget)
}
