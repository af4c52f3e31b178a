import GarlandJSON

/// JSON as bytes, and bytes as JSON.
enum JSONText {
  static func encode(_ value: JSONValue) -> [UInt8] { value.jsonBytes() }

  /// The value, or nil when the bytes are no JSON.
  static func decode(_ bytes: [UInt8]) -> JSONValue? { try? JSONValue(parsing: bytes) }
}

extension JSONValue {
  /// A string, or null.
  init(_ value: String?) { self = value.map { .string($0) } ?? .null }

  /// A number, or null.
  init(_ value: Int?) { self = value.map { JSONValue($0) } ?? .null }

  /// A list of strings.
  init(_ values: [String]) { self = .array(values.map { .string($0) }) }

  /// Nanoseconds as a whole number.
  init(nanoseconds duration: Duration) {
    let (seconds, attoseconds) = duration.components
    self = JSONValue(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
  }
}
