import GarlandJSON

/// So that types can have members of any kind, and JSON that was received can be sent as parameters. With ``StructuredEncoder`` and ``ValueDecoder`` every digit
/// comes through.
extension JSONValue: Codable {
  /// Writes it.
  public func encode(to encoder: any Encoder) throws { try StructuredValue(self).encode(to: encoder) }

  /// Reads it.
  public init(from decoder: any Decoder) throws { self = try StructuredValue(from: decoder).json() }
}
