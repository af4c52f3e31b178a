import GarlandJSON
import GarlandText

/// The representation of bytes in a request's parameters. JSON and URL-encoded forms have no type for bytes.
public enum DataEncoding: Sendable {
  /// Bytes are written as base64.
  case base64
  /// Bytes are written as a list of numbers, as in the `Encodable` conformance of `Data`.
  case deferred
  /// The closure converts bytes to a text. An error that it throws becomes
  /// ``ParameterEncodingError/failed(_:)``.
  case custom(@Sendable ([UInt8]) throws -> String)

  func json(_ bytes: [UInt8]) throws(ParameterEncodingError) -> JSONValue {
    switch self {
    case .base64: return .string(Base64.encode(bytes))
    case .deferred: return .array(bytes.map { .number(JSONNumber(Int($0))) })
    case .custom(let encode):
      do {
        return .string(try encode(bytes))
      } catch {
        throw .failed(.init(error))
      }
    }
  }
}
