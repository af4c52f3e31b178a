public import FoundationEssentials

/// A value that can be passed as a URL: a string, a `URL`, or a custom type.
///
/// ```swift
/// enum Endpoint: URLConvertible {
///   case user(Int)
///   func asURL() throws -> String { switch self { case .user(let id): "https://api.example.com/users/\(id)" } }
/// }
/// session.request(Endpoint.user(7))
/// ```
public protocol URLConvertible: Sendable {
  /// Returns the URL: absolute, or relative to ``SessionConfiguration/baseURL``. If this method throws a ``NetworkingError``, the request
  /// fails with this error. If the method throws another error, the request fails with the reason
  /// ``NetworkingError/Reason/adaptation(_:)``.
  func asURL() throws -> String
}

extension String: URLConvertible {
  /// Returns the string itself.
  public func asURL() -> String { self }
}

extension Substring: URLConvertible {
  /// Returns the substring as a string.
  public func asURL() -> String { String(self) }
}

extension URL: URLConvertible {
  /// Returns the URL as text.
  public func asURL() -> String { absoluteString }
}

extension URLComponents: URLConvertible {
  /// Returns the URL as text. Throws ``NetworkingError/Reason/invalidRequest(_:)`` if the components
  /// do not form a URL.
  public func asURL() throws -> String {
    guard let string else { throw NetworkingError(.invalidRequest("the URL components do not form a URL")) }
    return string
  }
}

extension URLReference: URLConvertible {
  /// Returns the URL as text.
  public func asURL() -> String { description }
}

/// A value from which a whole request is made, such as a case of a router enumeration. It can be passed in place of a request.
///
/// ```swift
/// enum Router: URLRequestConvertible {
///   case create(User)
///   func asURLRequest() throws -> TransferRequest {
///     switch self {
///     case .create(let user):
///       var request = TransferRequest(url: "https://api.example.com/users", method: .post)
///       try JSONParameters().encode(StructuredEncoder().encode(user), into: &request)
///       return request
///     }
///   }
/// }
/// let created = try await session.request(Router.create(user)).validate().response(of: User.self).value
/// ```
/// A request with unchanged ``TransferRequest/settings`` gets the settings of the session, including its cookies.
public protocol URLRequestConvertible: Sendable {
  /// Returns the request. If this method throws, the request fails: with the thrown error if it is a ``NetworkingError``, otherwise with
  /// ``NetworkingError/Reason/adaptation(_:)``.
  func asURLRequest() throws -> TransferRequest
}

extension TransferRequest: URLRequestConvertible {
  /// Returns the request itself.
  public func asURLRequest() -> TransferRequest { self }
}

extension NetworkingError {
  /// Creates an error from an error that a ``URLConvertible`` or ``URLRequestConvertible`` has thrown.
  init(converting error: any Error, url: String? = nil) {
    self = error as? NetworkingError ?? NetworkingError(.adaptation(.init(error)), url: url)
  }
}
