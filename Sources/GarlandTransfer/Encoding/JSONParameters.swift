import GarlandJSON
import HTTPTypes

/// Writes a value as a JSON body.
public struct JSONParameters: ParameterEncoding {
  /// The layout. Defaults to compact.
  public var options: JSONPrintingOptions
  /// The form of dates.
  public var dates: DateEncoding
  /// The form of bytes.
  public var data: DataEncoding

  /// Creates an encoding.
  public init(options: JSONPrintingOptions = .compact, dates: DateEncoding = .deferred, data: DataEncoding = .base64) {
    self.options = options
    self.dates = dates
    self.data = data
  }

  /// Sets the body, and the content type unless the header has one.
  public func encode(_ parameters: StructuredValue, into request: inout TransferRequest) throws(ParameterEncodingError) {
    apply(try parameters.json(dates: dates, data: data), to: &request)
  }

  /// Sets the body, and the content type unless the header has one.
  public func apply(_ parameters: JSONValue, to request: inout TransferRequest) {
    request.body = .bytes(parameters.jsonBytes(options: options))
    if request.headerFields[.contentType] == nil { request.headerFields[.contentType] = "application/json" }
  }
}
