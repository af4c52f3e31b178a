import GarlandCrypto
import GarlandJSON

/// The form of bytes in formats without bytes of their own.
public enum DataEncoding: Sendable {
  /// Base64.
  case base64
  /// The form of the type itself: a list of numbers.
  case deferred
  /// A closure writes the text. An error that it throws becomes
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
