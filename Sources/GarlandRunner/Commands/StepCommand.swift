import GarlandAuth
public import GarlandDiagnostics
public import GarlandJSON
import GarlandTransfer
public import GarlandPlanner
import GarlandResults
import GarlandWorkflow
import Synchronization

/// The curl command that sends the same request as a step. Creating it sends nothing.
///
/// ```swift
/// let command = try StepCommand(of: step, in: plan, configuration, given: ["create.id": 7])
/// print(command.text)   // curl --header "Authorization: Bearer ${TOKEN}" https://example.com/books/7
/// ```
public struct StepCommand: Sendable {
  /// The reasons why there is no command: missing or invalid values, each with its place.
  public struct Failure: Error, Sendable {
    /// The errors. There is at least one.
    public let diagnostics: DiagnosticList
  }

  /// The command, for a POSIX shell.
  public let text: String
  /// Notes on how to use the command, each a sentence, for example which variables to set and which values are masked.
  public let notes: [String]

  /// Creates the command of a step.
  ///
  /// - Parameters:
  ///   - step: the step.
  ///   - plan: the plan of the step.
  ///   - configuration: the source of variables, secrets and the environment.
  ///   - given: values to use in place of those of other steps, by `step.member`, such as `create.id`, `login.token` or `list.json`.
  ///   - revealsSecrets: whether the command contains the secrets themselves, instead of shell variables. Default: false.
  public init(
    of step: PlannedStep, in plan: Plan, _ configuration: RunConfiguration, given: [String: JSONValue] = [:], revealsSecrets: Bool = false
  ) throws(Failure) {
    var diagnostics = DiagnosticList()
    let workflow = step.workflow
    if let (words, help) = StepCommand.reasonOfNone(step.step) {
      diagnostics.report(Diagnostic("no-request", severity: .error, words, at: step.step.idRange).help(help))
      throw Failure(diagnostics: diagnostics)
    }
    let inputs = RunInputs(environment: configuration.environment, secrets: configuration.secrets)
    var uses = InputUses(of: workflow)
    // The credentials for obtaining a token are not part of the request; a variable contains the token.
    uses.add(
      step.step.inputs.filter { input in
        guard case .authentication(let index) = input.target else { return true }
        return workflow.authentications[index].oauth2 == nil
      })
    uses.close()
    for missing in StepCommand.missing(step, workflow, given) { diagnostics.report(missing) }
    for missing in inputs.missing(for: uses, of: workflow) where revealsSecrets || missing.code != .missingSecret {
      diagnostics.report(missing)
    }
    guard !diagnostics.hasErrors else { throw Failure(diagnostics: diagnostics) }
    let documents = [(workflow: workflow, uses: uses)] + uses.foreign.map { (workflow: $0.workflow, uses: $0.uses) }
    let unset = StepCommand.unsetSecrets(inputs, documents)
    let collector = SecretCollector(redactor: configuration.redactor)
    let services = configuration.services(of: workflow, secrets: collector)
    var refusal: RequestRefusal?
    var last: (made: Made, command: ShellVariables.Command)?
    let known = inputs
    for assignment in StandIn.assignments(for: unset) {
      var inputs = known
      inputs.secrets.merge(assignment.values) { $1 }
      let document = DocumentValues(workflow, uses: uses, inputs: inputs, services: services)
      do throws(RequestRefusal) {
        var made = try StepCommand.make(step, configuration, document, given)
        if let start = assignment.start, !made.request.transfer.url.hasPrefix(start) { continue }
        if let signer = made.request.signer {
          if !unset.isEmpty, !signer.isPlain {
            // With a placeholder for the signing secret, the signature in the command would be useless.
            for document in documents {
              for missing in known.missing(for: document.uses, of: document.workflow) { diagnostics.report(missing) }
            }
            break
          }
          try StepCommand.sign(&made, with: signer, step)
        }
        if revealsSecrets {
          last = (made, ShellVariables.Command(text: CURLCommand(made.request.transfer).text, variables: []))
          break
        }
        var variables = ShellVariables()
        variables.add(made.document, item: made.item)
        for (key, value) in given.sorted(by: { $0.key < $1.key }) where StepCommand.isSecret(key, in: workflow) || collector.has(value) {
          variables.add(.secret(value), path: key) { "the value of `\($0)`" }
        }
        if let index = made.request.authentication {
          let name = workflow.authentications[index].name.value
          variables.add(GivenContext.standIn(forTokenOf: name), name: "\(name)_token", meaning: "a token of the auth `\(name)`")
        }
        variables.addRest(made.document, made.request.transfer) { configuration.redactor.redact($0) != $0 }
        let command = variables.command(for: made.request.transfer)
        // If a part of a placeholder remains, its place has encoded it, or the placeholder is not valid there.
        let isWhole = !command.text.contains(StandIn.beginning)
        if isWhole || last == nil { last = (made, command) }
        if isWhole { break }
      } catch {
        refusal = refusal ?? error
      }
    }
    guard !diagnostics.hasErrors, let (made, command) = last else {
      if !diagnostics.hasErrors, let refusal { diagnostics.report(refusal.diagnostic) }
      throw Failure(diagnostics: diagnostics)
    }
    text = command.text
    var notes = made.note.map { [$0] } ?? []
    guard !revealsSecrets else {
      self.notes = notes
      return
    }
    for variable in command.variables { notes.append("set \(variable.name) to \(variable.meaning)") }
    if let stream = step.step.request?.stream {
      let key = stream.format.rawValue
      notes.append("curl prints the \(key) without the limits of `\(key)`: it reads until the server ends the stream")
    }
    if case .websocket = step.step.action {
      notes.append("curl opens the WebSocket connection and shows the messages of the server, but does not send the messages of `talk`")
    }
    if OtherScheme(of: made.request.transfer.url) == .data { notes.append("curl reads no `data:` URLs") }
    if let signer = made.request.signer, !signer.isPlain { notes.append("the signature is valid only for a short time") }
    if step.step.request?.transport.tls.pins.isEmpty == false {
      notes.append("`tls.pins` is left out: curl's --pinnedpubkey checks the server's own key only, not those of its authorities")
    }
    if configuration.redactor.redact(text) != text {
      notes.append("`\(Redactor.mask)` replaces a value that is computed from a secret; no shell variable can replace it")
    }
    self.notes = notes
  }

  /// Returns the reason why no command can be created for a step, with advice; nil if a command can be created.
  private static func reasonOfNone(_ step: Step) -> (words: String, help: String)? {
    switch step.action {
    case .reach: ("the step `\(step.id)` sends no request, it waits for a host", "`garland reach` probes hosts")
    case .listen:
      (
        "the step `\(step.id)` sends no request; it waits for a request",
        "name the step that tells its URL, with `--var \(step.id).url=…`"
      )
    // The request of a call is refused where it is built.
    case .request, .submit, .websocket, .call: nil
    }
  }

  private static func sign(_ made: inout Made, with signer: OAuth1Interceptor, _ step: PlannedStep) throws(RequestRefusal) {
    do throws(OAuthError) {
      made.request.transfer = try signer.signed(made.request.transfer)
    } catch {
      throw .request(CheckFailure(.value, subject: "auth", message: "cannot sign the request: \(error)", at: step.step.idRange))
    }
  }

  /// A built request, and the values from which it was built.
  private struct Made {
    var request: BuiltRequest
    var document: DocumentValues
    var item: Value?
    var note: String?
  }

  private static func make(
    _ step: PlannedStep, _ configuration: RunConfiguration, _ document: DocumentValues, _ given: [String: JSONValue]
  ) throws(RequestRefusal) -> Made {
    var context = GivenContext(document: document, given: given)
    var note: String?
    if let loop = step.step.flow.loop {
      let items = try LoopItems.evaluate(loop, directory: step.workflow.directory, files: configuration.files, in: context)
      guard items.count > 0 else {
        throw RequestRefusal.request(
          CheckFailure(.value, subject: loop.key.value, message: "has no items, so the step sends nothing", at: loop.key.range))
      }
      context = GivenContext(document: document, given: given, item: items[0])
      note = "this is the request for the first of \(Shown.count(items.count, "item")): \(LoopLabel.text(of: items[0], at: 0))"
    }
    var request = try request(of: step, configuration, context)
    if case .websocket = step.step.action { request.transfer.addUpgrade() }
    return Made(request: request, document: document, item: context.item, note: note)
  }

  /// Returns the names of secrets that the request needs and that are not set.
  private static func unsetSecrets(_ inputs: RunInputs, _ documents: [(workflow: Workflow, uses: InputUses)]) -> [String] {
    var names: Set<String> = []
    for (workflow, uses) in documents {
      for index in uses.secrets where inputs.secret(workflow.secrets[index].name) == nil && uses.requiredSecrets[index] != nil {
        names.insert(workflow.secrets[index].name)
      }
    }
    return names.sorted()
  }

  /// Whether `step.member` is an extract that the document declares a secret.
  private static func isSecret(_ key: String, in workflow: Workflow) -> Bool {
    let parts = key.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2, let step = workflow.step(parts[0]) else { return false }
    return step.extractions.contains { $0.isSecret && $0.name.value == parts[1] }
  }

  private static func request(
    of step: PlannedStep, _ configuration: RunConfiguration, _ context: GivenContext
  ) throws(RequestRefusal) -> BuiltRequest {
    let url: StepURL?
    do throws(EvaluationError) {
      url = try StepURL(of: step.step.action, in: context)
    } catch {
      throw .value(error)
    }
    guard let template = step.step.request, let url else {
      var failure = CheckFailure(
        .value, subject: step.step.id, message: "sends no request of its own: \(step.action)", at: step.step.idRange)
      failure.help = "name a step of the called document"
      throw .request(failure)
    }
    let builder = RequestBuilder(
      workingDirectory: configuration.workingDirectory, files: configuration.files, environment: configuration.environment)
    let jars = JarSet(documentCount: step.workflowIndex + 1, files: configuration.files.files)
    return try builder.build(step, template, url: url, jars: jars, caches: nil, in: context)
  }

  /// Returns errors for values of other steps that the request needs and that the user has not provided.
  private static func missing(_ step: PlannedStep, _ workflow: Workflow, _ given: [String: JSONValue]) -> [Diagnostic] {
    var seen: Set<String> = []
    return step.step.references.compactMap { reference in
      let target = workflow.step(named: reference.target)
      let member =
        switch reference.member {
        case .extract(let index): target.extractions[index].name.value
        case .response(let member): member.rawValue
        case .address: ResponseMember.url.rawValue
        }
      let key = "\(workflow.name(ofStep: reference.target)).\(member)"
      // Values that only checks read are not part of the request. A `??` replaces a missing value only if no value of that step was given.
      let isDispensable = reference.isOptional && !given.keys.contains { $0.hasPrefix(workflow.name(ofStep: reference.target) + ".") }
      guard !isDispensable, given[key] == nil, !reference.place.isCheck, seen.insert(key).inserted else { return nil }
      return Diagnostic(
        "missing-value", "`\(key)` comes from another step, which this command does not run", at: reference.range, label: "used here"
      ).help("give the value with `--var \(key)=…`")
    }
  }
}

extension StepReference.Place {
  /// Whether the request can be built without the reference: it is used only after the response has arrived, or in the condition for
  /// running the step.
  var isCheck: Bool { ["expect", "extract", "when", "poll"].contains { key == $0 || key.hasPrefix($0 + ".") } }
}

extension RequestRefusal {
  /// The failure as a diagnostic, for commands that show no results.
  var diagnostic: Diagnostic {
    switch self {
    case .value(let error): return error.diagnostic
    case .file(let failure), .request(let failure):
      let diagnostic = Diagnostic("unusable-value", "`\(failure.subject)` \(failure.message)", at: failure.range)
      return failure.help.map { diagnostic.help($0) } ?? diagnostic
    }
  }
}

/// A registry that remembers every secret, and also registers it with the redactor.
private final class SecretCollector: NamingRegistry {
  private struct Noted {
    var values: Set<String> = []
    var made: [(value: String, expression: String)] = []
  }

  private let redactor: Redactor
  private let noted = Mutex(Noted())

  init(redactor: Redactor) { self.redactor = redactor }

  var made: [(value: String, expression: String)] { noted.withLock { $0.made } }

  func register(secret text: String) {
    redactor.register(text)
    noted.withLock { _ = $0.values.insert(text) }
  }

  func register(secret text: String, madeBy expression: String) {
    register(secret: text)
    noted.withLock { $0.made.append((text, expression)) }
  }

  /// Whether a value was remembered as a secret.
  func has(_ value: JSONValue) -> Bool {
    guard let text = value.stringValue else { return false }
    return noted.withLock { $0.values.contains(text) }
  }
}
