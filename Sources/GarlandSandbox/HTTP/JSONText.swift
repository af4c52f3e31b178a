import GarlandJSON

/// Converts between JSON values and bytes.
enum JSONText {
  static func encode(_ value: JSONValue) -> [UInt8] { value.jsonBytes() }

  /// Parses JSON. Returns nil if the bytes are not valid JSON.
  static func decode(_ bytes: [UInt8]) -> JSONValue? { try? JSONValue(parsing: bytes) }
}

extension JSONValue {
  /// Creates a JSON string; null for nil.
  init(_ value: String?) { self = value.map { .string($0) } ?? .null }

  /// Creates a JSON number; null for nil.
  init(_ value: Int?) { self = value.map { JSONValue($0) } ?? .null }

  /// Creates a JSON list of strings.
  init(_ values: [String]) { self = .array(values.map { .string($0) }) }

  /// Creates a JSON number: the whole nanoseconds of a duration.
  init(nanoseconds duration: Duration) {
    let (seconds, attoseconds) = duration.components
    self = JSONValue(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
  }
}
