public import HTTPTypes

// The most common names of Alamofire: code that uses them compiles, and a deprecation warning names the
// replacement.

/// The shared session.
@available(*, deprecated, renamed: "Session.shared")
public var AF: Session { .shared }

/// The error of a request.
@available(*, deprecated, renamed: "NetworkingError")
public typealias AFError = NetworkingError

/// The result of a request.
@available(*, deprecated, message: "write Result<Value, NetworkingError>")
public typealias AFResult<Value> = Result<Value, NetworkingError>

/// The result of a request, with the response and its metrics.
@available(*, deprecated, renamed: "DataResponse")
public typealias AFDataResponse<Value: Sendable> = DataResponse<Value>

/// The result of a download, with the response and its metrics.
@available(*, deprecated, renamed: "DownloadResponse")
public typealias AFDownloadResponse<Value: Sendable> = DownloadResponse<Value>

/// An HTTP request method.
@available(*, deprecated, renamed: "HTTPRequest.Method")
public typealias HTTPMethod = HTTPRequest.Method

/// Encodes parameters as `key=value`.
@available(*, deprecated, renamed: "URLEncodedParameters")
public typealias URLEncoding = URLEncodedParameters

/// Encodes parameters as JSON.
@available(*, deprecated, renamed: "JSONParameters")
public typealias JSONEncoding = JSONParameters

/// Encodes parameters of an `Encodable` type as `key=value`.
@available(*, deprecated, renamed: "URLEncodedParameters")
public typealias URLEncodedFormParameterEncoder = URLEncodedParameters

/// Encodes parameters of an `Encodable` type as JSON.
@available(*, deprecated, renamed: "JSONParameters")
public typealias JSONParameterEncoder = JSONParameters

/// Defines where and in which form parameters are sent.
@available(*, deprecated, renamed: "ParameterEncoding")
public typealias ParameterEncoder = ParameterEncoding

/// Monitors whether this machine has a network.
@available(*, deprecated, renamed: "Reachability")
public typealias NetworkReachabilityManager = Reachability

extension NetworkingError {
  /// Whether the request, or the task that waited for it, was cancelled.
  @available(*, deprecated, message: "write reason == .cancelled")
  public var isExplicitlyCancelledError: Bool { reason == .cancelled }
  /// The status that a validator refused; nil for any other error.
  @available(*, deprecated, message: "write partialResponse?.status.code")
  public var responseCode: Int? {
    if case .validation(.unacceptableStatus(let code)) = reason { code } else { nil }
  }
}

extension RequestProgress {
  /// The completed part of the transfer, as a fraction between 0 and 1; 0 if the total is unknown.
  @available(*, deprecated, message: "write fraction, which is nil if the total is unknown")
  public var fractionCompleted: Double { fraction ?? 0 }
}

extension ServerTrustManager {
  /// Creates a server trust manager.
  @available(*, deprecated, renamed: "init(allHostsMustBeEvaluated:_:)")
  public convenience init(
    allHostsMustBeEvaluated: Bool = true, evaluators: [String: any ServerTrustEvaluating]
  ) throws(TrustConfigurationError) {
    try self.init(allHostsMustBeEvaluated: allHostsMustBeEvaluated, evaluators)
  }
}

extension URLEncodedParameters {
  /// The encoding with default options.
  @available(*, deprecated, message: "write URLEncodedParameters(), or .url as an argument")
  public static var `default`: URLEncodedParameters { URLEncodedParameters() }
  /// The encoding that puts parameters into the query.
  @available(*, deprecated, message: "write URLEncodedParameters(destination: .query), or .query as an argument")
  public static var queryString: URLEncodedParameters { URLEncodedParameters(destination: .query) }
  /// The encoding that puts parameters into the body.
  @available(*, deprecated, message: "write URLEncodedParameters(destination: .body), or .form as an argument")
  public static var httpBody: URLEncodedParameters { URLEncodedParameters(destination: .body) }

  /// Creates an encoding of parameters as `key=value&…`.
  @available(*, deprecated, renamed: "init(destination:arrays:booleans:)")
  public init(destination: Destination = .methodDependent, arrayEncoding: Arrays, boolEncoding: Booleans = .numeric) {
    self.init(destination: destination, arrays: arrayEncoding, booleans: boolEncoding)
  }
}

extension URLEncodedParameters.Destination {
  /// The destination that puts parameters into the query.
  @available(*, deprecated, renamed: "query")
  public static var queryString: Self { .query }
  /// The destination that puts parameters into the body.
  @available(*, deprecated, renamed: "body")
  public static var httpBody: Self { .body }
}

extension JSONParameters {
  /// The encoding with default options.
  @available(*, deprecated, message: "write JSONParameters(), or .json as an argument")
  public static var `default`: JSONParameters { JSONParameters() }
  /// The encoding that writes JSON on several lines.
  @available(*, deprecated, message: "write JSONParameters(options: .pretty)")
  public static var prettyPrinted: JSONParameters { JSONParameters(options: .pretty) }
}
