import GarlandDiagnostics
import GarlandJSON
import GarlandTransfer
import GarlandPlanner
import GarlandWorkflow

extension Run {
  /// The result of preparing a run: a run that can start, or the reasons why it can't.
  package struct Preparation: Sendable {
    /// The run; nil if a value that the selected steps need is not set.
    package let run: Run?
    /// Errors for missing secrets and environment variables, and warnings for suspicious values.
    package let diagnostics: DiagnosticList
  }

  /// Checks that all values that the plan's steps need from outside are set, and registers secrets with the redactor. No request is sent.
  package static func prepare(_ plan: Plan, _ configuration: RunConfiguration) -> Preparation {
    let inputs = RunInputs(environment: configuration.environment, secrets: configuration.secrets)
    let registry = RedactorRegistry(redactor: configuration.redactor)
    let (uses, diagnostics) = checkedUses(of: inputs, in: plan, configuration)
    guard !diagnostics.hasErrors else { return Preparation(run: nil, diagnostics: diagnostics) }
    // The run also evaluates here, for each step, those values that are known before the run. If a value takes too long, it is evaluated
    // again when its step begins, and reported then.
    let longest = HeavyWork.longestBuilding
    let patience = min(longest, configuration.pace.timeLimit ?? longest)
    let deadline = patience < longest ? configuration.pace.deadline : nil
    let limit = deadline.map { "the deadline of \($0.inWords) of the run" } ?? "the time limit of \(longest.inWords)"
    let run = Computation(patience: patience, interrupt: configuration.interrupt, limitInWords: limit).run {
      Run(plan, uses, inputs, registry, configuration)
    }
    return Preparation(run: run, diagnostics: diagnostics)
  }

  /// Returns the diagnostics of ``prepare(_:_:)`` without creating a run. A run counts its time from its creation, so a caller that only
  /// wants to check the inputs must not create a run.
  package static func problems(of plan: Plan, _ configuration: RunConfiguration) -> DiagnosticList {
    checkedUses(of: RunInputs(environment: configuration.environment, secrets: configuration.secrets), in: plan, configuration).diagnostics
  }

  /// Returns, for each document of a plan, the inputs that the run uses. Also returns errors for used inputs without a value, and registers
  /// the secrets of all documents with the redactor, which masks them.
  private static func checkedUses(
    of inputs: RunInputs, in plan: Plan, _ configuration: RunConfiguration
  ) -> (uses: [InputUses], diagnostics: DiagnosticList) {
    var diagnostics = DiagnosticList()
    var uses = inputUses(of: plan, prints: configuration.prints)
    reportMissing(inputs, inCallsOf: plan, configuration.redactor, &diagnostics)
    for (index, workflow) in plan.workflows.enumerated() {
      uses[index].close()
      for diagnostic in inputs.missing(for: uses[index], of: workflow)
      where configuration.givenInputs.isEmpty || diagnostic.code != .missingInput {
        diagnostics.report(diagnostic)
      }
      for secret in workflow.secrets {
        // Secrets that no selected step uses are registered, too, since a server may return them.
        guard let value = inputs.secret(secret.name), configuration.redactor.register(value) == .tooShort else { continue }
        diagnostics.report(
          Diagnostic(
            "short-secret", severity: .warning, "the secret `\(secret.name)` has fewer than \(Redactor.minimumLength) characters",
            at: secret.range, label: "masked only in the places that use it"))
      }
    }
    return (uses, diagnostics)
  }

  /// Returns, for each document of a plan, the inputs (variables, secrets and others) that the plan's steps and the printed expressions
  /// use.
  static func inputUses(of plan: Plan, prints: [RunPrint] = []) -> [InputUses] {
    var uses = plan.workflows.map(InputUses.init)
    for planned in plan.steps { uses[planned.workflowIndex].add(planned.step.inputs) }
    for print in prints {
      for expression in print.template.expressions { uses[print.workflow].add(expression.inputs) }
    }
    return uses
  }

  private init(_ plan: Plan, _ uses: [InputUses], _ inputs: RunInputs, _ registry: RedactorRegistry, _ configuration: RunConfiguration) {
    let documents = plan.workflows.enumerated().map { index, workflow in
      let services = configuration.services(of: workflow, secrets: registry)
      return DocumentValues(workflow, uses: uses[index], inputs: inputs, services: services, given: configuration.givenInputs)
    }
    var engineConfiguration = EngineConfiguration()
    engineConfiguration.connectionsPerOrigin = configuration.pace.perOrigin
    engineConfiguration.waitingCountsForDeadlines = false
    let transport: any Transport =
      if let given = configuration.sending.transport { given } else {
        configuration.sending.engine ?? Engine(configuration: engineConfiguration)
      }
    self.init(plan, configuration, transport: transport, documents: documents)
  }

  /// Reports missing secrets and environment variables of called documents. Their inputs are not checked, since the calling steps provide
  /// them.
  private static func reportMissing(
    _ inputs: RunInputs, inCallsOf plan: Plan, _ redactor: Redactor, _ diagnostics: inout DiagnosticList
  ) {
    for called in plan.calledPlans {
      reportMissing(inputs, inCallsOf: called, redactor, &diagnostics)
      guard let workflow = called.workflows.first else { continue }
      var uses = InputUses(of: workflow)
      for planned in called.steps { uses.add(planned.step.inputs) }
      for output in workflow.outputs { uses.add(output.inputs) }
      for diagnostic in inputs.missing(for: uses, of: workflow) where diagnostic.code != .missingInput { diagnostics.report(diagnostic) }
      for secret in workflow.secrets { if let value = inputs.secret(secret.name) { redactor.register(value) } }
    }
  }
}
