/// Writes parameters into a request.
///
/// ```swift
/// session.request(url, method: .post, parameters: ["title": "Dune"], encoding: .json)
///
/// struct Lines: ParameterEncoding {
///   func encode(_ parameters: StructuredValue, into request: inout TransferRequest) throws(ParameterEncodingError) { … }
/// }
/// ```
/// The parameters are passed as one tree, whether they come from a literal or an `Encodable` value.
public protocol ParameterEncoding: Sendable {
  /// Adds the parameters to the request. Sets the content type unless the header contains a content type.
  func encode(_ parameters: StructuredValue, into request: inout TransferRequest) throws(ParameterEncodingError)

  /// Whether nil properties of `Encodable` values become null; otherwise they are omitted.
  /// Defaults to false.
  var keepsNils: Bool { get }
}

extension ParameterEncoding {
  /// False by default: nil properties are omitted.
  public var keepsNils: Bool { false }
}

extension ParameterEncoding where Self == URLEncodedParameters {
  /// An encoding as `key=value&…`, in the query or the body depending on the method.
  public static var url: URLEncodedParameters { URLEncodedParameters() }
  /// An encoding as `key=value&…`, always in the query.
  public static var query: URLEncodedParameters { URLEncodedParameters(destination: .query) }
  /// An encoding of parameters as `key=value&…`, always in the body of the request.
  public static var form: URLEncodedParameters { URLEncodedParameters(destination: .body) }
}

extension ParameterEncoding where Self == JSONParameters {
  /// An encoding as a JSON body.
  public static var json: JSONParameters { JSONParameters() }
}

extension ParameterEncoding where Self == PropertyListParameters {
  /// An encoding as a body that is an XML property list.
  public static var propertyList: PropertyListParameters { PropertyListParameters() }
}
