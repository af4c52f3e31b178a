import GarlandJSON
import GarlandText
import HTTPTypes

/// Encodes parameters as `key=value&…`, in the URL's query or the body, with the same results as
/// Alamofire.
///
/// ```swift
/// let encoding = URLEncodedParameters()
/// try encoding.encode(["foo": ["a", 1, true]])        // foo%5B%5D=a&foo%5B%5D=1&foo%5B%5D=1
/// try encoding.encode(["foo": ["bar": ["baz": 1]]])   // foo%5Bbar%5D%5Bbaz%5D=1
/// ```
/// RFC 3986's reserved characters are escaped, except `?` and `/`. Numbers keep their digits.
public struct URLEncodedParameters: ParameterEncoding {
  /// The part of the request that receives the parameters.
  public enum Destination: Sendable, Hashable {
    /// The query for GET, HEAD and DELETE, otherwise the body.
    case methodDependent
    /// The query.
    case query
    /// The body.
    case body
  }

  /// The forms of keys for list elements.
  public enum Arrays: Sendable {
    /// `key[]=1&key[]=2`.
    case brackets
    /// `key=1&key=2`.
    case noBrackets
    /// `key[0]=1&key[1]=2`.
    case indexInBrackets
    /// The closure returns the key of an element; its arguments are the list's key and the element's index.
    case custom(@Sendable (_ key: String, _ index: Int) -> String)
  }

  /// The forms of Booleans.
  public enum Booleans: Sendable, Hashable {
    /// `1` and `0`.
    case numeric
    /// `true` and `false`.
    case literal
  }

  /// The forms of spaces.
  public enum Spaces: Sendable, Hashable {
    /// `%20`.
    case percentEscaped
    /// `+`.
    case plusReplaced
  }

  /// The forms of null values.
  public enum Nulls: Sendable, Hashable {
    /// The parameter is omitted.
    case dropKey
    /// `key=`, without a value.
    case dropValue
    /// `key=null`.
    case nullAsString
  }

  /// The conversion of the property names of an `Encodable` type to parameter names.
  public enum Keys: Sendable {
    /// No conversion.
    case unchanged
    /// `oneTwoThree` → `one_two_three`.
    case snakeCase
    /// `oneTwoThree` → `one-two-three`.
    case kebabCase
    /// `oneTwoThree` → `OneTwoThree`.
    case capitalized
    /// `oneTwoThree` → `onetwothree`.
    case lowercased
    /// `oneTwoThree` → `ONETWOTHREE`.
    case uppercased
    /// The closure converts each key.
    case custom(@Sendable (String) -> String)
  }

  /// The forms of keys for members of nested objects.
  public enum KeyPaths: Sendable {
    /// `parent[child]=1`.
    case brackets
    /// `parent.child=1`.
    case dots
    /// The closure receives the name of a member and returns the text that is appended to the key of the enclosing object.
    case custom(@Sendable (_ name: String) -> String)
  }

  /// The part of the request that receives the parameters.
  public var destination: Destination
  /// The form of keys for list elements.
  public var arrays: Arrays
  /// The form in which Booleans are written.
  public var booleans: Booleans
  /// The form in which spaces are written.
  public var spaces: Spaces
  /// The form in which null is written.
  public var nulls: Nulls
  /// The conversion of keys, which applies at each level.
  public var keys: Keys
  /// The form of keys for members of nested objects.
  public var keyPaths: KeyPaths
  /// The bytes that are not escaped in keys and values. Unescaped `+`, `&` and `=` would change the meaning
  /// of the text.
  public var allowedBytes: PercentEncoding.ByteSet
  /// Whether the members of each object are sorted by key. Otherwise they keep their order.
  public var sortsKeys: Bool
  /// The form in which dates are written.
  public var dates: DateEncoding
  /// The form in which bytes are written.
  public var data: DataEncoding

  /// Whether nil properties are kept as null, which ``nulls`` then writes. False if ``nulls`` drops keys.
  public var keepsNils: Bool { nulls != .dropKey }

  /// Creates an encoding with Alamofire's defaults.
  public init(
    destination: Destination = .methodDependent, arrays: Arrays = .brackets, booleans: Booleans = .numeric,
    spaces: Spaces = .percentEscaped,
    nulls: Nulls = .dropKey, keys: Keys = .unchanged, keyPaths: KeyPaths = .brackets, sortsKeys: Bool = true,
    dates: DateEncoding = .deferred, data: DataEncoding = .base64, allowedBytes: PercentEncoding.ByteSet = PercentEncoding.queryComponent
  ) {
    self.destination = destination
    self.arrays = arrays
    self.booleans = booleans
    self.spaces = spaces
    self.nulls = nulls
    self.keys = keys
    self.keyPaths = keyPaths
    self.allowedBytes = allowedBytes
    self.sortsKeys = sortsKeys
    self.dates = dates
    self.data = data
  }

  /// Returns the members of an object as `key=value&…`.
  public func encode(_ parameters: StructuredValue) throws(ParameterEncodingError) -> String {
    try encode(try parameters.json(dates: dates, data: data))
  }

  /// Appends the encoded parameters to the URL's query, or sets them as the body. With a body, sets the content type unless the
  /// header contains a content type.
  public func encode(_ parameters: StructuredValue, into request: inout TransferRequest) throws(ParameterEncodingError) {
    try apply(try parameters.json(dates: dates, data: data), to: &request)
  }

  /// Returns the members of an object as `key=value&…`.
  @_disfavoredOverload
  public func encode(_ parameters: JSONValue) throws(ParameterEncodingError) -> String {
    guard let object = parameters.objectValue else { throw .notAnObject }
    var writer = URLEncodedWriter(self)
    try writer.write(object, under: nil, depth: 0)
    return String(decoding: writer.output, as: UTF8.self)
  }

  /// Appends the encoded parameters to the URL's query, or sets them as the body. With a body, sets the content type unless the
  /// header contains a content type.
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

  /// Returns whether the parameters of a request with a given method are appended to the query.
  public func goesIntoQuery(for method: HTTPRequest.Method) -> Bool {
    switch destination {
    case .query: true
    case .body: false
    case .methodDependent: method == .get || method == .head || method == .delete
    }
  }

  /// Returns `url` with `query` appended to its query and before its fragment.
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
