import HTTPTypes

/// Decides whether a ``ResponseCache`` stores a response that it is allowed to store.
///
/// ```swift
/// configuration.cachedResponseHandler = ResponseCacher { response, _ in
///   response.headerFields[.contentType] == "text/html" ? .refuse : .keep
/// }
/// ```
/// A session calls the handler when a response is complete, and only if RFC 9111 allows a private
/// cache to store it. The response is delivered after the decision.
public protocol CachedResponseHandler: Sendable {
  /// Decides whether the cache stores a response, and with which header fields.
  func handle(_ response: CacheableResponse, for request: TransferRequest) async -> CachedResponseAction
}

/// A response that is about to be stored.
public struct CacheableResponse: Sendable, Hashable {
  /// The URL of the response.
  public let url: String
  /// The status of the response.
  public let status: HTTPResponse.Status
  /// The header fields that the cache stores unless the handler changes them.
  public let headerFields: HTTPFields
  /// The number of bytes of the body as transferred, before content decoding.
  public let bodyBytes: Int64
}

/// The decision of a ``CachedResponseHandler`` whether and how a response is stored in the cache.
public enum CachedResponseAction: Sendable, Hashable {
  /// The response is stored unchanged.
  case keep
  /// The response is stored with these header fields, which may, for example, make it fresh for longer. The caller still receives the
  /// original response.
  case change(HTTPFields)
  /// Do not store the response, and remove the response that is already stored for the request.
  case refuse
}

/// A ``CachedResponseHandler`` made from a closure. ``keep`` and ``refuse`` are ready-made handlers.
public struct ResponseCacher: CachedResponseHandler {
  private let decide: @Sendable (CacheableResponse, TransferRequest) async -> CachedResponseAction

  /// Creates a handler from a closure.
  public init(_ decide: @escaping @Sendable (_ response: CacheableResponse, _ request: TransferRequest) async -> CachedResponseAction) {
    self.decide = decide
  }

  /// Stores every response that RFC 9111 allows a private cache to store.
  public static let keep = ResponseCacher { _, _ in .keep }
  /// Stores no response.
  public static let refuse = ResponseCacher { _, _ in .refuse }

  /// Returns the decision of the closure with which this handler was created.
  public func handle(_ response: CacheableResponse, for request: TransferRequest) async -> CachedResponseAction {
    await decide(response, request)
  }
}
