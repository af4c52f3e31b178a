import GarlandJSON
import HTTPTypes

/// Writes a value as a JSON body.
public struct JSONParameters: ParameterEncoding {
  /// The layout of the JSON text. Defaults to compact.
  public var options: JSONPrintingOptions
  /// The form in which dates are written.
  public var dates: DateEncoding
  /// The form in which binary data is written. By default, Base64.
  public var data: DataEncoding

  /// Creates an encoding of parameters as a JSON body.
  public init(options: JSONPrintingOptions = .compact, dates: DateEncoding = .deferred, data: DataEncoding = .base64) {
    self.options = options
    self.dates = dates
    self.data = data
  }

  /// Sets the body of the request, and its content type unless the header contains a content type.
  public func encode(_ parameters: StructuredValue, into request: inout TransferRequest) throws(ParameterEncodingError) {
    apply(try parameters.json(dates: dates, data: data), to: &request)
  }

  /// Sets the body of the request, and its content type unless the header contains a content type.
  public func apply(_ parameters: JSONValue, to request: inout TransferRequest) {
    request.body = .bytes(parameters.jsonBytes(options: options))
    if request.headerFields[.contentType] == nil { request.headerFields[.contentType] = "application/json" }
  }
}
