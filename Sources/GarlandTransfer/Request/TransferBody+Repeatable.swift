extension TransferBody {
  /// Whether the body can be sent again. True except for streams that can be read only once.
  public var isRepeatable: Bool {
    switch self {
    case .none, .bytes, .file: true
    case .stream(let stream): stream.isRepeatable
    case .multipart(let form): form.isRepeatable
    }
  }
}

extension MultipartFormData {
  /// Whether every part of the form can be sent again.
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
