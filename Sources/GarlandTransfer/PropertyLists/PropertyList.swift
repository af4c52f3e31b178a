/// Reads the property lists of Apple's systems.
public enum PropertyList {
  static let outOfTime = "it could not be read within the time limit"

  /// Parses a property list, XML or binary. The result never contains null.
  public static func parse(_ bytes: [UInt8]) throws(NetworkingError.Serialization) -> StructuredValue {
    if bytes.starts(with: "bplist".utf8) {
      var reader = try BinaryPropertyListReader(bytes)
      return try reader.read()
    }
    return try XMLPropertyListReader.read(bytes)
  }
}
