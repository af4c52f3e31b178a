import GarlandJSON

/// Makes JSON of any kind usable as a property of `Codable` types: received JSON can be sent as
/// parameters again. ``StructuredEncoder`` and ``ValueDecoder`` keep every digit of numbers.
extension JSONValue: Codable {
  /// Encodes the value.
  public func encode(to encoder: any Encoder) throws { try StructuredValue(self).encode(to: encoder) }

  /// Decodes the value.
  public init(from decoder: any Decoder) throws { self = try StructuredValue(from: decoder).json() }
}
