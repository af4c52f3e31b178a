import GarlandJSON
import HTTPTypes

/// Writes a value as an XML property list.
///
/// Integers become `<integer>`, other numbers `<real>`. There is no null in a property list, so that one is an error.
public struct PropertyListParameters: ParameterEncoding {
  /// Whether dictionaries are ordered by key, as Apple's own writer does. Otherwise they keep the order they have.
  public var sortsKeys: Bool

  /// An encoding.
  public init(sortsKeys: Bool = true) { self.sortsKeys = sortsKeys }

  /// The document. Dates are those of a property list, in whole seconds of UTC.
  public func encode(_ value: StructuredValue) throws(ParameterEncodingError) -> [UInt8] {
    var writer = PropertyListWriter(sortsKeys: sortsKeys)
    try writer.write(value)
    return writer.document
  }

  /// Sets the body, and the content type unless the header has one.
  public func encode(_ parameters: StructuredValue, into request: inout TransferRequest) throws(ParameterEncodingError) {
    request.body = .bytes(try encode(parameters))
    if request.headerFields[.contentType] == nil { request.headerFields[.contentType] = "application/x-plist" }
  }

  /// The document.
  @_disfavoredOverload
  public func encode(_ value: JSONValue) throws(ParameterEncodingError) -> [UInt8] {
    try encode(StructuredValue(value))
  }

  /// Sets the body, and the content type unless the header has one.
  public func apply(_ parameters: JSONValue, to request: inout TransferRequest) throws(ParameterEncodingError) {
    try encode(StructuredValue(parameters), into: &request)
  }
}
