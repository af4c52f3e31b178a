import GarlandCrypto
import GarlandJSON

/// How bytes are written where a format has no place for them.
public enum DataEncoding: Sendable {
  /// As base64.
  case base64
  /// As the type itself does it: a list of numbers.
  case deferred
  /// As a closure says.
  case custom(@Sendable ([UInt8]) -> String)

  func json(_ bytes: [UInt8]) -> JSONValue {
    switch self {
    case .base64: .string(Base64.encode(bytes))
    case .deferred: .array(bytes.map { .number(JSONNumber(Int($0))) })
    case .custom(let encode): .string(encode(bytes))
    }
  }
}
