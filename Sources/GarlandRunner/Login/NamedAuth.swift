import GarlandAuth
import GarlandDiagnostics
import GarlandTransfer
import GarlandPlanner
import GarlandResults
import GarlandWorkflow

/// An `auth` entry whose tokens are obtained without a run, so that a user can log in once for later runs.
///
/// ```swift
/// let auth = try NamedAuth("shop", in: plan, configuration, cache: cache, show: { device in … })
/// let tokens = try await auth.logIn()
/// ```
package struct NamedAuth: Sendable {
  /// The reasons why an `auth` entry can't be used: missing or invalid values.
  package struct Failure: Error, Sendable {
    /// The errors that make the entry unusable. The list contains at least one error.
    package private(set) var diagnostics: DiagnosticList

    init(diagnostics: DiagnosticList) { self.diagnostics = diagnostics }

    init(_ diagnostic: Diagnostic) {
      diagnostics = DiagnosticList()
      diagnostics.report(diagnostic)
    }
  }

  /// The key under which the entry's tokens are stored. It is different for each entry.
  package let identity: String
  private let manager: TokenManager
  private let cache: any TokenCache
  private let redactor: Redactor

  /// Evaluates the values of an `auth` entry, so that its tokens can be obtained.
  ///
  /// - Parameters:
  ///   - name: the entry's name; `shop.api` is the entry `api` of the document that is used as `shop`.
  ///   - plan: the plan with the documents. If several documents have an entry with this name, the first one is used.
  ///   - configuration: contains the variables, secrets and environment, and the agent that logs in on the provider's pages.
  ///   - cache: the cache in which the tokens are stored.
  ///   - needsSecrets: whether missing secrets are errors. If false, only secrets that affect the entry's ``identity`` must be set. If
  ///     another secret is missing, only cached tokens can be used. Default: true.
  ///   - patience: the time within which the user must enter the code of a device authorization. Default: nil, which means the lifetime of
  ///     the code.
  ///   - show: shows the user the code that must be entered for a device authorization.
  package init(
    _ name: String, in plan: Plan, _ configuration: RunConfiguration, cache: any TokenCache, needsSecrets: Bool = true,
    patience: Duration? = nil, show: @escaping @Sendable (DeviceAuthorization) async -> Void
  ) throws(Failure) {
    let (workflow, index) = try Self.find(name, in: plan)
    func manager(_ configuration: RunConfiguration) throws(Failure) -> TokenManager {
      let maker = TokenMaker(workflow, index, plan, configuration, cache: KnownTokens(cache), patience: patience, show: show)
      if let failure = maker.missing() { throw failure }
      do throws(RequestRefusal) {
        // The login does not use the cache, since it must obtain new tokens.
        return try maker.manager(index, cache: nil)
      } catch {
        throw Failure(error.diagnostic)
      }
    }
    if needsSecrets {
      self.manager = try manager(configuration)
    } else {
      // Tokens are found without a missing secret if their key does not depend on the value of the secret.
      let first = try manager(configuration.replacingMissingSecrets(of: plan, by: "placeholder-1"))
      let second = try manager(configuration.replacingMissingSecrets(of: plan, by: "placeholder-2"))
      self.manager = first.configuration.identity == second.configuration.identity ? first : try manager(configuration)
    }
    identity = self.manager.configuration.identity
    self.cache = cache
    redactor = configuration.redactor
  }

  /// Returns the names of all `auth` entries that use tokens, including those of documents that the plan's documents use.
  package static func names(in plan: Plan) -> [String] {
    func own(_ workflow: Workflow) -> [String] { workflow.authentications.filter { $0.oauth2 != nil }.map(\.name.value) }
    let all = plan.workflows.flatMap { workflow in
      own(workflow) + workflow.uses.flatMap { use in own(use.workflow).map { "\(use.name.value).\($0)" } }
    }
    var seen: Set<String> = []
    return all.filter { seen.insert($0).inserted }
  }

  /// Obtains new tokens from the provider, as the entry's grant requires, and replaces the stored tokens.
  package func logIn() async throws(OAuthError) -> TokenSet {
    let tokens = try await manager.token()
    return try await cache.update(identity) { _ in tokens }
  }

  /// Returns the stored tokens; nil if there are none.
  package func kept() async throws(OAuthError) -> TokenSet? {
    let tokens = try await cache.tokens(for: identity)
    for secret in [tokens?.accessToken, tokens?.refreshToken, tokens?.idToken] { secret.map { _ = redactor.register($0) } }
    return tokens
  }

  /// The result of a logout: whether a token was removed, and whether the provider has revoked it.
  package enum Logout: Sendable, Hashable {
    /// No token was stored.
    case nothing
    /// The stored token was removed. The provider has no revocation endpoint, so the token itself stays valid.
    case forgotten
    /// The provider has revoked the token, which was also removed from the cache.
    case revoked
    /// The stored token was removed, but the provider could not be asked to revoke it, so the token itself may stay valid.
    case untold(OAuthError)
  }

  /// Removes the stored token, and requests that the provider revokes it (RFC 7009).
  package func logOut() async throws(OAuthError) -> Logout {
    let tokens = try await kept()
    guard try await cache.remove(identity) else { return .nothing }
    guard let tokens else { return .forgotten }
    do throws(OAuthError) {
      return try await manager.revoke(tokens) ? .revoked : .forgotten
    } catch {
      return .untold(error)
    }
  }

  private static func find(_ name: String, in plan: Plan) throws(Failure) -> (Workflow, Int) {
    let all = plan.workflows
    for workflow in all {
      if let index = workflow.authentications.firstIndex(where: { $0.name.value == name }) { return try checked(workflow, index) }
    }
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    if parts.count == 2 {
      for use in all.flatMap(\.uses) where use.name.value == parts[0] {
        if let index = use.workflow.authentications.firstIndex(where: { $0.name.value == parts[1] }) {
          return try checked(use.workflow, index)
        }
      }
    }
    let names = all.flatMap { workflow in
      workflow.authentications.map(\.name.value)
        + workflow.uses.flatMap { use in use.workflow.authentications.map { "\(use.name.value).\($0.name.value)" } }
    }
    let whose = all.count == 1 ? "\(all[0].file.name) has no" : "no document has an"
    let near = Suggestion.nearest(to: name, in: names)
    throw Failure(
      Diagnostic("undefined-name", "\(whose) `auth` entry `\(name)`", at: nil)
        .help(
          near.map { "did you mean `\($0)`?" }
            ?? (names.isEmpty ? "define the entry under the document's `auth:`" : "available: \(list(names))")))
  }

  private static func list(_ names: [String]) -> String { names.prefix(8).map { "`\($0)`" }.joined(separator: ", ") }

  private static func checked(_ workflow: Workflow, _ index: Int) throws(Failure) -> (Workflow, Int) {
    let definition = workflow.authentications[index]
    guard definition.oauth2 == nil else { return (workflow, index) }
    throw Failure(
      Diagnostic(
        "wrong-type",
        "the `auth` entry `\(definition.name.value)` is of the kind `\(definition.keyword)`; only entries of the kind `oauth2` have tokens "
          + "that `garland auth` can store",
        at: definition.name.range))
  }
}

extension RunConfiguration {
  /// Returns the configuration with `text` as the value of each secret that is not set.
  fileprivate func replacingMissingSecrets(of plan: Plan, by text: String) -> RunConfiguration {
    var copy = self
    let inputs = RunInputs(environment: environment, secrets: secrets)
    let workflows = plan.workflows + plan.workflows.flatMap { $0.uses.map(\.workflow) }
    for secret in workflows.flatMap({ $0.secrets }) where inputs.secret(secret.name) == nil {
      copy.secrets[secret.name] = text
    }
    return copy
  }
}

/// Creates the token managers for the `auth` entries of a document, for commands such as `garland auth` that do not run the plan.
private struct TokenMaker {
  private let workflow: Workflow
  private let plan: Plan
  private let configuration: RunConfiguration
  private let uses: InputUses
  private let inputs: RunInputs
  private let context: GivenContext
  private let reaching: PlannedStep?
  private let engine: Engine
  private let cache: any TokenCache
  private let patience: Duration?
  private let show: @Sendable (DeviceAuthorization) async -> Void

  init(
    _ workflow: Workflow, _ index: Int, _ plan: Plan, _ configuration: RunConfiguration, cache: any TokenCache, patience: Duration?,
    show: @escaping @Sendable (DeviceAuthorization) async -> Void
  ) {
    self.workflow = workflow
    self.plan = plan
    self.cache = cache
    self.patience = patience
    self.show = show
    var configuration = configuration
    engine = configuration.sending.engine ?? Engine()
    configuration.sending.engine = engine
    self.configuration = configuration
    inputs = RunInputs(environment: configuration.environment, secrets: configuration.secrets)
    // The provider is reached with the transport settings of a step that uses its tokens.
    let steps = plan.steps.filter { $0.workflow === workflow && $0.step.request != nil }
    reaching = steps.first { $0.step.inputs.contains { $0.target == .authentication(index) } } ?? steps.first
    var uses = InputUses(of: workflow)
    uses.add(authentication: index)
    uses.close()
    self.uses = uses
    var all = uses
    if let reaching { all.add(reaching.step.inputs) }
    all.close()
    let services = configuration.services(of: workflow, secrets: RedactorRegistry(redactor: configuration.redactor))
    context = GivenContext(
      document: DocumentValues(workflow, uses: all, inputs: inputs, services: services), given: [:])
  }

  /// Returns the errors for values that the entry of `auth` needs but that are not set; nil if all these values are set.
  func missing() -> NamedAuth.Failure? {
    var diagnostics = DiagnosticList()
    for missing in inputs.missing(for: uses, of: workflow) { diagnostics.report(missing) }
    return diagnostics.hasErrors ? NamedAuth.Failure(diagnostics: diagnostics) : nil
  }

  func manager(_ index: Int, cache: (any TokenCache)?) throws(RequestRefusal) -> TokenManager {
    let definition = workflow.authentications[index]
    if let origin = definition.origin {
      let other = TokenMaker(origin.workflow, origin.index, plan, configuration, cache: self.cache, patience: patience, show: show)
      return try other.manager(origin.index, cache: cache)
    }
    guard let template = definition.oauth2 else {
      throw .request(CheckFailure(.value, subject: "auth.\(definition.name.value)", message: "has no token", at: definition.name.range))
    }
    let builder = TokenSourceBuilder(
      definition: definition, template: template, context: context, files: configuration.files, directory: workflow.directory)
    let log = ExchangeLog()
    var made = try builder.configuration(
      others: { (other) throws(RequestRefusal) in try manager(other, cache: self.cache) },
      agent: { agent(definition, template, $0, log) }, show: show)
    made.configuration.devicePatience = patience
    let requests = RequestBuilder(
      workingDirectory: configuration.workingDirectory, files: configuration.files, environment: configuration.environment)
    var settings = TransferSettings()
    settings.proxy = requests.proxy
    // Settings that depend on a response are not known here.
    if let reaching, let reach = try? requests.reach(reaching, in: context) { settings = reach }
    let transport = RunTransport(
      transport: engine, settings: settings, recorder: ExchangeRecorder(detail: [], keptBodyBytes: 0), log: log)
    let redactor = configuration.redactor
    return TokenManager(
      made.configuration, transport: transport,
      environment: AuthEnvironment(now: configuration.values.now, registerSecret: { redactor.register($0) }), cache: cache)
  }

  private func agent(
    _ definition: AuthDefinition, _ template: OAuth2Template, _ redirect: String?, _ log: ExchangeLog
  ) -> any AuthorizationAgent {
    let name = definition.name.value
    guard let steps = template.authorize else {
      return configuration.tokens.browser?(redirect) { _ in } ?? NoBrowser(name: name)
    }
    return StepsAgent(
      name: name, workflow: steps, configuration: configuration, redirect: redirect ?? "http://127.0.0.1/callback", log: log,
      inputs: [:], began: { _ in })
  }
}
