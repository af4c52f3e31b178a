import GarlandJSON
import HTTPTypes

/// Writes values as `key=value&…`, into the URL's query or the body, with the results that Alamofire gives.
///
/// ```swift
/// let encoding = URLEncodedParameters()
/// try encoding.encode(["foo": ["a", 1, true]])        // foo%5B%5D=a&foo%5B%5D=1&foo%5B%5D=1
/// try encoding.encode(["foo": ["bar": ["baz": 1]]])   // foo%5Bbar%5D%5Bbaz%5D=1
/// ```
/// RFC 3986's reserved characters are escaped, except for `?` and `/`. Numbers keep their digits.
public struct URLEncodedParameters: ParameterEncoding {
  /// Where the text goes.
  public enum Destination: Sendable, Hashable {
    /// Into the query for GET, HEAD and DELETE, otherwise into the body.
    case methodDependent
    /// Into the query.
    case query
    /// Into the body.
    case body
  }

  /// How the elements of a list are named.
  public enum Arrays: Sendable {
    /// `key[]=1&key[]=2`.
    case brackets
    /// `key=1&key=2`.
    case noBrackets
    /// `key[0]=1&key[1]=2`.
    case indexInBrackets
    /// As the closure says, which gets the list's key and the element's position.
    case custom(@Sendable (_ key: String, _ index: Int) -> String)
  }

  /// How true and false are written.
  public enum Booleans: Sendable, Hashable {
    /// `1` and `0`.
    case numeric
    /// `true` and `false`.
    case literal
  }

  /// How spaces are written.
  public enum Spaces: Sendable, Hashable {
    /// `%20`.
    case percentEscaped
    /// `+`.
    case plusReplaced
  }

  /// What becomes of null.
  public enum Nulls: Sendable, Hashable {
    /// Neither key nor value is written.
    case dropKey
    /// `key=`.
    case dropValue
    /// `key=null`.
    case nullAsString
  }

  /// What becomes of keys.
  public enum Keys: Sendable {
    /// Nothing.
    case unchanged
    /// `oneTwoThree` → `one_two_three`.
    case snakeCase
    /// `oneTwoThree` → `one-two-three`.
    case kebabCase
    /// As the closure says.
    case custom(@Sendable (String) -> String)
  }

  /// Where the text goes.
  public var destination: Destination
  /// How the elements of a list are named.
  public var arrays: Arrays
  /// How true and false are written.
  public var booleans: Booleans
  /// How spaces are written.
  public var spaces: Spaces
  /// What becomes of null.
  public var nulls: Nulls
  /// What becomes of keys, at each level.
  public var keys: Keys
  /// Whether the members of each object are ordered by key. Otherwise they keep the order they have.
  public var sortsKeys: Bool
  /// How dates are written.
  public var dates: DateEncoding
  /// How bytes are written.
  public var data: DataEncoding

  /// What becomes of properties that are nil, as of any null, is said by ``nulls``.
  public var keepsNils: Bool { nulls != .dropKey }

  /// Alamofire's defaults.
  public init(
    destination: Destination = .methodDependent, arrays: Arrays = .brackets, booleans: Booleans = .numeric,
    spaces: Spaces = .percentEscaped,
    nulls: Nulls = .dropKey, keys: Keys = .unchanged, sortsKeys: Bool = true,
    dates: DateEncoding = .deferred, data: DataEncoding = .base64
  ) {
    self.destination = destination
    self.arrays = arrays
    self.booleans = booleans
    self.spaces = spaces
    self.nulls = nulls
    self.keys = keys
    self.sortsKeys = sortsKeys
    self.dates = dates
    self.data = data
  }

  /// The text for an object's members.
  public func encode(_ parameters: StructuredValue) throws(ParameterEncodingError) -> String {
    try encode(parameters.json(dates: dates, data: data))
  }

  /// Puts the text where it belongs: appended to the query that the URL has, or as the body, with its content type unless the header has one.
  public func encode(_ parameters: StructuredValue, into request: inout TransferRequest) throws(ParameterEncodingError) {
    try apply(parameters.json(dates: dates, data: data), to: &request)
  }

  /// The text for an object's members.
  @_disfavoredOverload
  public func encode(_ parameters: JSONValue) throws(ParameterEncodingError) -> String {
    guard let object = parameters.objectValue else { throw .notAnObject }
    var writer = URLEncodedWriter(self)
    try writer.write(object, under: nil, depth: 0)
    return String(decoding: writer.output, as: UTF8.self)
  }

  /// Puts the text where it belongs: appended to the query that the URL has, or as the body, with its content type unless the header has one.
  public func apply(_ parameters: JSONValue, to request: inout TransferRequest) throws(ParameterEncodingError) {
    let text = try encode(parameters)
    if goesIntoQuery(for: request.method) {
      if !text.isEmpty { request.url = Self.appending(text, toQueryOf: request.url) }
    } else {
      request.body = .bytes(Array(text.utf8))
      if request.headerFields[.contentType] == nil {
        request.headerFields[.contentType] = "application/x-www-form-urlencoded; charset=utf-8"
      }
    }
  }

  /// Whether parameters of a request with this method go into the query.
  public func goesIntoQuery(for method: HTTPRequest.Method) -> Bool {
    switch destination {
    case .query: true
    case .body: false
    case .methodDependent: method == .get || method == .head || method == .delete
    }
  }

  /// `url` with `query` behind the query it has, in front of the fragment.
  public static func appending(_ query: String, toQueryOf url: String) -> String {
    let hash = url.utf8.firstIndex(of: UInt8(ascii: "#")) ?? url.endIndex
    let base = url[..<hash]
    let separator: String
    if let mark = base.utf8.firstIndex(of: UInt8(ascii: "?")) {
      separator = base.utf8.index(after: mark) == base.endIndex || base.utf8.last == UInt8(ascii: "&") ? "" : "&"
    } else {
      separator = "?"
    }
    return "\(base)\(separator)\(query)\(url[hash...])"
  }
}
