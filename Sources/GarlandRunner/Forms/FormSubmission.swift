import GarlandDiagnostics
import GarlandJSON
import GarlandText
import GarlandTransfer
import GarlandWorkflow
import HTTPTypes

/// The request that a browser would send for a completed HTML form. The form comes from the response of an earlier step.
struct FormSubmission: Sendable {
  enum Body: Sendable {
    case none
    case bytes([UInt8], type: String)
    case parts([MultipartFormData.Part])
  }

  var url: String
  /// Whether a secret is part of the URL.
  var isURLSecret: Bool
  var method: HTTPRequest.Method
  var body: Body
  /// The value of the header field `Referer`: the URL of the page that contains the form. Servers use this value to recognise forged
  /// requests. The value has only the parts of the URL that browsers send (Referrer Policy, `strict-origin-when-cross-origin`).
  var referer: String?
  var origin: String?

  init(of submit: SubmitTemplate, in context: any EvaluationContext) throws(EvaluationError) {
    func refuse(_ mistake: FormMistake, at range: SourceRange) -> EvaluationError {
      let diagnostic = Diagnostic(mistake.isOutOfTime ? .outOfTime : mistake.isLocal ? .file : .form, mistake.message, at: range)
      return EvaluationError(mistake.help.map { diagnostic.help($0) } ?? diagnostic)
    }
    guard let response = context.response(of: submit.from) else {
      let reason = context.absence(of: submit.from).map { ": \($0)" } ?? ""
      throw EvaluationError(
        Diagnostic(.undefined, "there is no response of the step `\(submit.fromID.value)`\(reason)", at: submit.fromID.range),
        isUndefined: true)
    }
    var form: PageForm
    let button: FormControl?
    do throws(FormMistake) {
      form = try PageForm(submit.form, in: try Self.page(of: response))
    } catch {
      throw refuse(error, at: submit.formRange)
    }
    var isSecret = false
    for field in submit.fields {
      let (name, _) = try field.name.evaluateText(in: context)
      let filling: PageForm.Filling
      switch field.value {
      case .value(let template):
        let value = try template.evaluate(in: context)
        value.forEachSecret { context.secretRegistry.register(secret: $0) }
        isSecret = isSecret || value.isTainted
        filling = .value(value.json)
      case .file(let template): filling = .file(try Self.part(template, in: context))
      }
      do throws(FormMistake) {
        try form.fill(name, with: filling)
      } catch {
        throw refuse(error, at: field.range)
      }
    }
    do throws(FormMistake) {
      button = try form.button(submit.button?.value)
    } catch {
      throw refuse(error, at: submit.button?.range ?? submit.formRange)
    }
    do throws(FormMistake) {
      try self.init(form, pressing: button, page: response.url, base: Self.base(of: form), isSecret: isSecret)
    } catch {
      throw refuse(error, at: submit.formRange)
    }
  }

  /// Creates the request that submits a form, by the algorithm in HTML, section 4.10.21.3.
  init(_ form: PageForm, pressing button: FormControl?, page: String, base: String?, isSecret: Bool) throws(FormMistake) {
    let entries = FormEntries(form, pressing: button)
    let method = (button?.method ?? form.node[attribute: "method"] ?? "get").trimmed.lowercased()
    let encoding = (button?.encoding ?? form.node[attribute: "enctype"] ?? "").trimmed.lowercased()
    guard method != "dialog" else { throw FormMistake(message: "\(form.words) has the method `dialog`, so it sends no request") }
    let action = (button?.action ?? form.node[attribute: "action"] ?? "").trimmed
    var target = try Self.resolve(action, page: page, base: base)
    let home = try? URLReference(page)
    isURLSecret = false
    body = .none
    if method == "post" {
      self.method = .post
      switch encoding {
      case "multipart/form-data": body = .parts(entries.parts)
      case "text/plain": body = .bytes(Array(entries.plain.utf8), type: "text/plain")
      default: body = .bytes(Array(entries.urlEncoded.utf8), type: "application/x-www-form-urlencoded")
      }
      origin = home.flatMap(Self.originText)
    } else {
      self.method = .get
      target.query = entries.urlEncoded
      isURLSecret = isSecret
    }
    target.fragment = nil
    url = target.description
    referer = Self.referer(from: home, to: target)
  }

  private static func page(of response: any ResponseData) throws(FormMistake) -> MarkupBody {
    do throws(ResponseDataError) {
      if let view = response as? any ResponseView { return try view.markup() }
      let type = response.headers(named: "content-type").last ?? "text/html; charset=utf-8"
      return try MarkupBody.parse(Array(try response.text().utf8), contentType: type).get()
    } catch {
      if Computation.hasEnded { throw .outOfTime }
      throw FormMistake(message: "there is no form: \(error.message)", isLocal: error.isLocal)
    }
  }

  /// Returns the URL of the page's `<base href>` element, against which the form's relative action is resolved.
  private static func base(of form: PageForm) -> String? {
    let found = try? form.node.document.select("(//*[local-name()='base'][@href])[1]/@href").nodes.first?.text
    return found.flatMap(\.self)
  }

  private static func resolve(_ action: String, page: String, base: String?) throws(FormMistake) -> URLReference {
    let target: URLReference
    do throws(URLReferenceError) {
      let page = try URLReference(page)
      // An empty action is the URL of the page itself; `<base>` has no effect on it.
      guard !action.isEmpty else { return page }
      var start = page
      if let base { start = try URLReference(base).resolved(against: page) }
      target = try URLReference(escapingSpaces(action)).resolved(against: start)
    } catch {
      throw FormMistake(message: "the action `\(Shown.cut(action, 80))` of the form is not a URL: \(error)")
    }
    guard target.scheme == "http" || target.scheme == "https" else {
      throw FormMistake(message: "the action of the form is a `\(target.scheme ?? "")` URL, but only http and https are supported")
    }
    return target
  }

  /// Percent-encodes the spaces in a URL, since browsers accept URLs with unencoded spaces.
  private static func escapingSpaces(_ text: String) -> String {
    text.split(separator: " ", omittingEmptySubsequences: false).joined(separator: "%20")
  }

  private static func referer(from page: URLReference?, to target: URLReference) -> String? {
    guard var page, let origin = page.origin else { return nil }
    if page.scheme == "https", target.scheme != "https" { return nil }
    guard origin == target.origin else { return originText(page).map { $0 + "/" } }
    page.fragment = nil
    page.userInfo = nil
    return page.description
  }

  /// Returns the origin of a URL as text. A default port is left out.
  private static func originText(_ reference: URLReference) -> String? {
    guard let scheme = reference.scheme, let host = reference.host else { return nil }
    let isUsual = reference.port == nil || (scheme, reference.port) == ("http", 80) || (scheme, reference.port) == ("https", 443)
    return "\(scheme)://\(host)" + (isUsual ? "" : reference.port.map { ":\($0)" } ?? "")
  }

  // MARK: Files

  private static func part(_ part: PartTemplate, in context: any EvaluationContext) throws(EvaluationError) -> MultipartFormData.Part {
    func refuse(_ message: String, at range: SourceRange) -> EvaluationError { EvaluationError(Diagnostic(.file, message, at: range)) }
    var fileName: String?
    if let template = part.filename { fileName = try template.evaluateText(in: context).text }
    let content: MultipartFormData.Part.Content
    switch part.content {
    case .text(let template): content = .bytes(Array(try template.evaluateText(in: context).text.utf8))
    case .json(let template): content = .bytes(try template.evaluate(in: context).json.jsonBytes())
    case .base64(let template):
      let text = try template.evaluateText(in: context).text
      do throws(BinaryTextError) {
        content = .bytes(try Base64.decode(text.utf8.filter { $0 != 0x0A && $0 != 0x0D && $0 != 0x20 && $0 != 0x09 }))
      } catch {
        throw refuse("the content is not base64: \(error)", at: template.range)
      }
    case .file(let file, let template):
      let written = try file.path.evaluateText(in: context).text
      fileName = fileName ?? written.split(separator: "/").last.map(String.init)
      let path: String
      if let resolved = file.resolved {
        path = resolved
      } else {
        do throws(WorkflowFileError) {
          path = try context.services.files.locate(written, from: context.services.directory)
        } catch {
          throw refuse("`\(written)` can't be used: \(error.message)", at: file.path.range)
        }
      }
      let slice = try FileSlice(template, ofFile: path, in: context)
      content = .file(path: path, offset: slice.offset, length: slice.length)
    }
    var type: String?
    if let template = part.type { type = try template.evaluateText(in: context).text }
    let name = fileName ?? "file"
    return MultipartFormData.Part(name: "", fileName: name, contentType: type ?? MediaTypes.type(forPath: name), content: content)
  }
}
