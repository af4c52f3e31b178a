public import GarlandJSON

/// A response from which expressions, expectations and extracts read values. A conforming type parses the body when it is first used.
public protocol ResponseData: AnyObject, Sendable {
  /// The status code of the response.
  var status: Int { get }
  /// Returns the values of a header field, in the order received. Names are compared case-insensitively.
  func headers(named name: String) -> [String]
  /// All header fields, in the order received.
  var allHeaders: [(name: String, value: String)] { get }
  /// Returns the value of a cookie that the response set; nil if the response set no cookie of that name.
  func cookie(named name: String) -> String?
  /// All cookies that the response set, in the order received.
  var allCookies: [(name: String, value: String)] { get }
  /// Returns the body as JSON.
  ///
  /// - Throws: if the body is not JSON. The message is a sentence without a full stop: "the body is empty".
  func json() throws(ResponseDataError) -> JSONValue
  /// Returns the body as text.
  ///
  /// - Throws: if the body is not text. The message is a sentence without a full stop.
  func text() throws(ResponseDataError) -> String
  /// The URL of the response, after redirects.
  var url: String { get }
  /// The time from the start of the request to the end of the response, in seconds.
  var time: Double { get }
  /// The size of the decoded body in bytes.
  var size: Int { get }
  /// The HTTP version, such as `1.1` or `2`.
  var version: String { get }
  /// The number of requests that were sent until this response was accepted; 1 if the first request was successful.
  var attempts: Int { get }
  /// The redirects that were followed before this response, each an object with `url`, `method`, `status`, `location` and `headers`.
  var redirects: [JSONValue] { get }
  /// Returns those items of the stream that the step has stored.
  ///
  /// - Throws: an error if the response was not read as a stream. The message is a sentence without a full stop that gives the reason.
  func items() throws(ResponseDataError) -> [JSONValue]
  /// The method of the request that a listening step has received. For a response, an empty text.
  var method: String { get }
  /// The decoded query parameters of a request that a listening step has received, in order; empty for a response.
  var query: [(name: String, value: String)] { get }
}

extension ResponseData {
  /// Default implementation: 1, for one request.
  public var attempts: Int { 1 }
  /// Default implementation: an empty list, since no redirects were followed.
  public var redirects: [JSONValue] { [] }
  /// Default implementation: throws an error, since the body was not read as a stream.
  public func items() throws(ResponseDataError) -> [JSONValue] { throw ResponseDataError("the body was not read as a stream") }
  /// Default implementation: an empty text, since only a received request has a method.
  public var method: String { "" }
  /// Default implementation: an empty list, since only a received request has query parameters.
  public var query: [(name: String, value: String)] { [] }
}

/// The error that is thrown if a body cannot be read in the requested format.
public struct ResponseDataError: Error, Sendable {
  /// The message of the error, with the reason why the body cannot be read. It is a sentence without a full stop, such as "the body is not
  /// JSON: expected a value at line 1, column 1".
  public let message: String
  /// Whether the cause is on this machine, for example a missing library or too little memory, so that the tested API is not at fault.
  public let isLocal: Bool

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - message: a sentence without a full stop.
  ///   - isLocal: whether the cause is on this machine, for example a missing library or too little memory.
  public init(_ message: String, isLocal: Bool = false) {
    self.message = message
    self.isLocal = isLocal
  }
}
