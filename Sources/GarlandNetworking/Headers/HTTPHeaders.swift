import GarlandText

/// A header whose field names are strings.
///
/// ```swift
/// let headers: HTTPHeaders = ["X-Request-ID": "1", "Accept": "application/json"]
/// session.request(url, headers: headers)
/// session.request(url, headers: [.authorization(bearerToken: token)])
/// session.request(url, headers: [.accept: "application/json"])   // names of HTTPTypes
/// ```
/// The fields keep their order. Names are case-insensitive; if a name is repeated, its last spelling
/// and value win. A name that is not a token (RFC 9110, section 5.1) fails the request with
/// ``NetworkingError/Reason/invalidRequest(_:)``.
public struct HTTPHeaders: Sendable, Hashable {
  private var list: [HTTPHeader] = []

  /// Creates a header without fields.
  public init() {}

  /// Creates a header from fields.
  public init(_ fields: some Sequence<HTTPHeader>) { for field in fields { update(field) } }

  /// Creates a header from `HTTPFields`. The values of fields with the same name are joined with commas.
  public init(_ fields: HTTPFields) {
    for field in fields { update(name: field.name.rawName, value: fields[field.name] ?? field.value) }
  }

  /// Creates a header from a dictionary, sorted by name.
  public init(_ dictionary: [String: String]) {
    for (name, value) in dictionary.sorted(by: { $0.key < $1.key }) { update(name: name, value: value) }
  }

  /// The value of the field called `name`; nil if there is no such field. Names are case-insensitive.
  public subscript(name: String) -> String? {
    get { index(of: name).map { list[$0].value } }
    set {
      if let newValue { update(name: name, value: newValue) } else { remove(name: name) }
    }
  }

  /// Adds a field. If the header already has a field of this name, replaces that field.
  public mutating func update(_ field: HTTPHeader) {
    if let index = index(of: field.name) { list[index] = field } else { list.append(field) }
  }

  /// Adds a field. If the header already has a field of this name, replaces that field.
  public mutating func update(name: String, value: String) { update(HTTPHeader(name: name, value: value)) }

  /// Adds a field. If the header already has a field of this name, replaces that field.
  public mutating func add(_ field: HTTPHeader) { update(field) }

  /// Adds a field. If the header already has a field of this name, replaces that field.
  public mutating func add(name: String, value: String) { update(name: name, value: value) }

  /// Removes the field called `name`. Names are case-insensitive.
  public mutating func remove(name: String) { list.removeAll { HTTPHeader.areSame($0.name, name) } }

  /// Returns the value of the field called `name`; nil if there is no such field. Names are case-insensitive.
  public func value(for name: String) -> String? { self[name] }

  /// Sorts the fields by name.
  public mutating func sort() { list.sort { $0.name.lowercased() < $1.name.lowercased() } }

  /// Returns the fields sorted by name.
  public func sorted() -> HTTPHeaders {
    var sorted = self
    sorted.sort()
    return sorted
  }

  /// The fields as a dictionary of names and values.
  public var dictionary: [String: String] { Dictionary(list.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 }) }

  /// Converts the header to `HTTPFields`. Throws ``NetworkingError/Reason/invalidRequest(_:)`` if a name is invalid.
  public func fields() throws(NetworkingError) -> HTTPFields {
    var fields = HTTPFields()
    for field in list {
      guard let name = HTTPField.Name(field.name) else {
        throw NetworkingError(.invalidRequest("`\(field.name)` is not a valid header name"))
      }
      fields.append(HTTPField(name: name, value: field.value))
    }
    return fields
  }

  private func index(of name: String) -> Int? { list.firstIndex { HTTPHeader.areSame($0.name, name) } }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
  /// Creates a header from a literal. The fields keep the order of the literal.
  public init(dictionaryLiteral elements: (String, String)...) { for (name, value) in elements { update(name: name, value: value) } }

  /// Creates a header from fields such as `.authorization(bearerToken:)`.
  public init(arrayLiteral elements: HTTPHeader...) { self.init(elements) }
}

extension HTTPHeaders: RandomAccessCollection, CustomStringConvertible {
  /// The position of the first field.
  public var startIndex: Int { list.startIndex }
  /// The position after the last field.
  public var endIndex: Int { list.endIndex }
  /// The field at a position.
  public subscript(position: Int) -> HTTPHeader { list[position] }
  /// The fields as text, one per line.
  public var description: String { list.map(\.description).joined(separator: "\n") }
}

/// A header field whose name is a string.
public struct HTTPHeader: Sendable, Hashable, CustomStringConvertible {
  /// The field name, as it was written.
  public let name: String
  /// The field value.
  public let value: String

  /// Creates a field.
  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }

  /// The field as text: `name: value`.
  public var description: String { "\(name): \(value)" }

  /// Returns an `Accept` field.
  public static func accept(_ value: String) -> HTTPHeader { HTTPHeader(name: "Accept", value: value) }
  /// Returns an `Accept-Charset` field.
  public static func acceptCharset(_ value: String) -> HTTPHeader { HTTPHeader(name: "Accept-Charset", value: value) }
  /// Returns an `Accept-Encoding` field.
  public static func acceptEncoding(_ value: String) -> HTTPHeader { HTTPHeader(name: "Accept-Encoding", value: value) }
  /// Returns an `Accept-Language` field.
  public static func acceptLanguage(_ value: String) -> HTTPHeader { HTTPHeader(name: "Accept-Language", value: value) }
  /// Returns an `Authorization` field.
  public static func authorization(_ value: String) -> HTTPHeader { HTTPHeader(name: "Authorization", value: value) }
  /// Returns an `Authorization` field with a bearer token (RFC 6750).
  public static func authorization(bearerToken: String) -> HTTPHeader { authorization("Bearer \(bearerToken)") }
  /// Returns an `Authorization` field for Basic authentication, with unencrypted user and password
  /// (RFC 7617).
  public static func authorization(username: String, password: String) -> HTTPHeader {
    authorization("Basic \(Base64.encode(Array("\(username):\(password)".utf8)))")
  }
  /// Returns a `Content-Disposition` field.
  public static func contentDisposition(_ value: String) -> HTTPHeader { HTTPHeader(name: "Content-Disposition", value: value) }
  /// Returns a `Content-Encoding` field. It declares a coding that the body already has; to compress a body, use
  /// ``Request/compress(_:)-(RequestCompression)``.
  public static func contentEncoding(_ value: String) -> HTTPHeader { HTTPHeader(name: "Content-Encoding", value: value) }
  /// Returns a `Content-Type` field.
  public static func contentType(_ value: String) -> HTTPHeader { HTTPHeader(name: "Content-Type", value: value) }
  /// Returns a `User-Agent` field.
  public static func userAgent(_ value: String) -> HTTPHeader { HTTPHeader(name: "User-Agent", value: value) }

  fileprivate static func areSame(_ left: String, _ right: String) -> Bool { left.lowercased() == right.lowercased() }
}
