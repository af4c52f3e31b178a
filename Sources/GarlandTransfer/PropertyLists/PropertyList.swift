/// Property lists, as Apple's systems have them.
public enum PropertyList {
  static let outOfTime = "the time for reading it was over"

  /// The value of a document, whether XML or binary. It never has a null.
  public static func parse(_ bytes: [UInt8]) throws(NetworkingError.Serialization) -> StructuredValue {
    if bytes.starts(with: "bplist".utf8) {
      var reader = try BinaryPropertyListReader(bytes)
      return try reader.read()
    }
    return try XMLPropertyListReader.read(bytes)
  }
}
