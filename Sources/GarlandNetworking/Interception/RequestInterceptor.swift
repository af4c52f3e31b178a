/// Changes requests and decides about retries. By default, requests are sent unchanged and not retried.
public protocol RequestInterceptor: RequestAdapter, RequestRetrier {}

extension RequestInterceptor {
  /// Returns the request unchanged.
  public func adapt(_ request: TransferRequest) async throws -> TransferRequest { request }
  /// Returns ``RetryDecision/doNotRetry``.
  public func retry(_ attempt: RequestAttempt) async -> RetryDecision { .doNotRetry }
}

/// Changes requests before they are sent.
///
/// ```swift
/// struct APIKey: RequestAdapter {
///   let key: String
///   func adapt(_ request: TransferRequest) async throws -> TransferRequest {
///     var request = request
///     request.headerFields[.authorization] = "Key \(key)"
///     return request
///   }
/// }
/// ```
/// A session calls the adapter before each attempt, always with the caller's original request. If the adapter puts a credential into a
/// header field other than `Authorization`, `Cookie` and `Proxy-Authorization`, add the field's name to
/// ``TransferRequest/credentialFields``, so that the field is not sent to another origin after a redirect.
public protocol RequestAdapter: Sendable {
  /// Returns the request to send. A thrown error fails the request as
  /// ``NetworkingError/Reason/adaptation(_:)``, unless it is a ``NetworkingError`` itself.
  func adapt(_ request: TransferRequest) async throws -> TransferRequest
}

/// Decides whether a request is sent again.
///
/// A session calls the retrier after every failed attempt, and after a response that a serializer could not read. For a request without
/// validators, the session also calls the retrier after a response with a status of 400 or above. Before the next attempt, the session
/// removes a downloaded file that could not be read.
public protocol RequestRetrier: Sendable {
  /// Decides after an attempt whether the request is sent again.
  func retry(_ attempt: RequestAttempt) async -> RetryDecision
}

extension RetryPolicy: RequestInterceptor {
  /// Decides with ``RetryPolicy/decide(_:)`` what happens after an attempt.
  public func retry(_ attempt: RequestAttempt) async -> RetryDecision { decide(attempt) }
}
