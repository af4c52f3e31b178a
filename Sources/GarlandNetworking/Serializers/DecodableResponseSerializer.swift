import GarlandJSON

/// The content as a value of a `Decodable` type.
public struct DecodableResponseSerializer<Value: Decodable & Sendable>: ResponseSerializer {
  /// In which format the content is.
  public enum Format: Sendable, Hashable {
    /// JSON.
    case json
    /// A property list, XML or binary.
    case propertyList
  }

  /// In which format the content is.
  public var format: Format
  /// How keys, dates and data are read.
  public var decoder: ValueDecoder

  /// A serializer.
  public init(of type: Value.Type = Value.self, format: Format = .json, decoder: ValueDecoder = ValueDecoder()) {
    self.format = format
    self.decoder = decoder
  }

  /// The value. A response that rightly has no content is the empty value of an ``EmptyResponse``, nil for an optional type, else an error.
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
