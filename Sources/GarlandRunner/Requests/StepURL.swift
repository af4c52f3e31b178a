import GarlandText
import GarlandTransfer
import GarlandWorkflow

/// The URL of a step's request after its expressions were evaluated.
struct StepURL: Sendable {
  var text: String
  var isSecret: Bool
  /// The completed form that the request submits; nil if the request does not submit a form.
  var form: FormSubmission?
}

extension StepURL {
  /// Evaluates the URL of a step: the URL in the document, or the URL of the form that the step submits. Returns nil for a step that calls
  /// a document, since such a step has no URL.
  init?(of action: StepAction, in context: any EvaluationContext) throws(EvaluationError) {
    guard let request = action.request else { return nil }
    if let submit = action.form {
      let form = try FormSubmission(of: submit, in: context)
      self.init(text: form.url, isSecret: form.isURLSecret, form: form)
      return
    }
    try self.init(of: request, in: context)
    if action.talk != nil { text = WebSocketConnection.httpURL(text) }
  }

  private init(of request: RequestTemplate, in context: any EvaluationContext) throws(EvaluationError) {
    let (text, isSecret) = try request.evaluateURL(in: context)
    self.init(text: text, isSecret: isSecret)
    if isSecret { Self.registerHost(of: text, context.secretRegistry) }
    // A password is a secret even if it is not declared, unless the document contains it
    // literally.
    if Self.hasUser(text), request.url.constant == nil || request.baseURL?.constant == nil {
      Self.registerPassword(of: text, context.secretRegistry)
    }
  }

  /// Whether a URL contains an `@`, and so possibly a user name.
  private static func hasUser(_ url: String) -> Bool {
    var url = url
    return url.withUTF8 { bytes in
      for byte in bytes where byte == UInt8(ascii: "@") { return true }
      return false
    }
  }

  /// If the host in an evaluated URL contains a secret and is an international name, registers the name's encoded form (`xn--…`) as a
  /// secret, too. The request contains this form.
  private static func registerHost(of url: String, _ secrets: any SecretRegistry) {
    guard let sent = try? URLReference(url).host, let start = url.firstRange(of: "://")?.upperBound else { return }
    let labels = sent.split(separator: ".").filter { $0.hasPrefix("xn--") }
    let authority = url[start...].prefix { !"/?#".contains($0) }
    let host = authority.split(separator: "@").last.map(String.init) ?? ""
    guard !labels.isEmpty, !secrets.masked(url).contains(host) else { return }
    // A secret may extend over several labels.
    secrets.register(secret: sent)
    for label in labels { secrets.register(secret: String(label)) }
  }

  private static func registerPassword(of url: String, _ secrets: any SecretRegistry) {
    guard let user = try? URLReference(url).userInfo, let colon = user.firstIndex(of: ":") else { return }
    let password = String(user[colon...].dropFirst())
    secrets.register(secret: password)
    secrets.register(secret: PercentEncoding.text(decoding: password))
  }
}
