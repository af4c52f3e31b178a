import GarlandAuth
import GarlandDiagnostics
import GarlandJSON
import GarlandTransfer
import GarlandPlanner
import GarlandResults
import GarlandWorkflow
import Synchronization

/// The curl command that sends the same request as a step. Creating it sends nothing.
///
/// ```swift
/// let command = try StepCommand(of: step, in: plan, configuration, given: ["create.id": 7])
/// print(command.text)   // curl --header "Authorization: Bearer ${TOKEN}" https://example.com/books/7
/// ```
package struct StepCommand: Sendable {
  /// The reasons why no command can be created: missing or invalid values, each with its source range.
  package struct Failure: Error, Sendable {
    /// The errors because of which no curl command can be created. There is at least one error.
    package let diagnostics: DiagnosticList
  }

  /// The command, for a POSIX shell.
  package let text: String
  /// Notes on how to use the command, each a sentence, for example which variables to set and which values are masked.
  package let notes: [String]

  /// Creates the command of a step.
  ///
  /// - Parameters:
  ///   - step: the step whose request the command sends.
  ///   - plan: the plan that contains the step.
  ///   - configuration: contains the variables, the secrets and the environment.
  ///   - given: values that replace the values of other steps, by `step.member`, such as `create.id`, `login.token` or `list.json`.
  ///   - revealsSecrets: whether the command contains the secrets themselves, instead of shell variables. Default: false.
  package init(
    of step: PlannedStep, in plan: Plan, _ configuration: RunConfiguration, given: [String: JSONValue] = [:], revealsSecrets: Bool = false
  ) throws(Failure) {
    var diagnostics = DiagnosticList()
    let workflow = step.workflow
    if let (words, help) = step.step.action.refusalOfCurl(step: step.step.id) {
      diagnostics.report(Diagnostic("no-request", severity: .error, words, at: step.step.idRange).help(help))
      throw Failure(diagnostics: diagnostics)
    }
    let inputs = RunInputs(environment: configuration.environment, secrets: configuration.secrets)
    let uses = StepCommand.uses(of: step)
    for missing in StepCommand.missing(step, workflow, given) { diagnostics.report(missing) }
    for missing in inputs.missing(for: uses, of: workflow) where revealsSecrets || missing.code != .missingSecret {
      diagnostics.report(missing.code == "missing-environment" ? StepCommand.withoutRun(missing) : missing)
    }
    guard !diagnostics.hasErrors else { throw Failure(diagnostics: diagnostics) }
    let (made, command) = try StepCommand.find(step, configuration, inputs, uses, given, revealsSecrets, diagnostics)
    text = command.text
    let note = made.note.map { [$0] } ?? []
    notes = revealsSecrets ? note : note + StepCommand.notes(on: command, made.request, step, configuration)
  }

  /// Returns the inputs, such as variables and secrets, that the step's request uses. Credentials for obtaining a token are not included,
  /// since the command contains a shell variable in place of the token.
  private static func uses(of step: PlannedStep) -> InputUses {
    var uses = InputUses(of: step.workflow)
    uses.add(
      step.step.inputs.filter { input in
        guard case .authentication(let index) = input.target else { return true }
        return step.workflow.authentications[index].oauth2 == nil
      })
    uses.close()
    return uses
  }

  /// Builds the request, and returns the request and its command. Each secret that is not set is replaced by a placeholder. If a
  /// placeholder appears in the request in encoded form, or makes the request invalid, the function tries the next kind of placeholder.
  private static func find(
    _ step: PlannedStep, _ configuration: RunConfiguration, _ inputs: RunInputs, _ uses: InputUses, _ given: [String: JSONValue],
    _ revealsSecrets: Bool, _ earlier: DiagnosticList
  ) throws(Failure) -> (made: Made, command: ShellVariables.Command) {
    let workflow = step.workflow
    let documents = [(workflow: workflow, uses: uses)] + uses.foreign.map { (workflow: $0.workflow, uses: $0.uses) }
    let unset = unsetSecrets(inputs, documents)
    let collector = SecretCollector(redactor: configuration.redactor)
    let services = configuration.services(of: workflow, secrets: collector)
    var diagnostics = earlier
    var refusal: RequestRefusal?
    var last: (made: Made, command: ShellVariables.Command)?
    for assignment in StandIn.assignments(for: unset) {
      var assigned = inputs
      assigned.secrets.merge(assignment.values) { $1 }
      let document = DocumentValues(workflow, uses: uses, inputs: assigned, services: services)
      do throws(RequestRefusal) {
        var made = try make(step, configuration, document, given)
        if let start = assignment.start, !made.request.transfer.url.hasPrefix(start) { continue }
        if let signer = made.request.signer {
          if !unset.isEmpty, !signer.isPlain {
            // With a placeholder for the signing secret, the signature in the command would be useless.
            for document in documents {
              for missing in inputs.missing(for: document.uses, of: document.workflow) { diagnostics.report(missing) }
            }
            break
          }
          try sign(&made, with: signer, step)
        }
        let command =
          revealsSecrets
          ? ShellVariables.Command(text: CURLCommand(made.request.transfer).text, variables: [])
          : maskedCommand(of: made, workflow, configuration, given, collector)
        // If a part of a placeholder remains, the request contains the placeholder in an encoded form, or has changed it because it is not
        // valid there.
        let isWhole = revealsSecrets || !command.text.contains(StandIn.beginning)
        if isWhole || last == nil { last = (made, command) }
        if isWhole { break }
      } catch {
        refusal = refusal ?? error
      }
    }
    guard !diagnostics.hasErrors, let last else {
      if !diagnostics.hasErrors, let refusal { diagnostics.report(refusal.diagnostic) }
      throw Failure(diagnostics: diagnostics)
    }
    return last
  }

  /// Returns the curl command of a step, with shell variables in place of secrets.
  private static func maskedCommand(
    of made: Made, _ workflow: Workflow, _ configuration: RunConfiguration, _ given: [String: JSONValue], _ collector: SecretCollector
  ) -> ShellVariables.Command {
    var variables = ShellVariables()
    variables.add(made.document, item: made.item)
    for (key, value) in given.sorted(by: { $0.key < $1.key }) where isSecret(key, in: workflow) || collector.has(value) {
      variables.add(.secret(value), path: key) { "the value of `\($0)`" }
    }
    if let index = made.request.authentication {
      let name = workflow.authentications[index].name.value
      variables.add(GivenContext.standIn(forTokenOf: name), name: "\(name)_token", meaning: "a token of the `auth` entry `\(name)`")
    }
    variables.addRest(made.document, made.request.transfer) { configuration.redactor.redact($0) != $0 }
    return variables.command(for: made.request.transfer)
  }

  /// Returns notes for the user of a curl command: the meaning of its variables, and the parts of the step for which curl has no
  /// counterpart.
  private static func notes(
    on command: ShellVariables.Command, _ request: BuiltRequest, _ step: PlannedStep, _ configuration: RunConfiguration
  ) -> [String] {
    var notes = command.variables.map { "set \($0.name) to \($0.meaning)" }
    if let stream = step.step.request?.stream {
      let key = stream.format.rawValue
      notes.append("curl prints the \(key) without the limits of `\(key)`: it reads until the server ends the stream")
    }
    if let limit = step.step.action.limitOfCurl { notes.append(limit) }
    if OtherScheme(of: request.transfer.url) == .data { notes.append("curl reads no `data:` URLs") }
    if let signer = request.signer, !signer.isPlain { notes.append("the signature is valid only for a short time") }
    if step.step.request?.transport.tls.pins.isEmpty == false {
      notes.append("`tls.pins` is left out: curl's --pinnedpubkey checks the server's own key only, not those of its authorities")
    }
    if configuration.redactor.redact(command.text) != command.text {
      notes.append("`\(Redactor.mask)` replaces a value that is computed from a secret; no shell variable can replace it")
    }
    return notes
  }

  /// Returns the error `missing` about an environment variable that is not set. If this is the variable for the sandbox's URL, replaces the
  /// advice of the error: only a run with a sandbox sets this variable, so the new advice is to set the variable or to use `--sandbox`.
  private static func withoutRun(_ missing: Diagnostic) -> Diagnostic {
    guard missing.message.contains("`\(RunInputs.sandboxVariable)`") else { return missing }
    var copy = missing
    copy.helps = []
    return copy.help("set it to the URL of the server, or give `--sandbox` for that of `garland sandbox`")
  }

  private static func sign(_ made: inout Made, with signer: OAuth1Interceptor, _ step: PlannedStep) throws(RequestRefusal) {
    do throws(OAuthError) {
      made.request.transfer = try signer.signed(made.request.transfer)
    } catch {
      throw .request(CheckFailure(.value, subject: "auth", message: "the request can't be signed: \(error)", at: step.step.idRange))
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
    do throws(EvaluationError) {
      try request.transfer.addUpgrade(of: step.step.action, in: context)
    } catch {
      throw .value(error)
    }
    return Made(request: request, document: document, item: context.item, note: note)
  }

  /// Returns the names of the secrets that the request needs, but that have no value.
  private static func unsetSecrets(_ inputs: RunInputs, _ documents: [(workflow: Workflow, uses: InputUses)]) -> [String] {
    var names: Set<String> = []
    for (workflow, uses) in documents {
      for index in uses.secrets where inputs.secret(workflow.secrets[index].name) == nil && uses.requiredSecrets[index] != nil {
        names.insert(workflow.secrets[index].name)
      }
    }
    return names.sorted()
  }

  /// Whether `key`, such as `login.token`, is an extract that the document declares as a secret.
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
        .value, subject: step.step.id, message: "the step `\(step.step.id)` sends no request of its own: \(step.action)",
        at: step.step.idRange)
      failure.help = "name a step of the called document"
      throw .request(failure)
    }
    let builder = RequestBuilder(
      workingDirectory: configuration.workingDirectory, files: configuration.files, environment: configuration.environment)
    let jars = JarSet(documentCount: step.workflowIndex + 1, files: configuration.files)
    return try builder.build(step, template, url: url, jars: jars, caches: nil, in: context)
  }

  /// Returns an error for each value of another step that the request needs, if the user has not provided the value.
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
  /// Whether the reference is used only by checks of the response or by the condition for running the step. The request can then be built
  /// without the referenced value.
  var isCheck: Bool { ["expect", "extract", "when", "poll"].contains { key == $0 || key.hasPrefix($0 + ".") } }
}

extension RequestRefusal {
  /// The reason why the request can't be built, as a diagnostic for commands that show no step results.
  var diagnostic: Diagnostic {
    switch self {
    case .value(let error): return error.diagnostic
    case .file(let failure), .request(let failure):
      let diagnostic = Diagnostic("unusable-value", failure.sentence, at: failure.range)
      return failure.help.map { diagnostic.help($0) } ?? diagnostic
    }
  }
}

/// Remembers every secret that is registered, and passes it on to the redactor.
private final class SecretCollector: NamingRegistry {
  private struct Noted {
    var values: Set<String> = []
    var made: [(value: String, expression: String)] = []
  }

  private let redactor: Redactor
  private let noted = Mutex(Noted())

  init(redactor: Redactor) { self.redactor = redactor }

  var made: [(value: String, expression: String)] { noted.withLock { $0.made } }

  var hasSecrets: Bool { redactor.hasSecrets }

  func masked(_ text: String) -> String { redactor.redact(text) }

  func register(secret text: String) {
    redactor.register(text)
    noted.withLock { _ = $0.values.insert(text) }
  }

  func register(secret text: String, madeBy expression: String) {
    register(secret: text)
    noted.withLock { $0.made.append((text, expression)) }
  }

  /// Returns whether a value is a text that was registered as a secret.
  func has(_ value: JSONValue) -> Bool {
    guard let text = value.stringValue else { return false }
    return noted.withLock { $0.values.contains(text) }
  }
}
