import GarlandText
import GarlandTransfer
import GarlandPlanner
import GarlandWorkflow
import HTTPTypes

/// Builds the requests of steps by evaluating all their values.
struct RequestBuilder: Sendable {
  /// The base folder for the relative paths of files that the run writes.
  let workingDirectory: String
  /// The file system, limited to the files that the steps may use.
  let files: FileAccess
  /// The proxy from the environment variables, for steps that set no proxy; `.none` if the variables set no proxy.
  let proxy: ProxySetting
  /// Whether a report shows the properties of TLS connections.
  let recordsSecurity: Bool

  init(workingDirectory: String, files: FileAccess, environment: [String: String], recordsSecurity: Bool = false) {
    self.workingDirectory = workingDirectory
    self.recordsSecurity = recordsSecurity
    self.files = files
    let environment = ProxyEnvironment(environment)
    let isSilent = environment.http == nil && environment.https == nil && environment.all == nil
    proxy = isSilent ? .none : .environment(environment)
  }

  /// Evaluates the transport settings of a step's request before the run starts. If a setting can't be evaluated, for example because it
  /// depends on a response, all settings of the step are ignored: the result contains only the proxy from the environment variables.
  func settings(of planned: PlannedStep, in context: some EvaluationContext) -> TransferSettings {
    var plain = TransferSettings()
    plain.proxy = proxy
    guard let template = planned.step.request else { return plain }
    var draft = RequestDraft(
      template: template, step: planned.step, url: "", directory: planned.workflow.directory, workingDirectory: workingDirectory,
      files: files)
    draft.built.transfer.settings.proxy = proxy
    guard (try? draft.addTransport(template.transport, context)) != nil else { return plain }
    return draft.built.transfer.settings
  }

  /// Returns those transport settings of a step that may also be used for another server, such as a token provider. These are the settings
  /// for proxy, name resolution, time limits, and TLS without the client certificate.
  func reach(_ planned: PlannedStep, in context: some EvaluationContext) throws(RequestRefusal) -> GarlandTransfer.TransferSettings {
    var settings = GarlandTransfer.TransferSettings()
    settings.proxy = proxy
    guard let template = planned.step.request else { return settings }
    var draft = RequestDraft(
      template: template, step: planned.step, url: "", directory: planned.workflow.directory,
      workingDirectory: workingDirectory, files: files)
    draft.built.transfer.settings.proxy = proxy
    try draft.addTransport(template.transport, context)
    let own = draft.built.transfer.settings
    settings.tls = own.tls
    settings.tls.clientCertificate = nil
    settings.proxy = own.proxy
    settings.resolve = own.resolve
    settings.connectTo = own.connectTo
    settings.interface = own.interface
    settings.idleTimeout = own.idleTimeout
    return settings
  }

  /// Builds the request of a step.
  ///
  /// - Parameters:
  ///   - planned: the step whose request is built.
  ///   - template: the template of the request.
  ///   - url: the evaluated URL.
  ///   - jars: the cookie jars.
  ///   - caches: the response caches; nil if responses are not stored.
  ///   - traits: the properties of the step's expectations, if they are known already.
  ///   - context: the context for evaluating expressions.
  func build(
    _ planned: PlannedStep, _ template: RequestTemplate, url: StepURL, jars: JarSet, caches: CacheSet?, _ traits: StepTraits? = nil,
    in context: some EvaluationContext
  ) throws(RequestRefusal) -> BuiltRequest {
    let traits = traits ?? StepTraits(of: planned.step)
    let url = try located(url, planned)
    // Settings that steps share are created once, so that the engine need not apply them again for each request.
    let isUsual = !traits.contains(.mayExpectRedirect) && !traits.contains(.looksAtTLS)
    let usual = isUsual ? jars.usualSettings(of: planned.workflowIndex, template) : nil
    if let usual, template.isPlain, url.form == nil, template.headers.isEmpty {
      return BuiltRequest(
        transfer: TransferRequest(url: url.text, method: RequestDraft.method(template.method.value), settings: usual))
    }
    var draft = RequestDraft(
      template: template, step: planned.step, url: url.text, directory: planned.workflow.directory, workingDirectory: workingDirectory,
      files: files)
    draft.authentications = planned.workflow.authentications
    // Most steps have no transport settings, and all such steps of a document share the same settings.
    draft.built.transfer.settings = usual ?? jars.settings(of: planned.workflowIndex, proxy: proxy)
    if traits.contains(.looksAtTLS) || (recordsSecurity && usual == nil) { draft.built.transfer.settings.recordsSecurity = true }
    if template.hasTransport, usual == nil {
      let transport = template.transport
      try draft.addTransport(transport, context)
      if let jar = transport.cookieJar { try draft.addJar(jar, jars, document: planned.workflowIndex, context) }
      if let caches { try draft.addCache(transport.cache, caches, document: planned.workflowIndex, context) }
    }
    if usual == nil {
      try draft.addRedirects(context)
      if isUsual { jars.keep(draft.built.transfer.settings, of: planned.workflowIndex, template) }
    }
    if !template.headers.isEmpty { try draft.add(template.headers, context) }
    if template.hasTransport, let traces = template.transport.traces { try draft.addTrace(traces, context) }
    guard !template.isPlain || url.form != nil else { return draft.built }
    if let method = template.methodTemplate { try draft.setMethod(method, context) }
    if !template.cookies.isEmpty { try draft.addCookies(template.cookies, context) }
    if let auth = template.auth { try draft.add(auth, context) }
    if let query = template.query { try draft.add(query, context) }
    if let params = template.params { try draft.add(params, context) }
    if let body = template.body { try draft.add(body, context) }
    if let form = url.form { draft.add(form) }
    if let download = template.download { try draft.add(download, context) }
    if let stream = template.stream { draft.add(stream) }
    return draft.built
  }

  /// Makes the path in a `file:` URL absolute. Throws if documents must not use the file, for example because it is outside of the project.
  /// Returns any other URL unchanged.
  private func located(_ url: StepURL, _ planned: PlannedStep) throws(RequestRefusal) -> StepURL {
    guard OtherScheme(of: url.text) == .file, let template = planned.step.request else { return url }
    let draft = RequestDraft(
      template: template, step: planned.step, url: url.text, directory: planned.workflow.directory, workingDirectory: workingDirectory,
      files: files)
    guard planned.step.action.writes(.file), let path = OtherScheme.path(ofFile: url.text), !path.isEmpty else {
      throw draft.refusal("url", "does not name a file on this machine", at: template.url.range, actual: url.text)
    }
    let located = try draft.locate(path, for: .file, "url", at: template.url.range)
    var url = url
    url.text = "file://" + located.split(separator: "/").map { "/" + PercentEncoding.encode(String($0)) }.joined()
    return url
  }
}
