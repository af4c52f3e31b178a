/// Decodes the content as a value of a `Decodable` type.
public struct DecodableResponseSerializer<Value: Decodable & Sendable>: ResponseSerializer {
  /// The format of the content.
  public enum Format: Sendable, Hashable {
    /// JSON.
    case json
    /// A property list in the XML or the binary format.
    case propertyList
  }

  /// The format of the content.
  public var format: Format
  /// The decoder, which defines how keys, dates and data are read.
  public var decoder: ValueDecoder

  /// Creates a serializer.
  public init(of type: Value.Type = Value.self, format: Format = .json, decoder: ValueDecoder = ValueDecoder()) {
    self.format = format
    self.decoder = decoder
  }

  /// Returns the decoded value.
  ///
  /// An empty response is allowed if it has a status without content, such as 204, or if the request has a method without response content,
  /// such as HEAD. The decoded value is then the empty value of an ``EmptyResponse`` type, or nil for an optional type. In all other cases,
  /// an empty response is an error.
  public func serialize(_ content: ResponseContent) throws -> Value {
    if content.bytes.isEmpty, content.mayBeEmpty, let empty = Self.emptyValue { return empty }
    if content.bytes.isEmpty { throw NetworkingError.Serialization.empty }
    switch format {
    case .json: return try decoder.decode(Value.self, from: try JSONResponseSerializer().serialize(content))
    case .propertyList: return try decoder.decode(Value.self, from: try PropertyListResponseSerializer().serialize(content))
    }
  }

  private static var emptyValue: Value? {
    if let type = Value.self as? any EmptyResponse.Type { return type.emptyValue as? Value }
    if let type = Value.self as? any ExpressibleByNilLiteral.Type { return type.init(nilLiteral: ()) as? Value }
    return nil
  }
}

/// A type with a value that represents a response without content.
public protocol EmptyResponse {
  /// The value for a response without content.
  static var emptyValue: Self { get }
}

/// The value of a response without content.
public struct Empty: EmptyResponse, Decodable, Sendable, Hashable {
  /// The only value of the type.
  public static let emptyValue = Empty()

  /// Creates the only value of the type.
  public init() {}

  /// Creates the value. The decoded content is ignored.
  public init(from decoder: any Decoder) {}
}
