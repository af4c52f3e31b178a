/// Reads XML property lists.
enum XMLPropertyListReader {
  static func read(_ bytes: [UInt8]) throws(NetworkingError.Serialization) -> StructuredValue {
    throw .propertyList(detail: "not yet")
  }
}
