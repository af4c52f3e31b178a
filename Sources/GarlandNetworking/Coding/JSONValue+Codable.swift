import GarlandJSON

/// Types can have members of any JSON kind, and received JSON can be sent as parameters.
/// ``StructuredEncoder`` and ``ValueDecoder`` keep every digit.
extension JSONValue: Codable {
  /// Encodes the value.
  public func encode(to encoder: any Encoder) throws { try StructuredValue(self).encode(to: encoder) }

  /// Decodes the value.
  public init(from decoder: any Decoder) throws { self = try StructuredValue(from: decoder).json() }
}
