/// The reason why values could not be encoded as parameters.
public enum ParameterEncodingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// URL-encoded parameters must be an object.
  case notAnObject
  /// A property list has no null. The path is that of the value, such as `a.b[0]`.
  case null(path: String)
  /// XML cannot represent a character of the string at this path.
  case unencodableCharacter(path: String)
  /// Objects and lists are nested deeper than the limit.
  case tooDeep(limit: Int)

  /// The number is infinite or NaN, which no format can represent.
  case notFinite(path: String)
  /// No format can represent the value at this path, which has this type.
  case notEncodable(path: String, type: String)
  /// A value's own encoding threw this error.
  case failed(NetworkingError.Underlying)

  /// The error message.
  public var description: String {
    switch self {
    case .notAnObject: "URL-encoded parameters must be an object"
    case .null(let path): "a property list has no null, which is the value of \(path.isEmpty ? "it all" : path)"
    case .unencodableCharacter(let path): "the text of \(path.isEmpty ? "it all" : path) has a character that XML can't hold"
    case .notFinite(let path): "the value of \(path.isEmpty ? "it all" : path) is infinite or not a number"
    case .notEncodable(let path, let type):
      "the value of \(path.isEmpty ? "it all" : path) is of the type \(type), which is not `Encodable`"
    case .failed(let error): "\(error)"
    case .tooDeep(let limit): "the values are nested more than \(limit) deep"
    }
  }
}
