import GarlandCrypto
import GarlandJSON

/// The form of bytes in formats without bytes of their own.
public enum DataEncoding: Sendable {
  /// Base64.
  case base64
  /// The form of the type itself: a list of numbers.
  case deferred
  /// A closure writes the text.
  case custom(@Sendable ([UInt8]) -> String)

  func json(_ bytes: [UInt8]) -> JSONValue {
    switch self {
    case .base64: .string(Base64.encode(bytes))
    case .deferred: .array(bytes.map { .number(JSONNumber(Int($0))) })
    case .custom(let encode): .string(encode(bytes))
    }
  }
}
