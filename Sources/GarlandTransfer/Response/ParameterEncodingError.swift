/// The reason why values could not be encoded as parameters.
public enum ParameterEncodingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The value is not an object, which URL-encoded parameters require.
  case notAnObject
  /// The value at this path, such as `a.b[0]`, is null, which a property list cannot contain.
  case null(path: String)
  /// The string at this path contains a character that XML cannot represent.
  case unencodableCharacter(path: String)
  /// Objects and lists are nested deeper than the limit.
  case tooDeep(limit: Int)

  /// The number at this path is infinite or NaN, which no format can represent.
  case notFinite(path: String)
  /// The value at this path has a type that no format can represent.
  case notEncodable(path: String, type: String)
  /// A type's own `encode(to:)`, or a closure of the caller, threw this error.
  case failed(NetworkingError.Underlying)

  /// The error message.
  public var description: String {
    switch self {
    case .notAnObject: "URL-encoded parameters must be an object"
    case .null(let path): "\(path.isEmpty ? "the value" : "the value of `\(path)`") is null, which a property list can't contain"
    case .unencodableCharacter(let path): "\(path.isEmpty ? "the text" : "the text of `\(path)`") has a character that XML can't contain"
    case .notFinite(let path): "\(path.isEmpty ? "the value" : "the value of `\(path)`") is infinite or not a number"
    case .notEncodable(let path, let type):
      "\(path.isEmpty ? "the value" : "the value of `\(path)`") is of the type \(type), which is not `Encodable`"
    case .failed(let error): "\(error)"
    case .tooDeep(let limit): "the values are nested more than \(limit) deep"
    }
  }
}
