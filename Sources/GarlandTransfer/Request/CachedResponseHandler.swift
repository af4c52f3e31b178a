import HTTPTypes

/// Says what becomes of responses that may be stored.
///
/// ```swift
/// configuration.cachedResponseHandler = ResponseCacher { response, _ in
///   response.headerFields[.contentType] == "text/html" ? .refuse : .keep
/// }
/// ```
/// Asked once a response is complete, and only for those that RFC 9111 lets a private cache store; the response waits for the answer.
public protocol CachedResponseHandler: Sendable {
  /// What becomes of a response to a request.
  func handle(_ response: CacheableResponse, for request: TransferRequest) async -> CachedResponseAction
}

/// A response that is about to be stored.
public struct CacheableResponse: Sendable, Hashable {
  /// The URL that it came from.
  public let url: String
  /// Its status.
  public let status: HTTPResponse.Status
  /// Its header as it would be stored.
  public let headerFields: HTTPFields
  /// How many bytes its body has, as it came over the wire.
  public let bodyBytes: Int64
}

/// What a ``CachedResponseHandler`` says.
public enum CachedResponseAction: Sendable, Hashable {
  /// It is stored.
  case keep
  /// It is stored with this header, which may say that it is fresh for longer, for example. The response that the request gets stays what it is.
  case change(HTTPFields)
  /// It is not stored. What was stored for the same request goes.
  case refuse
}

/// Ready-made handlers of responses that may be stored.
public struct ResponseCacher: CachedResponseHandler {
  private let decide: @Sendable (CacheableResponse, TransferRequest) async -> CachedResponseAction

  /// One made of a closure.
  public init(_ decide: @escaping @Sendable (_ response: CacheableResponse, _ request: TransferRequest) async -> CachedResponseAction) {
    self.decide = decide
  }

  /// Every response is stored that may be.
  public static let keep = ResponseCacher { _, _ in .keep }
  /// None is.
  public static let refuse = ResponseCacher { _, _ in .refuse }

  /// Asks the closure.
  public func handle(_ response: CacheableResponse, for request: TransferRequest) async -> CachedResponseAction {
    await decide(response, request)
  }
}
