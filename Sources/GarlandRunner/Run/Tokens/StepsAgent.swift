import GarlandAuth
import GarlandPlanner
import GarlandResults
import GarlandWorkflow

/// An authorization agent that logs in on a provider's pages by running the steps of `authorize`. These steps form a separate run on the
/// same engine, with its own cookies.
struct StepsAgent: AuthorizationAgent {
  let name: String
  let workflow: Workflow
  let configuration: RunConfiguration
  let redirect: String
  let log: ExchangeLog
  /// The inputs of the document that contains the `authorize` steps. Each key is the index of an input.
  let inputs: [Int: Value]
  /// Called when the run of the `authorize` steps begins, with that run as the argument. The run that waits for the login can then end the
  /// run of the `authorize` steps.
  let began: @Sendable (Run) -> Void

  func redirectURI() async throws(OAuthError) -> String { redirect }

  func authorize(_ request: AuthorizationRequest) async throws(OAuthError) -> String {
    log.failure = nil
    let result = Planner(workingDirectory: configuration.workingDirectory, files: configuration.files.files).plan([workflow])
    guard let plan = result.plan else {
      throw .authorization("the `authorize` steps of the `auth` entry `\(name)` wait for each other in a circle")
    }
    var inner = configuration.forInnerRun
    inner.environment["GARLAND_AUTHORIZE_URL"] = request.url
    inner.sending.redirectBoundary = request.redirectURI
    inner.givenInputs = inputs
    inner.prints = []
    inner.pace.expectedDurations = nil
    inner.pace.maxFailures = 1
    inner.pace.isSerial = false
    inner.pace.shuffleSeed = nil
    let detail = configuration.observers.reduce(into: RunDetail()) { $0.formUnion($1.detail) }
    let collector = ResultCollector(detail: detail.intersection([.fields, .bodies]))
    inner.observers = [collector]
    let preparation = Run.prepare(plan, inner)
    guard let run = preparation.run else {
      let missing = preparation.diagnostics.all.first
      if let missing { log.failure = CheckFailure(EvaluationError(missing)) }
      throw .authorization("the `authorize` steps of the `auth` entry `\(name)` need a value that is missing: \(missing?.message ?? "")")
    }
    began(run)
    _ = await run.start()
    for step in collector.results {
      for exchange in step.exchanges {
        var exchange = exchange
        exchange.label = Exchange.authorizePrefix + step.step.id
        log.add(exchange)
      }
    }
    if let redirect = await run.capturedRedirect { return redirect }
    guard let culprit = collector.results.first(where: { $0.outcome.isProblem }) else {
      throw .authorization(
        "the `authorize` steps of the `auth` entry `\(name)` ended before the provider redirected to \(request.redirectURI)")
    }
    log.failure = culprit.failures.first
    let why = culprit.failures.first?.sentence ?? culprit.reason ?? "\(culprit.outcome)"
    throw .authorization("the step `\(culprit.step.id)` of `authorize` of `\(name)` did not pass: \(why)")
  }
}
