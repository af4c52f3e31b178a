extension DecodingError {
  /// The decoding error as an error of this library.
  var serialization: NetworkingError.Serialization {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context), .keyNotFound(_, let context):
      return .decoding(path: context.codingPath.text, detail: context.debugDescription)
    @unknown default: return .decoding(path: "", detail: "\(self)")
    }
  }
}
