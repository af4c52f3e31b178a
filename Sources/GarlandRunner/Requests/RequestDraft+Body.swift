import GarlandJSON
import GarlandText
import GarlandTransfer
import GarlandWorkflow
import HTTPTypes

/// Builds the bodies of requests.
extension RequestDraft {
  mutating func add(_ body: BodyTemplate, _ context: some EvaluationContext) throws(RequestRefusal) {
    switch body.kind {
    case .json(let template):
      setBody(try value(template, context).json.jsonBytes(), type: "application/json")
    case .plist(let template):
      setBody(try propertyList(try value(template, context).json, at: template.range), type: "application/x-plist")
    case .form(let parameters):
      let text = try encode(try value(parameters.value, context), parameters, context)
      setBody(Array(text.utf8), type: "application/x-www-form-urlencoded")
    case .text(let template):
      setBody(try bytes(of: template, context), type: "text/plain; charset=utf-8")
    case .file(let file, let template):
      let path = try path(of: file, context)
      let slice = try slice(template, ofFile: path, context)
      built.transfer.body = .file(path: path, offset: slice.offset, length: slice.length)
      setContentType(MediaTypes.type(forPath: path))
    case .base64(let template):
      setBody(try bytes(ofBase64: template, context), type: "application/octet-stream")
    case .multipart(let parts):
      var form = MultipartFormData()
      for part in parts { form.append(try self.part(part, context)) }
      built.transfer.body = .multipart(form)
    case .graphql(let query, let variables, let operationName, _):
      var members: JSONObject = ["query": .string(try text(query, context).text)]
      if let variables { members["variables"] = try value(variables, context).json }
      if let operationName { members["operationName"] = .string(try text(operationName, context).text) }
      setBody(JSONValue.object(members).jsonBytes(), type: "application/json")
    }
  }

  /// Returns the absolute path of a file that the document names.
  func path(of file: FileTemplate, _ context: some EvaluationContext) throws(RequestRefusal) -> String {
    if let resolved = file.resolved { return resolved }
    let (path, _) = try text(file.path, context)
    guard !path.isEmpty else { throw refusal("file", "is empty", at: file.path.range) }
    return try locate(path, for: .file, "file", at: file.path.range)
  }

  private func slice(
    _ template: SliceTemplate?, ofFile path: String, _ context: some EvaluationContext
  ) throws(RequestRefusal) -> FileSlice {
    do throws(EvaluationError) {
      return try FileSlice(template, ofFile: path, in: context)
    } catch {
      throw .value(error)
    }
  }

  private func bytes(ofBase64 template: Template, _ context: some EvaluationContext) throws(RequestRefusal) -> [UInt8] {
    let (text, isSecret) = try text(template, context)
    try requireRoom(for: 2 * text.utf8.count, at: template.range)
    // Long Base64 may be split into several lines.
    let compact = text.utf8.filter { $0 != 0x0A && $0 != 0x0D && $0 != 0x20 && $0 != 0x09 }
    do throws(BinaryTextError) {
      return try Base64.decode(compact)
    } catch {
      throw refusal("base64", "is not base64: \(error)", at: template.range, actual: isSecret ? nil : text)
    }
  }

  private func part(_ part: PartTemplate, _ context: some EvaluationContext) throws(RequestRefusal) -> MultipartFormData.Part {
    let name = try text(part.name, context).text
    var fileName: String?
    if let template = part.filename { fileName = try text(template, context).text }
    var type: String?
    if let template = part.type { type = try text(template, context).text }
    let content: MultipartFormData.Part.Content
    switch part.content {
    case .text(let template): content = .bytes(try bytes(of: template, context))
    case .json(let template):
      content = .bytes(try value(template, context).json.jsonBytes())
      type = type ?? "application/json"
    case .base64(let template):
      content = .bytes(try bytes(ofBase64: template, context))
      if fileName != nil { type = type ?? fileName.map { MediaTypes.type(forPath: $0) } }
    case .file(let file, let template):
      let path = try path(of: file, context)
      let slice = try slice(template, ofFile: path, context)
      content = .file(path: path, offset: slice.offset, length: slice.length)
      if fileName == nil {
        // This is the name that is written in the document, not the name of a symbolic link's target.
        let written = try text(file.path, context).text
        fileName = written.split(separator: "/").last.map(String.init) ?? written
      }
      type = type ?? MediaTypes.type(forPath: fileName ?? path)
    }
    var fields = HTTPFields()
    for header in part.headers {
      let fieldName = try fieldName(of: header, context)
      for template in header.values {
        let value = try text(template, context).text
        guard HTTPField.isValidValue(value) else {
          throw refusal(
            "headers.\(header.name.value)", "has a line break or a control character, which is not allowed in a header", at: template.range)
        }
        fields.append(HTTPField(name: fieldName, value: value))
      }
    }
    return MultipartFormData.Part(name: name, fileName: fileName, contentType: type, headerFields: fields, content: content)
  }
}

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
