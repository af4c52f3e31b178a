extension TransferBody {
  /// Whether it can be sent again: all but streams that can be read once.
  public var isRepeatable: Bool {
    switch self {
    case .none, .bytes, .file: true
    case .stream(let stream): stream.isRepeatable
    case .multipart(let form): form.isRepeatable
    }
  }
}

extension MultipartFormData {
  /// Whether all parts can be sent again.
  fileprivate var isRepeatable: Bool {
    parts.allSatisfy { part in
      switch part.content {
      case .bytes, .file: true
      case .stream(let stream): stream.isRepeatable
      case .form(let form): form.isRepeatable
      }
    }
  }
}
