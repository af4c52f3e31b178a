import GarlandDiagnostics
import GarlandJSON
import GarlandTransfer
import GarlandResults
import GarlandWorkflow
import HTTPTypes

/// A request whose parts are evaluated and added one after another.
struct RequestDraft {
  let template: RequestTemplate
  let step: Step
  /// The absolute path of the document's folder.
  var directory: String
  let workingDirectory: String
  let files: FileAccess
  /// The entries of the document's `auth`.
  var authentications: [AuthDefinition] = []
  var built: BuiltRequest

  init(template: RequestTemplate, step: Step, url: String, directory: String, workingDirectory: String, files: FileAccess) {
    self.template = template
    self.step = step
    self.directory = directory
    self.workingDirectory = workingDirectory
    self.files = files
    built = BuiltRequest(transfer: TransferRequest(url: url, method: RequestDraft.method(template.method.value)))
  }

  /// Returns the HTTP method with the given name. For the usual names, the result is a constant, so that the name is not validated.
  static func method(_ name: String) -> HTTPRequest.Method {
    switch name {
    case "GET": .get
    case "POST": .post
    case "PUT": .put
    case "PATCH": .patch
    case "DELETE": .delete
    case "HEAD": .head
    default: HTTPRequest.Method(name) ?? .get
    }
  }

  /// Sets the request's method to the value of an expression.
  mutating func setMethod(_ method: Template, _ context: some EvaluationContext) throws(RequestRefusal) {
    let (text, isSecret) = try text(method, context)
    guard RequestTemplate.isMethod(text), let method = HTTPRequest.Method(text) else {
      throw refusal(
        "method",
        "is \(isSecret ? "" : "\(Shown.value(.string(text))), which is ")not a valid HTTP method: a method is one word, such as `PURGE`",
        at: method.range, actual: isSecret ? nil : text)
    }
    built.transfer.method = method
  }

  // MARK: Evaluating

  func text(_ template: Template, _ context: some EvaluationContext) throws(RequestRefusal) -> (text: String, isSecret: Bool) {
    do throws(EvaluationError) {
      return try template.evaluateText(in: context)
    } catch {
      throw .value(error)
    }
  }

  func value(_ template: ValueTemplate, _ context: some EvaluationContext) throws(RequestRefusal) -> Value {
    do throws(EvaluationError) {
      return try template.evaluate(in: context)
    } catch {
      throw .value(error)
    }
  }

  func setting<Wrapped>(_ setting: Setting<Wrapped>, _ context: some EvaluationContext) throws(RequestRefusal) -> Wrapped {
    if let constant = setting.constant { return constant }
    do throws(EvaluationError) {
      return try setting.resolve(in: context)
    } catch {
      throw .value(error)
    }
  }

  func refusal(_ subject: String, _ message: String, at range: SourceRange, actual: String? = nil) -> RequestRefusal {
    var failure = CheckFailure(.value, subject: subject, message: message, at: range)
    failure.actual = actual
    return .request(failure)
  }

  /// Returns the folder against which relative paths are resolved: the document's folder, or the working directory for downloads and
  /// caches.
  func folder(for use: PathUse) -> String { use.folder(document: directory, workingDirectory: workingDirectory) }

  /// Returns the absolute path of a file whose path became known only during the run. The file must be in the project, like every file that
  /// a document names.
  func locate(_ path: String, for use: PathUse, _ subject: String, at range: SourceRange) throws(RequestRefusal) -> String {
    do throws(WorkflowFileError) {
      return try files.locate(path, from: folder(for: use))
    } catch {
      var failure = CheckFailure(.file, subject: subject, message: "`\(path)` can't be used: \(error.message)", at: range)
      if error.isOutside { failure.help = "allow the folder of the file with `--allow-path DIR`" }
      throw .file(failure)
    }
  }

  // MARK: Destinations of credentials

  /// Returns whether the request goes to the origin of `base_url`. Credentials that a document sets for all its steps are sent only to this
  /// origin.
  private func goesHome(_ context: some EvaluationContext) throws(RequestRefusal) -> Bool {
    guard let baseURL = template.baseURL else { return false }
    // A path is appended to `base_url`. Any other text is checked after evaluation: a scheme may be
    // in capitals, or come from a variable.
    if case .literal(let text)? = template.url.pieces.first, text.utf8.first == UInt8(ascii: "/") { return true }
    do throws(EvaluationError) {
      let base = try baseURL.evaluate(in: context).text
      guard let home = try? URLReference(base).origin, let target = try? URLReference(built.transfer.url).origin else { return false }
      return home == target
    } catch {
      throw .value(error)
    }
  }

  /// Returns whether a credential may be sent with this request. A credential from the document's defaults may be sent only to the origin
  /// of `base_url`. For any other request, adds a notice for the user and returns false.
  private mutating func permits(
    _ what: String, isDefault: Bool, at range: SourceRange, _ context: some EvaluationContext
  ) throws(RequestRefusal) -> Bool {
    guard isDefault, try !goesHome(context) else { return true }
    let target = (try? URLReference(built.transfer.url).origin)?.description ?? "another origin"
    let home = template.baseURL == nil ? "there is no `base_url` here" : "`base_url` leads to another origin"
    built.notices.append(
      Diagnostic(
        "default-withheld", severity: .warning,
        "\(what) of `defaults` is not sent to \(target), since it is sent only to the origin of `base_url`", at: range, notes: [.init(home)]
      ).help("to send it anyway, write it in the step itself"))
    return false
  }

  // MARK: Header

  /// Adds the step's header fields. Duplicate literal names were rejected when the document was decoded; names from expressions are checked
  /// here.
  mutating func add(_ headers: [HeaderTemplate], _ context: some EvaluationContext) throws(RequestRefusal) {
    guard headers.contains(where: { $0.nameTemplate != nil }) else {
      for header in headers { try add(header, try fieldName(of: header, context), context) }
      return
    }
    var added: [HTTPField.Name: HeaderTemplate] = [:]
    for header in headers {
      let name = try fieldName(of: header, context)
      if let other = added[name] {
        guard other.isDefault, !header.isDefault else {
          throw refusal(
            "headers", "`\(header.name.value)` results in `\(name.rawName)`, which is also the name of another header",
            at: header.name.range)
        }
        built.transfer.headerFields[name] = nil
        built.transfer.removedFields.remove(name)
        built.transfer.credentialFields.remove(name)
      }
      added[name] = header
      if header.nameTemplate != nil { try checkExpression(gives: name, header) }
      try add(header, name, context)
    }
  }

  /// Returns the name of a header field. Throws if the name contains expressions and their values do not result in a valid name.
  func fieldName(of header: HeaderTemplate, _ context: some EvaluationContext) throws(RequestRefusal) -> HTTPField.Name {
    let name = try header.nameTemplate.map { template throws(RequestRefusal) in try text(template, context).text } ?? header.name.value
    guard let name = HTTPField.Name(name) else {
      throw refusal("headers", "`\(name)` is not a valid header name", at: header.name.range)
    }
    return name
  }

  /// Throws an error if an expression has computed a field name, `name`, that the step must not set:
  ///
  /// - `Content-Length` and `Transfer-Encoding` are computed from the body, so a step must not set them.
  /// - `Authorization` must not be set if another key of the step, such as `bearer`, sets credentials.
  private func checkExpression(gives name: HTTPField.Name, _ header: HeaderTemplate) throws(RequestRefusal) {
    if name == .contentLength || name == .transferEncoding {
      throw refusal("headers", "`\(name.rawName)` can't be set: it is computed from the body", at: header.name.range)
    }
    if name == .authorization, let auth = template.auth, !auth.sendsNothing, !header.values.isEmpty {
      throw refusal("headers", "`\(name.rawName)` can't be used with another kind of credentials", at: header.name.range)
    }
  }

  private mutating func add(
    _ header: HeaderTemplate, _ name: HTTPField.Name, _ context: some EvaluationContext
  ) throws(RequestRefusal) {
    guard !header.values.isEmpty else {
      built.transfer.removedFields.insert(name)
      return
    }
    for template in header.values {
      let (text, isSecret) = try text(template, context)
      if header.isDefault, isSecret {
        guard try permits("the header `\(header.name.value)`", isDefault: true, at: header.name.range, context) else { continue }
      }
      guard HTTPField.isValidValue(text) else {
        throw refusal(
          "headers.\(header.name.value)", "has a line break or a control character, which is not allowed in a header", at: template.range)
      }
      if isSecret { built.transfer.credentialFields.insert(name) }
      if name == .accept, !header.isDefault { built.acceptedTypes.append(text) }
      built.transfer.headerFields.append(HTTPField(name: name, value: text))
    }
  }

  mutating func addCookies(_ cookies: [CookieTemplate], _ context: some EvaluationContext) throws(RequestRefusal) {
    var pairs: [(name: String, value: String)] = []
    for cookie in cookies {
      var name = cookie.name.value
      if let template = cookie.nameTemplate {
        name = try text(template, context).text
        guard HTTPField.Name(name) != nil else { throw refusal("cookies", "`\(name)` is not a valid cookie name", at: cookie.name.range) }
      }
      // An expression may result in the name of a default field.
      pairs.removeAll { $0.name == name }
      guard let template = cookie.value else { continue }
      guard try permits("the cookie `\(cookie.name.value)`", isDefault: cookie.isDefault, at: cookie.name.range, context) else { continue }
      let (text, _) = try text(template, context)
      guard HTTPField.isValidValue(text), !text.utf8.contains(UInt8(ascii: ";")) else {
        throw refusal(
          "cookies.\(cookie.name.value)", "has a `;`, a line break or a control character, which is not allowed in a cookie",
          at: template.range)
      }
      pairs.append((name, text))
    }
    guard !pairs.isEmpty else { return }
    let value = pairs.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    built.transfer.headerFields.append(HTTPField(name: .cookie, value: value))
  }

  mutating func add(_ auth: AuthTemplate, _ context: some EvaluationContext) throws(RequestRefusal) {
    switch auth.kind {
    case .none: return
    case .bearer(let template):
      guard try permits("`bearer`", isDefault: auth.isDefault, at: auth.range, context) else { return }
      let token = try text(template, context).text
      guard HTTPField.isValidValue(token), !token.isEmpty else {
        throw refusal(
          "bearer", token.isEmpty ? "is empty" : "has a line break or a control character, which is not allowed here", at: template.range)
      }
      // A token is a secret even if it is not declared, unless the document contains it literally.
      if template.constant == nil { context.secretRegistry.register(secret: token) }
      built.transfer.credential = .bearer(token)
    case .basic(let template):
      guard try permits("`basic`", isDefault: auth.isDefault, at: auth.range, context) else { return }
      let (user, password) = try userAndPassword(template, context)
      built.transfer.credential = .basic(user: user, password: password)
    case .digest(let template):
      guard try permits("`digest`", isDefault: auth.isDefault, at: auth.range, context) else { return }
      let (user, password) = try userAndPassword(template, context)
      built.transfer.credential = .digest(user: user, password: password)
    case .named(let index):
      let definition = authentications[index]
      guard try permits("`auth: \(definition.name.value)`", isDefault: auth.isDefault, at: auth.range, context) else { return }
      try add(definition, index, context)
    }
  }

  private func userAndPassword(
    _ template: Template, _ context: some EvaluationContext
  ) throws(RequestRefusal) -> (user: String, password: String) {
    let pair = try text(template, context).text
    let colon = pair.firstIndex(of: ":") ?? pair.endIndex
    let password = String(pair[colon...].dropFirst())
    if template.constant == nil { context.secretRegistry.register(secret: password) }
    return (String(pair[..<colon]), password)
  }

  // MARK: Content

  /// Throws an error if the memory of this process is limited (see ``MemorySupply``) and has no room for the given number of bytes. Without
  /// a limit, the number is not computed.
  func requireRoom(for bytes: @autoclosure () -> Int, at range: SourceRange) throws(RequestRefusal) {
    guard MemorySupply.isLimited, !Computation.hasRoom(for: bytes()) else { return }
    throw .value(EvaluationError(Diagnostic(.outOfTime, "there is not enough memory for the request", at: range)))
  }

  /// Returns the bytes of a text that is a body, or a part of a body.
  func bytes(of template: Template, _ context: some EvaluationContext) throws(RequestRefusal) -> [UInt8] {
    let text = try text(template, context).text
    try requireRoom(for: text.utf8.count, at: template.range)
    return Array(text.utf8)
  }

  mutating func setBody(_ bytes: [UInt8], type: String) {
    built.transfer.body = .bytes(bytes)
    setContentType(type)
  }

  /// Sets the media type of the body, unless the step sets it.
  mutating func setContentType(_ type: String) {
    guard built.transfer.headerFields[.contentType] == nil, !built.transfer.removedFields.contains(.contentType) else { return }
    built.transfer.headerFields[.contentType] = type
  }

  // MARK: Download

  mutating func add(_ download: DownloadTemplate, _ context: some EvaluationContext) throws(RequestRefusal) {
    let (path, _) = try text(download.to, context)
    guard !path.isEmpty else { throw refusal("download.to", "is empty", at: download.to.range) }
    var target = DownloadTarget(path: try locate(path, for: .download, "download", at: download.to.range), partial: .discarded)
    target.name = download.usesSuggestedName ? .suggested : .given
    if !download.usesSuggestedName, files.files.kind(of: target.path) == .folder {
      var failure = CheckFailure(.file, subject: "download", message: "`\(path)` is a folder, not a file", at: download.to.range)
      failure.help = DownloadTemplate.folderAdvice
      throw .file(failure)
    }
    target.replacesExisting = try download.replace.map { replace throws(RequestRefusal) in try setting(replace, context) } ?? true
    target.createsDirectories =
      try download.createDirs.map { createDirs throws(RequestRefusal) in try setting(createDirs, context) } ?? true
    if let resume = download.resume, try setting(resume, context) {
      guard built.transfer.method == .get else {
        throw refusal("download.resume", "needs the method GET, but the method is \(built.transfer.method.rawValue)", at: resume.range)
      }
      target.partial = .kept
    }
    target.computesDigest = step.judged.contains { if case .sha256 = $0.check { true } else { false } }
    built.transfer.destination = .file(target)
  }
}
