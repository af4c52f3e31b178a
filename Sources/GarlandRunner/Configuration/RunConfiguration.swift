import GarlandDiagnostics
import GarlandJSON
import GarlandPlanner
import GarlandResults
import GarlandText
import GarlandWorkflow

/// The input of a run in addition to its plan: limits, values from outside, and observers.
///
/// ```swift
/// var configuration = RunConfiguration(environment: ProcessInfo.processInfo.environment, workingDirectory: "/work", files: files)
/// configuration.pace.maxFailures = 1   // --fail-fast
/// configuration.observers = [console]
/// ```
///
/// Each repetition of a load test has a copy of the configuration. So most settings are in one object that all copies share.
package struct RunConfiguration: Sendable {
  /// The position of a run in a series of runs of the same plan.
  package var series: Series
  /// The redactor, to which every secret is registered before it is used.
  package var redactor: Redactor
  /// The observers, such as a console or a report file, that receive the events of the run.
  package var observers: [any RunObserver] = []
  /// Whether the result of a step that did not pass contains all details of its requests. Default: true.
  var explainsFailures = true
  /// Settings for the order and the concurrency of steps, and the limits at which a run ends early.
  package var pace: Pace {
    _read { yield shared.value.pace }
    _modify { yield &shared.value.pace }
  }
  /// Settings for the contents of step results and reports.
  package var recording: Recording {
    _read { yield shared.value.recording }
    _modify { yield &shared.value.recording }
  }
  /// The values from an earlier run, and whether the run keeps values for a later run.
  package var reuse: Reuse {
    _read { yield shared.value.reuse }
    _modify { yield &shared.value.reuse }
  }
  /// Settings for sending requests: the engine, and the treatment of unreachable hosts.
  package var sending: Sending {
    _read { yield shared.value.sending }
    _modify { yield &shared.value.sending }
  }
  /// The sources of the time, of random numbers and of test data for expressions.
  package var values: ValueSources {
    _read { yield shared.value.values }
    _modify { yield &shared.value.values }
  }
  /// The environment variables that documents can use, with their values.
  package var environment: [String: String] {
    _read { yield shared.value.environment }
    _modify { yield &shared.value.environment }
  }
  /// Secrets by name. They take precedence over environment variables with the same name.
  package var secrets: [String: String] {
    _read { yield shared.value.secrets }
    _modify { yield &shared.value.secrets }
  }
  /// The absolute path of the folder to which the paths of downloads and caches are relative.
  package var workingDirectory: String {
    _read { yield shared.value.workingDirectory }
    _modify { yield &shared.value.workingDirectory }
  }
  /// The file system, limited to the files that documents may use.
  package var files: FileAccess {
    _read { yield shared.value.files }
    _modify { yield &shared.value.files }
  }
  /// For each loop whose items are divided among several runs, the items that this run executes. The key is the ``PlannedStep/number`` of
  /// the step with the loop. Default: empty, so that the run executes all items of every loop.
  package var items: [Int: ItemShare] {
    _read { yield shared.value.items }
    _modify { yield &shared.value.items }
  }
  /// Returns the current time of a clock that never goes backwards. The times of events come from this clock.
  package var clock: @Sendable () -> Duration {
    _read { yield shared.value.clock }
    _modify { yield &shared.value.clock }
  }
  /// Whether the run writes snapshots that are missing or that differ from the response. A snapshot is written only if the response meets
  /// all other expectations of the step. Default: false.
  package var updatesSnapshots: Bool {
    _read { yield shared.value.updatesSnapshots }
    _modify { yield &shared.value.updatesSnapshots }
  }
  /// The interrupt that can stop a long evaluation of an expression on the engine's thread. It applies to this run and to the runs that
  /// this run starts, such as those of called documents. ``Run/interrupt(signal:)`` and ``Run/abort()`` use the interrupt. A signal handler
  /// may use the interrupt directly, since the engine's thread cannot process a signal during an evaluation.
  package var interrupt: ComputationInterrupt {
    _read { yield shared.value.interrupt }
    _modify { yield &shared.value.interrupt }
  }
  /// The tokens that the documents' `auth` entries have obtained, one for each identity (provider, client, user, scope and target). Runs
  /// with the same object share their tokens.
  package var tokens: RunTokens {
    _read { yield shared.value.tokens }
    _modify { yield &shared.value.tokens }
  }
  /// The values of a document's inputs, by the index of the input. Set only for the run of the steps under `authorize`. These steps can use
  /// the inputs of the document that contains `authorize`.
  var givenInputs: [Int: Value] {
    _read { yield shared.value.givenInputs }
    _modify { yield &shared.value.givenInputs }
  }
  /// The expressions of `--print`. They are evaluated after the last step, each in the scope of a document of the plan.
  package var prints: [RunPrint] {
    _read { yield shared.value.prints }
    _modify { yield &shared.value.prints }
  }

  private var shared: CopyOnWrite<Shared>

  /// The storage of the settings. The copies of a configuration share one storage until one of the copies changes a setting.
  private struct Shared: Sendable {
    var pace = Pace()
    var recording = Recording()
    var reuse = Reuse()
    var sending = Sending()
    var values: ValueSources
    var environment: [String: String]
    var secrets: [String: String] = [:]
    var workingDirectory: String
    var files: FileAccess
    var items: [Int: ItemShare] = [:]
    var clock: @Sendable () -> Duration
    var updatesSnapshots = false
    var interrupt = ComputationInterrupt()
    var tokens = RunTokens()
    var givenInputs: [Int: Value] = [:]
    var prints: [RunPrint] = []
  }

  /// Returns the configuration for another run of the plan, or for a run of a part of the plan. The new run has a different `run.id`. So
  /// names that contain `run.id`, such as names of data on a server, are different in each run.
  ///
  /// - Parameter iteration: the number of the new run, from 2.
  package func again(_ iteration: Int) -> RunConfiguration {
    var configuration = self
    configuration.series = series.again(iteration)
    configuration.reuse.kept = [:]
    return configuration
  }

  /// The configuration of an inner run, such as the run of a called document. An inner run keeps no values for later runs.
  var forInnerRun: RunConfiguration {
    var configuration = self
    configuration.reuse = Reuse()
    configuration.items = [:]
    return configuration
  }

  /// Creates a configuration with default settings, the system's clock, and the system's random numbers.
  package init(
    environment: [String: String], workingDirectory: String, files: FileAccess, redactor: Redactor = Redactor()
  ) {
    self.redactor = redactor
    series = Series(runID: SystemSources.runID())
    shared = CopyOnWrite(
      Shared(
        values: ValueSources(now: SystemSources.now, random: SystemSources.random), environment: environment,
        workingDirectory: workingDirectory, files: files, clock: SystemSources.clock))
  }
}

/// An expression that is evaluated after the run: `--print '${login.token}'`.
package struct RunPrint: Sendable {
  /// The index of the template's document in the plan's list of documents.
  package var workflow: Int
  /// The template whose value `--print` prints.
  package var template: Template
  /// The ordinals (indexes in ``Workflow/steps``) of the steps that the template uses. A step occurs once for each use.
  package var stepOrdinals: [Int] { template.expressions.flatMap(\.stepOrdinals) }
  /// Whether ``template`` contains no expression.
  package var isConstant: Bool { template.expressions.isEmpty }

  /// Creates an expression to print.
  ///
  /// - Parameters:
  ///   - template: the template to evaluate.
  ///   - workflow: the index of the template's document in the plan.
  package init(_ template: Template, workflow: Int) {
    self.template = template
    self.workflow = workflow
  }
}

extension RunConfiguration {
  /// Returns the clock, the random numbers, the files and the secret registry that the expressions of a document use.
  ///
  /// - Parameters:
  ///   - workflow: The document. Relative paths in the expressions are relative to the folder of the document.
  ///   - secrets: The registry to which each secret is added, so that the secret can be masked.
  func services(of workflow: Workflow, secrets: any SecretRegistry) -> EvaluationServices {
    var services = EvaluationServices(
      runID: series.id, iteration: series.iteration, secrets: secrets, now: values.now, random: values.random, files: files,
      directory: workflow.directory)
    // Each document generates different test data, which does not depend on the folder from which it is run.
    services.seed = EvaluationServices.seed(values.seed, for: workflow.file.name.split(separator: "/").last.map(String.init) ?? "")
    return services
  }
}
