import GarlandJSON

/// Conversion between JSON and bytes.
enum JSONText {
  static func encode(_ value: JSONValue) -> [UInt8] { value.jsonBytes() }

  /// Parses JSON; nil if the bytes are not valid JSON.
  static func decode(_ bytes: [UInt8]) -> JSONValue? { try? JSONValue(parsing: bytes) }
}

extension JSONValue {
  /// Creates a string; null for nil.
  init(_ value: String?) { self = value.map { .string($0) } ?? .null }

  /// Creates a number; null for nil.
  init(_ value: Int?) { self = value.map { JSONValue($0) } ?? .null }

  /// Creates a list of strings.
  init(_ values: [String]) { self = .array(values.map { .string($0) }) }

  /// Creates a whole number of nanoseconds.
  init(nanoseconds duration: Duration) {
    let (seconds, attoseconds) = duration.components
    self = JSONValue(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
  }
}
