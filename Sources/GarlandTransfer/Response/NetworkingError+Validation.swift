extension NetworkingError {
  /// The reason why a validator refused a response.
  public enum Validation: Sendable, Hashable, CustomStringConvertible {
    /// The status is not an accepted status.
    case unacceptableStatus(Int)
    /// The type of the content is not an accepted type.
    case unacceptableContentType(String, acceptable: [String])
    /// The response does not state the type of its content, since it has no `Content-Type`.
    case missingContentType(acceptable: [String])
    /// A custom validator refused the response.
    case custom(Underlying)

    /// The error message.
    public var description: String {
      switch self {
      case .unacceptableStatus(let status): "the status \(status) is not accepted"
      case .unacceptableContentType(let type, let acceptable):
        "the content type \(type) is not accepted; expected \(acceptable.joined(separator: ", "))"
      case .missingContentType(let acceptable):
        "the response does not name its content type, accepted are: \(acceptable.joined(separator: ", "))"
      case .custom(let error): "\(error)"
      }
    }
  }
}
