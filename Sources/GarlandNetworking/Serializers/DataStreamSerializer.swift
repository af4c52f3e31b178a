import GarlandJSON

/// Converts each piece of a stream to a value.
///
/// ```swift
/// struct Rot13: DataStreamSerializer {
///   func serialize(_ piece: [UInt8]) throws -> String { … }
/// }
/// for try await text in session.stream(url).values(with: Rot13()) { print(text) }
/// ```
/// A piece contains the bytes that have arrived, and may end anywhere: within a line, or within a
/// character. Use ``DataStreamRequest/lines`` for text.
public protocol DataStreamSerializer<Output>: Sendable {
  /// The type of the values that the serializer creates from the pieces of a stream.
  associatedtype Output: Sendable

  /// Converts a piece of a stream to a value. A thrown error becomes
  /// ``NetworkingError/Reason/serialization(_:)`` and ends the stream.
  func serialize(_ piece: [UInt8]) throws -> Output
}

/// Decodes each piece as text in UTF-8, with replacements for invalid bytes.
public struct StringStreamSerializer: DataStreamSerializer {
  /// Creates a serializer.
  public init() {}

  /// Returns the text of a piece.
  public func serialize(_ piece: [UInt8]) -> String { String(decoding: piece, as: UTF8.self) }
}

/// Decodes each piece of a stream as JSON, and converts the JSON to a value of the type `Value`.
public struct DecodableStreamSerializer<Value: Decodable & Sendable>: DataStreamSerializer {
  private let decoder: ValueDecoder
  private let preprocessor: any DataPreprocessor

  /// Creates a serializer.
  public init(
    of type: Value.Type = Value.self, decoder: ValueDecoder = ValueDecoder(), preprocessor: any DataPreprocessor = .passthrough
  ) {
    self.decoder = decoder
    self.preprocessor = preprocessor
  }

  /// Parses a piece of the stream as JSON, and decodes the JSON as a value of the type `Value`.
  public func serialize(_ piece: [UInt8]) throws -> Value {
    try decoder.decode(Value.self, from: try JSONValue(parsing: try preprocessor.preprocess(piece)))
  }
}

extension DataStreamSerializer where Self == StringStreamSerializer {
  /// A serializer that decodes each piece as text in UTF-8.
  public static var string: StringStreamSerializer { StringStreamSerializer() }
}

extension DataStreamSerializer {
  /// A serializer that decodes each piece, which must be JSON, as a value of the type `Value`.
  public static func decodable<Value: Decodable & Sendable>(
    of type: Value.Type = Value.self, decoder: ValueDecoder = ValueDecoder(), preprocessor: any DataPreprocessor = .passthrough
  ) -> DecodableStreamSerializer<Value> where Self == DecodableStreamSerializer<Value> {
    DecodableStreamSerializer(of: type, decoder: decoder, preprocessor: preprocessor)
  }
}
