import GarlandJSON
import HTTPTypes

/// Writes a value as a JSON body.
public struct JSONParameters: Sendable {
  /// How it is laid out. Defaults to compact.
  public var options: JSONPrintingOptions

  /// An encoding.
  public init(options: JSONPrintingOptions = .compact) { self.options = options }

  /// Sets the body, and the content type unless the header has one.
  public func apply(_ parameters: JSONValue, to request: inout TransferRequest) {
    request.body = .bytes(parameters.jsonBytes(options: options))
    if request.headerFields[.contentType] == nil { request.headerFields[.contentType] = "application/json" }
  }
}
