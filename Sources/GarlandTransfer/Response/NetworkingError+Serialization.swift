import GarlandJSON

extension NetworkingError {
  /// The reason why a serializer could not convert a response to the requested type.
  public enum Serialization: Error, Sendable, Hashable, CustomStringConvertible {
    /// There is no content, although the status requires content.
    case empty
    /// The content is not text in this character set, or the character set is unknown.
    case string(charset: String)
    /// The content is not JSON.
    case json(JSONParsingError)
    /// The content is not a property list.
    case propertyList(detail: String)
    /// The content is not XML, or not readable as HTML.
    case markup(detail: String)
    /// This machine lacks a library or the memory to read the content.
    case unavailable(detail: String)
    /// The value at this path, such as `user.tags[0]`, does not have the expected type.
    case decoding(path: String, detail: String)
    /// A downloaded file could not be read.
    case file(File)
    /// Several serializers were tried, and each of them failed. The associated value contains their errors in order.
    case noneFits([Serialization])
    /// A custom serializer failed.
    case custom(Underlying)

    /// The error message.
    public var description: String {
      switch self {
      case .empty: "the response has no content"
      case .string(let charset): "the content is not text in the character set \(charset)"
      case .json(let error): "the content is not JSON: \(error)"
      case .propertyList(let detail): "the content is not a property list: \(detail)"
      case .markup(let detail): "the content is neither XML nor HTML: \(detail)"
      case .unavailable(let detail): "the content can't be read: \(detail)"
      case .decoding("", let detail): "the content does not have the expected type: \(detail)"
      case .decoding(let path, let detail): "the content does not have the expected type: \(path): \(detail)"
      case .file(let file): "could not \(file.operation.rawValue) \(file.path): \(file.detail)"
      case .noneFits(let failures): "no serializer fits: " + failures.map(\.description).joined(separator: "; ")
      case .custom(let error): "the content can't be understood: \(error)"
      }
    }
  }
}
