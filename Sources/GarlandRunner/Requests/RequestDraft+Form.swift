import GarlandTransfer
import HTTPTypes

/// Builds the requests that submit forms.
extension RequestDraft {
  /// Adds the header fields and the body that a browser sends for a form. Fields that the step itself sets take precedence.
  mutating func add(_ form: FormSubmission) {
    built.transfer.method = form.method
    switch form.body {
    case .none: break
    case .bytes(let bytes, let type): setBody(bytes, type: type)
    case .parts(let parts):
      var body = MultipartFormData()
      for part in parts { body.append(part) }
      built.transfer.body = .multipart(body)
    }
    for (name, value) in [(HTTPField.Name.referer, form.referer), (.origin, form.origin)] {
      guard let value, built.transfer.headerFields[name] == nil, !built.transfer.removedFields.contains(name) else { continue }
      built.transfer.headerFields[name] = value
    }
  }
}
