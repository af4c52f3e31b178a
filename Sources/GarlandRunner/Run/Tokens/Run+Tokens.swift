import GarlandAuth
import GarlandDiagnostics
import GarlandTransfer
import GarlandPlanner
import GarlandResults
import GarlandWorkflow

/// Obtains the tokens that a step needs before it sends a request, and new tokens after a server has rejected a token. A step that waits
/// for a token holds no transfer slot.
extension Run {
  /// The next action of a step whose tokens have arrived.
  enum TokenSequel: Sendable {
    /// The step begins again with the evaluation of its condition `when`, since the condition uses a token.
    case begin
    /// The step evaluates its URL next.
    case prepare
    /// The step requests a transfer slot, so that its request is sent with the new token.
    case lineUp
  }

  /// Returns the indexes of the `auth` entries whose tokens a step needs, but for which there is no valid token yet.
  func missingTokens(of step: ActiveStep, _ planned: PlannedStep) -> [Int] {
    guard !planned.workflow.authentications.isEmpty else { return [] }
    return documents[planned.workflowIndex].tokens.missing(for: planned.step, of: planned.workflow)
  }

  /// Returns the step's entry in the plan if one of the tokens that the step needs is no longer valid; otherwise nil.
  func staleStep(_ step: ActiveStep) -> PlannedStep? {
    let planned = plan.steps[step.index]
    return missingTokens(of: step, planned).isEmpty ? nil : planned
  }

  /// Returns whether the token that a step is about to send was rejected by a server and is being replaced. If so, this function makes the
  /// step wait for the new token.
  func waitsForReplacement(_ step: ActiveStep, _ planned: PlannedStep) -> Bool {
    guard !planned.workflow.authentications.isEmpty else { return false }
    let indexes = documents[planned.workflowIndex].tokens.beingReplaced(for: planned.step)
    guard !indexes.isEmpty else { return false }
    releaseSlot(of: step)
    fetchTokens(indexes, for: step, planned, then: .lineUp)
    return true
  }

  /// Fetches tokens, or waits for tokens that are already being fetched.
  func fetchTokens(_ indexes: [Int], for step: ActiveStep, _ planned: PlannedStep, then sequel: TokenSequel) {
    var sources: [(index: Int, source: TokenSource)] = []
    do throws(RequestRefusal) {
      for index in indexes {
        sources.append((index, try inTime(planned) { () throws(RequestRefusal) in try tokenSource(index, planned, step.context) }))
      }
    } catch {
      end(step, ending(for: error, of: planned))
      return
    }
    if step.item.loop == nil, sequel != .lineUp { post(.waits(step: step.index)) }
    let (transport, beganAt) = (transport, now)
    Task.detached { [sources] in
      var failure: (index: Int, error: OAuthError)?
      for (index, source) in sources {
        do throws(OAuthError) {
          _ = try await source.manager.token()
        } catch {
          failure = (index, error)
          break
        }
      }
      transport.perform { [failure] in
        self.assumeIsolated { run in
          if step.times.startedAt == nil { step.times.delay += run.now - beganAt }
          run.tokensArrived(for: step, planned, sources.map(\.source), failure, then: sequel)
        }
      }
    }
  }

  private func tokensArrived(
    for step: ActiveStep, _ planned: PlannedStep, _ sources: [TokenSource], _ failure: (index: Int, error: OAuthError)?,
    then sequel: TokenSequel
  ) {
    guard !step.hasEnded else { return }
    for source in sources { step.exchanges.append(contentsOf: source.log.take()) }
    if let failure {
      let log = documents[planned.workflowIndex].tokens.source(failure.index)?.log
      let ending = StepEnding(noToken: failure.error, planned.workflow.authentications[failure.index], log)
      if !configuration.prints.isEmpty {
        logins.waits.failures[TokenWaits.Place(workflow: planned.workflowIndex, index: failure.index)] = ending
      }
      end(step, ending)
      return
    }
    switch sequel {
    case .begin:
      step.tokens.areFetched = true
      begin(step, planned)
    case .prepare: prepare(step, planned)
    case .lineUp: lineUpNow(step)
    }
  }

  /// Returns the request as it is sent in the current attempt, with the current token and a new signature.
  func authenticated(_ request: BuiltRequest, _ step: ActiveStep) throws(RequestRefusal) -> TransferRequest {
    var transfer = request.transfer
    if let index = request.authentication, let token = documents[plan.steps[step.index].workflowIndex].tokens.tokens(index) {
      transfer.credential = .bearer(token.accessToken)
      step.request?.transfer.credential = transfer.credential
    }
    guard let signer = request.signer else { return transfer }
    do throws(OAuthError) {
      return try signer.signed(transfer)
    } catch {
      throw .request(
        CheckFailure(.value, subject: "auth", message: "the request can't be signed: \(error)", at: plan.steps[step.index].step.idRange))
    }
  }

  /// Returns whether a response redirects to Garland's own redirect URI. If so, the login on the provider's pages is complete, and this
  /// function has ended the step.
  func isEndOfWay(_ step: ActiveStep, _ request: BuiltRequest, _ response: TransferResponse) -> Bool {
    guard let target = configuration.sending.redirectBoundary.flatMap({ response.redirect(to: $0) }) else { return false }
    logins.waits.capturedRedirect = target
    if case .file(let file) = response.body { file.discard() }
    var ending = StepEnding(.passed)
    ending.exchanges = step.exchanges.kept(and: recorder.exchange(of: request, response, isComplete: false))
    end(step, ending)
    return true
  }

  /// Whether a server has rejected a token that can be replaced. If true, this function also schedules the replacement, but at most once
  /// for each request.
  func wantsOtherToken(_ step: ActiveStep, _ request: BuiltRequest, _ response: TransferResponse, _ planned: PlannedStep) -> Bool {
    guard response.status.code == 401 else {
      step.tokens.hasReplayed = false
      return false
    }
    guard let index = request.authentication, !step.tokens.hasReplayed, step.haltReason == nil, !stage.isAborted,
      request.transfer.body.isRepeatable,
      let source = documents[planned.workflowIndex].tokens.source(index), case .bearer(let refused)? = request.transfer.credential,
      request.transfer.leadsToSameOrigin(as: response)
    else { return false }
    guard let isExpected = expects(response, step, request, planned) else { return true }
    guard !isExpected else { return false }
    step.tokens.hasReplayed = true
    if case .file(let file) = response.body { file.discard() }
    var exchange = recorder.exchange(of: request, response, isComplete: true)
    exchange.label = "refused token"
    step.exchanges.append(exchange)
    let transport = transport
    let old = TokenSet(accessToken: refused, obtainedAt: 0)
    // The token is invalidated at once, so that steps that wait for a slot use the new token.
    source.manager.refuse(old)
    Task.detached {
      var failure: (index: Int, error: OAuthError)?
      do throws(OAuthError) {
        _ = try await source.manager.token(insteadOf: old)
      } catch {
        failure = (index, error)
      }
      transport.perform { [failure] in
        self.assumeIsolated { $0.tokensArrived(for: step, planned, [source], failure, then: .lineUp) }
      }
    }
    return true
  }

  /// Returns the token source of an entry of `auth`, and creates the source at its first use.
  private func tokenSource(_ index: Int, _ planned: PlannedStep, _ context: StepContext) throws(RequestRefusal) -> TokenSource {
    try tokenSource(index, of: documents[planned.workflowIndex], planned, context, for: context)
  }

  /// Returns the token source of an `auth` entry. The token source is created when it is first used.
  ///
  /// - Parameters:
  ///   - index: the index of the entry in the document's `auth`.
  ///   - document: the values of the document that contains the entry.
  ///   - planned: the step whose transport settings are used for token requests. If nil, only the proxy from the environment is set.
  ///   - context: the context for the expressions of `planned`.
  ///   - scope: the context in which the values of the entry are evaluated.
  func tokenSource(
    _ index: Int, of document: DocumentValues, _ planned: PlannedStep?, _ context: StepContext, for scope: StepContext
  ) throws(RequestRefusal) -> TokenSource {
    if let known = document.tokens.source(index) { return known }
    let definition = document.workflow.authentications[index]
    if let origin = definition.origin, let other = document.foreign[index] {
      let source = try tokenSource(origin.index, of: other, planned, context, for: StepContext(document: other, known: []))
      document.tokens.add(source, at: index)
      return source
    }
    guard let template = definition.oauth2 else {
      throw .request(CheckFailure(.value, subject: "auth.\(definition.name.value)", message: "has no token", at: definition.name.range))
    }
    let builder = TokenSourceBuilder(
      definition: definition, template: template, context: scope, files: configuration.files, directory: document.workflow.directory)
    let log = ExchangeLog()
    let transport = transport
    let prompt: @Sendable (DeviceAuthorization) async -> Void = { [weak self] device in
      transport.perform { [self] in self?.assumeIsolated { $0.show(device, definition) } }
    }
    let (made, key) = try builder.configuration(
      others: { (other) throws(RequestRefusal) in try tokenSource(other, of: document, planned, context, for: scope).manager },
      agent: { (redirect) throws(RequestRefusal) in try agent(definition, template, redirect, document, log) },
      show: prompt)
    var settings = TransferSettings()
    settings.proxy = self.builder.proxy
    if let planned { settings = try self.builder.reach(planned, in: context) }
    let sender = RunTransport(transport: transport, settings: settings, recorder: recorder, log: log)
    // All repetitions share the tokens, so the redactor must outlive a single repetition.
    let redactor = configuration.redactor.lasting
    let now = configuration.values.now
    let environment = AuthEnvironment(now: now, registerSecret: { redactor.register($0) })
    let cache = configuration.tokens.cache
    let source = configuration.tokens.source(key) {
      TokenSource(manager: TokenManager(made, transport: sender, environment: environment, cache: cache), log: log)
    }
    document.tokens.add(source, at: index)
    return source
  }

  private func agent(
    _ definition: AuthDefinition, _ template: OAuth2Template, _ redirect: String?, _ document: DocumentValues, _ log: ExchangeLog
  ) throws(RequestRefusal) -> any AuthorizationAgent {
    guard let workflow = template.authorize else {
      let transport = transport
      let show: @Sendable (String) async -> Void = { [weak self] url in
        transport.perform { [self] in self?.assumeIsolated { $0.show(url, definition) } }
      }
      return configuration.tokens.browser?(redirect, show) ?? NoBrowser(name: definition.name.value)
    }
    var inner = configuration
    inner.sending.transport = transport
    inner.recording.wholeBodyOf = nil
    return StepsAgent(
      name: definition.name.value, workflow: workflow, configuration: inner, redirect: redirect ?? "http://127.0.0.1/callback", log: log,
      inputs: document.givenInputs
    ) { [weak self] run in
      guard let self else { return }
      self.transport.perform {
        self.assumeIsolated { outer in
          outer.logins.runs.append(run)
          guard let reason = outer.scheduler.stopReason else { return }
          run.assumeIsolated { $0.stop(reason) }
        }
      }
    }
  }

  private func show(_ device: DeviceAuthorization, _ definition: AuthDefinition) {
    tell(
      .notice(
        Diagnostic(
          "device-login", severity: .warning,
          "to log in for the `auth` entry `\(definition.name.value)`, open \(device.verificationURI) and enter the code \(device.userCode)",
          at: definition.name.range)))
  }

  private func show(_ url: String, _ definition: AuthDefinition) {
    tell(
      .notice(
        Diagnostic(
          "login", severity: .warning, "to log in for the `auth` entry `\(definition.name.value)`, open \(url)",
          at: definition.name.range)))
  }
}
