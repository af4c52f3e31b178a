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
    /// Parameters are written into the query of the URL.
    case query
    /// Parameters are written into the body.
    case body
  }

  /// The form in which the keys of list elements are written.
  public enum Arrays: Sendable {
    /// Each element of a list has the same key with brackets: `key[]=1&key[]=2`.
    case brackets
    /// Each element of a list has the same key without brackets: `key=1&key=2`.
    case noBrackets
    /// Each element of a list has its index in the key: `key[0]=1&key[1]=2`.
    case indexInBrackets
    /// The closure returns the key of an element; its arguments are the list's key and the element's index.
    case custom(@Sendable (_ key: String, _ index: Int) -> String)
  }

  /// The form in which Booleans are written.
  public enum Booleans: Sendable, Hashable {
    /// Booleans are written as `1` and `0`.
    case numeric
    /// Booleans are written as `true` and `false`.
    case literal
  }

  /// The form in which spaces are written.
  public enum Spaces: Sendable, Hashable {
    /// A space is written as `%20`.
    case percentEscaped
    /// A space is written as `+`.
    case plusReplaced
  }

  /// The form in which null values are written.
  public enum Nulls: Sendable, Hashable {
    /// A parameter whose value is null is omitted.
    case dropKey
    /// A null value is written as an empty value: `key=`.
    case dropValue
    /// A null value is written as the text `null`: `key=null`.
    case nullAsString
    /// A null value is written as the given text, for example `key=(null)`. The text is percent-encoded like any value.
    case text(String)
  }

  /// The conversion of the property names of an `Encodable` type to parameter names.
  public enum Keys: Sendable {
    /// Keys are not converted.
    case unchanged
    /// Keys are converted to snake case: `oneTwoThree` becomes `one_two_three`.
    case snakeCase
    /// Keys are converted to kebab case: `oneTwoThree` becomes `one-two-three`.
    case kebabCase
    /// The first letter of keys is capitalized: `oneTwoThree` becomes `OneTwoThree`.
    case capitalized
    /// Keys are converted to lower case: `oneTwoThree` becomes `onetwothree`.
    case lowercased
    /// Keys are converted to upper case: `oneTwoThree` becomes `ONETWOTHREE`.
    case uppercased
    /// The closure converts each key.
    case custom(@Sendable (String) -> String)
  }

  /// The form in which the keys of members of nested objects are written.
  public enum KeyPaths: Sendable {
    /// The key of a member is in brackets: `parent[child]=1`.
    case brackets
    /// The key of a member follows a dot: `parent.child=1`.
    case dots
    /// The closure receives the name of a member and returns the text that is appended to the key of the enclosing object.
    case custom(@Sendable (_ name: String) -> String)
  }

  /// The part of the request that receives the parameters.
  public var destination: Destination
  /// The form of the keys with which the elements of a list are written, such as `key[]`.
  public var arrays: Arrays
  /// The form in which Booleans are written.
  public var booleans: Booleans
  /// The form in which spaces are written.
  public var spaces: Spaces
  /// The form in which null is written.
  public var nulls: Nulls
  /// The conversion of keys, which applies to the keys of nested objects, too.
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

  /// Whether a property with the value nil is encoded as null. False if ``nulls`` omits parameters whose value is null.
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

  /// Returns `url` with `query` appended to the URL's own query. A fragment stays at the end.
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
