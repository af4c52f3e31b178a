extension TransferBody {
  /// Whether it can be sent again: all but streams that can be read once.
  public var isRepeatable: Bool {
    switch self {
    case .none, .bytes, .file: true
    case .stream(let stream): stream.isRepeatable
    case .multipart(let form):
      form.parts.allSatisfy { part in
        if case .stream(let stream) = part.content { stream.isRepeatable } else { true }
      }
    }
  }
}
