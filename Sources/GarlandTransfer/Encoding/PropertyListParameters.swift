import GarlandJSON
import HTTPTypes

/// Writes a value as an XML property list.
///
/// Integers become `<integer>`, other numbers `<real>`. Null is an error, since property lists have no
/// null.
public struct PropertyListParameters: ParameterEncoding {
  /// Whether dictionaries are sorted by key, as in Apple's writer. Otherwise they keep their order.
  public var sortsKeys: Bool

  /// Creates an encoding of parameters as an XML property list.
  public init(sortsKeys: Bool = true) { self.sortsKeys = sortsKeys }

  /// Returns a value as an XML property list. Dates are in UTC and have whole seconds.
  public func encode(_ value: StructuredValue) throws(ParameterEncodingError) -> [UInt8] {
    var writer = PropertyListWriter(sortsKeys: sortsKeys)
    try writer.write(value)
    return writer.document
  }

  /// Sets the body of the request to the parameters. Also sets the content type, unless the header contains a content type.
  public func encode(_ parameters: StructuredValue, into request: inout TransferRequest) throws(ParameterEncodingError) {
    request.body = .bytes(try encode(parameters))
    if request.headerFields[.contentType] == nil { request.headerFields[.contentType] = "application/x-plist" }
  }

  /// Returns a JSON value as an XML property list.
  @_disfavoredOverload
  public func encode(_ value: JSONValue) throws(ParameterEncodingError) -> [UInt8] {
    try encode(StructuredValue(value))
  }

  /// Sets the body of the request to the parameters. Also sets the content type, unless the header contains a content type.
  public func apply(_ parameters: JSONValue, to request: inout TransferRequest) throws(ParameterEncodingError) {
    try encode(StructuredValue(parameters), into: &request)
  }
}
