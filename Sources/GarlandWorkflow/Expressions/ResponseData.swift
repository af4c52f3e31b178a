public import GarlandJSON

/// A response as expressions, expectations and extractions read it. Implementations parse the body
/// at the first use.
public protocol ResponseData: AnyObject, Sendable {
  /// The status code.
  var status: Int { get }
  /// The values of a field, in the order received; names are compared without case.
  func headers(named name: String) -> [String]
  /// All fields, in the order received.
  var allHeaders: [(name: String, value: String)] { get }
  /// The value of a cookie that the response set; nil if it set none of that name.
  func cookie(named name: String) -> String?
  /// All cookies that the response set, in the order received.
  var allCookies: [(name: String, value: String)] { get }
  /// The body as JSON. Throws the reason why it is no JSON, a sentence without a full stop: "the
  /// body is empty".
  func json() throws(ResponseDataError) -> JSONValue
  /// The body as text. Throws the reason why it is no text, a sentence without a full stop.
  func text() throws(ResponseDataError) -> String
  /// The URL that answered, after redirects.
  var url: String { get }
  /// The time from the start of the request to the end of the response, in seconds.
  var time: Double { get }
  /// Bytes of the body, decoded.
  var size: Int { get }
  /// `1.1` or `2`.
  var version: String { get }
  /// How many requests it took, from 1.
  var attempts: Int { get }
  /// The redirects that were followed before it came: of each an object with `url`, `method`, `status`, `location` and `headers`.
  var redirects: [JSONValue] { get }
  /// The items of a stream that are kept. Throws a sentence without an end that says why there are none.
  func items() throws(ResponseDataError) -> [JSONValue]
  /// The method of a received request.
  var method: String { get }
  /// The query parameters of a received request, in order, decoded.
  var query: [(name: String, value: String)] { get }
}

extension ResponseData {
  /// Default: one attempt.
  public var attempts: Int { 1 }
  /// Default: no redirects.
  public var redirects: [JSONValue] { [] }
  /// None: its body is read as a whole.
  public func items() throws(ResponseDataError) -> [JSONValue] { throw ResponseDataError("the body was not read as a stream") }
  /// Default: empty, since it is a response.
  public var method: String { "" }
  /// Default: empty, since it is a response.
  public var query: [(name: String, value: String)] { [] }
}

/// The reason why a body can't be read in some way.
public struct ResponseDataError: Error, Sendable {
  /// A sentence without an end: "the body is not JSON: expected a value at line 1, column 1".
  public let message: String
  /// Whether this machine lacks a library or memory, which says nothing about the API.
  public let isLocal: Bool

  /// - Parameters:
  ///   - message: a sentence without an end.
  ///   - isLocal: whether this machine lacks a library or memory, which says nothing about the API.
  public init(_ message: String, isLocal: Bool = false) {
    self.message = message
    self.isLocal = isLocal
  }
}
