extension NetworkingError {
  /// Why a response was not accepted.
  public enum Validation: Sendable, Hashable, CustomStringConvertible {
    /// Its status is none of those that are accepted.
    case unacceptableStatus(Int)
    /// It has content, and none of the types that are accepted.
    case unacceptableContentType(String, acceptable: [String])
    /// It has content and does not say of which type.
    case missingContentType(acceptable: [String])
    /// A validator of the caller's refused it.
    case custom(Underlying)

    /// Human words.
    public var description: String {
      switch self {
      case .unacceptableStatus(let status): "the status \(status) is not one of those accepted"
      case .unacceptableContentType(let type, let acceptable):
        "the content type \(type) is not one of those accepted: \(acceptable.joined(separator: ", "))"
      case .missingContentType(let acceptable):
        "the response does not name its content type, accepted are: \(acceptable.joined(separator: ", "))"
      case .custom(let error): "\(error)"
      }
    }
  }
}
