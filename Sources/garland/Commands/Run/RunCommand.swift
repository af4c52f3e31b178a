import ArgumentParser
import GarlandDiagnostics
import GarlandTransfer
import GarlandPlanner
import GarlandReports
import GarlandRunner
import GarlandSandbox
import Glibc

extension ConsoleOptions.Show: ExpressibleByArgument {}

struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run workflows, or only the named steps and their dependencies.",
    discussion: """
      Examples:
        garland run smoke.yaml          all steps of the workflow
        garland run smoke.yaml login    one step and its dependencies; prints
                                        the body of the step's response
        garland run tests/ --report junit=report.xml
        garland run smoke.yaml --profile staging --var user=bob
        TOKEN=$(garland run auth.yaml login --print '${login.token}')
        generate-workflow | garland run -
        garland run smoke.yaml --rate 200/s --duration 60s --expect 'p95 < 300ms'
      """)

  @OptionGroup var paths: PathArguments
  @OptionGroup(title: "Selection") var selection: SelectionOptions
  @OptionGroup(title: "Selection") var failed: FailedStepOptions
  @OptionGroup(title: "Values and secrets") var values: ValueOptions
  @OptionGroup(title: "Tokens") var tokens: TokenOptions
  @OptionGroup(title: "Before the run") var setup: SetupOptions
  @OptionGroup(title: "Pace") var pace: PaceOptions
  @OptionGroup(title: "Shards") var shards: ShardOptions
  @OptionGroup(title: "Repetitions") var again: AgainOptions
  @OptionGroup(title: "Load") var load: LoadOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Output") var results: ResultOptions
  @Flag(
    name: .customLong("update-snapshots"),
    help: "Write snapshots that are missing or differ. A snapshot is not written if another expectation of its step fails.")
  var updateSnapshots = false
  @Flag(name: .long, help: "Rerun the steps that a saved change affects, until Ctrl-C.") var watch = false
  @Option(name: .customLong("affected"), help: .hidden) var affected: [String] = []
  @Option(name: .customLong("watched"), help: .hidden) var watched: Int32?
  @Option(name: .customLong("written"), help: .hidden) var written: Int32?

  func validate() throws {
    if watch, paths.arguments.contains("-") { throw ValidationError("--watch can't watch standard input.") }
    let users = results.report.filter(\.isStandardOutput).count + (results.print.isEmpty ? 0 : 1)
    if shards.shard != nil, !results.print.isEmpty {
      throw ValidationError("--print is for a whole run: it can't be combined with --shard.")
    }
    if again.repeats || again.reruns != nil, !results.print.isEmpty {
      throw ValidationError("--print is for a single run: it can't be combined with --repeat, --until-failure and --rerun-failed.")
    }
    if users > 1 { throw ValidationError("Only one report, or --print, can have standard output.") }
    try validateLoad()
    try OutputTargets.check(results.report, inputs: paths.arguments + values.variableFiles + values.secretFiles)
  }

  func run() async throws {
    if watch {
      // All runs of `--watch` use the same server, since the values that they keep belong to this server.
      let server = setup.sandbox ? try await Sandbox.start() : nil
      if let server { setenv("GARLAND_SANDBOX", server.url, 1) }
      var loop = try WatchLoop(self, words: CommandLine.arguments.dropFirst(2).filter { $0 != "--watch" })
      let status = try loop.run()
      await server?.stop()
      throw ExitCode(status)
    }
    let workspace = Workspace(paths, values, output, environment: ProcessEnvironment.current)
    try await settled(by: workspace).run(in: workspace)
  }

  /// Runs the documents that the arguments name.
  func run(in workspace: Workspace) async throws {
    announceReports(workspace)
    var workspace = workspace
    var server: Sandbox?
    let result: Result<Int32, any Error>
    do {
      let budget = try await descriptorBudget()
      // With `--watch`, all runs use the same server.
      if setup.sandbox, watched == nil {
        let started = try await Sandbox.start()
        server = started
        workspace.set("GARLAND_SANDBOX", to: started.url)
      }
      result = .success(try await carryOut(workspace, budget))
    } catch let failure as CommandFailure {
      if failure.isFinal, let watched { WatchMemory.writeEnd(to: watched) }
      // A run that has begun ends with its own exit status.
      let diagnostic = Diagnostic("no-run", failure.message, at: nil)
      let terminal = Terminal(output.color, environment: workspace.environment)
      for problem in RunPresentation.refuse(results.report, terminal.redactor, [diagnostic], status: failure.status, workspace.environment)
      where "\(problem)" != failure.message {
        let words = "\(problem.isWarning ? "warning" : "error"): \(problem)\n"
        terminal.note(StyledText(words))
      }
      result = .failure(failure)
    } catch {
      result = .failure(error)
    }
    await server?.stop()
    let status = try result.get()
    if status != 0 { throw ExitCode(status) }
  }

  private func carryOut(_ workspace: Workspace, _ budget: DescriptorBudget) async throws -> Int32 {
    var workspace = workspace
    guard let (plan, prints, shard) = try plan(&workspace), !(setup.strict && !workspace.diagnostics.isEmpty) else {
      workspace.showDiagnostics()
      let isNothingToDo = workspace.nothingToDo != nil && !workspace.diagnostics.hasErrors
      tell(ofNoRun: workspace, status: isNothingToDo ? 0 : 2)
      try workspace.explainEmptyPlan()
      return 0
    }
    note(shard, budget, workspace)
    guard let load = try load(of: plan, shard, budget, &workspace) else {
      workspace.showDiagnostics()
      tell(ofNoRun: workspace, status: 2)
      return 2
    }
    guard try confirm(plan, prints, &workspace) else { return 2 }
    let presentation = RunPresentation(self, workspace, plan)
    var memory = watched.map { WatchMemory($0) }
    var configuration = try configuration(for: plan, shard, budget, workspace, &memory)
    configuration.prints = prints
    let engine = engine(budget)
    configuration.sending.engine = engine
    configuration.recording.rerunOptions = presentation.rerunOptions
    if let bytes = presentation.keptBodyBytes { configuration.recording.keptBodyBytes = bytes }
    configuration.recording.wholeBodyOf = presentation.stepInFocus
    // Reports run on the main thread, unless they have much output.
    let pipeline = ReportPipeline(try presentation.reporters()) { delay, action in engine.schedule(after: delay, action) }
    let series = RunRounds.Series(again, load.first, reports: pipeline)
    configuration.observers = [series.observer(pipeline)]
    let (preparation, signal) = prepare(plan, configuration)
    workspace.report(preparation.diagnostics)
    workspace.showDiagnostics()
    guard let run = preparation.run, !(setup.strict && !workspace.diagnostics.isEmpty) else {
      await pipeline.discard()
      tell(ofNoRun: workspace, status: 2)
      return 2
    }
    // The results are not freed one by one, since the process ends soon. A run that is repeated frees them, since there are many.
    if !again.repeats { _ = Unmanaged.passRetained(run) }
    let current = CurrentRun(run)
    let rounds = RunRounds(series, plan: plan, configuration: configuration, current: current)
    var refusal = signal.map { (down: [ProbeReport](), signal: Optional($0)) }
    if refusal == nil { refusal = await look(for: plan, run, workspace) }
    if let refusal {
      await run.refuse(down: refusal.down, signal: refusal.signal?.rawValue)
      rounds.refuse()
      var status = ExitStatus(refusal.signal?.exitStatus ?? 3)
      if let signal = refusal.signal { workspace.note("error: interrupted by \(signal.rawValue); nothing was sent") }
      tell(of: await finish(pipeline, engine, workspace, TraceSending()), workspace, &status)
      return status.code
    }
    return await start(rounds, run, current, &memory, pipeline, engine, workspace)
  }

  /// Executes all runs that the command asks for, such as repetitions or reruns, and writes their reports. Returns the exit status.
  private func start(
    _ rounds: RunRounds, _ run: Run, _ current: CurrentRun, _ memory: inout WatchMemory?, _ pipeline: ReportPipeline, _ engine: Engine,
    _ workspace: Workspace
  ) async -> Int32 {
    TerminalRestoration.prepare()
    let presses = SignalCount()
    let sending = TraceSending()
    let signals = InterruptSignals(forwarded: watched != nil) { signal in
      sending.interrupt(signal)
      if presses.next() == 1 {
        current.interrupt(signal: watched.flatMap(WatchMemory.change).map { "a change of \($0)" } ?? signal.rawValue)
      } else {
        TerminalRestoration.restore()
        current.abort()
      }
    }
    let terminalSignals = TerminalSignals()
    let result = await rounds.start(run)
    memory?.write(result.kept)
    let problems = await finish(pipeline, engine, workspace, sending)
    withExtendedLifetime((signals, terminalSignals)) {}
    if let note = rounds.note { workspace.note(note) }
    var status = ExitStatus(result.summary.exitStatus)
    tell(of: problems, workspace, &status)
    if let signal = sending.signal { status = ExitStatus(signal.exitStatus) }
    write(result.prints, workspace, &status)
    return status.code
  }

  /// Prepares the run. This may take long, since variables are evaluated. Returns the result of the preparation, and the signal that
  /// arrived during the preparation. The signal is nil if none arrived.
  private func prepare(_ plan: Plan, _ configuration: RunConfiguration) -> (Run.Preparation, InterruptSignals.Signal?) {
    // The handler has no effect, because the signal itself ends the evaluation.
    let signals = InterruptSignals { _ in }
    let preparation = Run.prepare(plan, configuration)
    withExtendedLifetime(signals) {}
    guard configuration.interrupt.urgency != nil else { return (preparation, nil) }
    return (preparation, InterruptSignals.Signal.allCases.first { $0.number == configuration.interrupt.signal } ?? .interrupt)
  }

  /// Checks whether the hosts of the plan are reachable, if this check is enabled. Returns nil if the run may begin. Otherwise returns the
  /// unreachable hosts (`down`), or the signal that ended the check.
  private func look(
    for plan: Plan, _ run: Run, _ workspace: Workspace
  ) async -> (down: [ProbeReport], signal: InterruptSignals.Signal?)? {
    let settings = plan.workflows.map(\.reachability)
    let limit = setup.wait?.duration ?? settings.compactMap(\.wait).max() ?? .zero
    guard setup.preflight || setup.wait != nil || settings.contains(where: \.preflight) else { return nil }
    let lookout = Lookout(workspace, isQuiet: output.quiet)
    let (reports, signal) = await lookout.carryOut { onFailure in await run.preflight(wait: limit, onFailure: onFailure) }
    if let signal { return ([], signal) }
    let down = reports.filter { !$0.isReachable }
    if !down.isEmpty || (!output.quiet && !reports.isEmpty) { workspace.terminal.note(ProbeTable.text(reports)) }
    guard !down.isEmpty else { return nil }
    workspace.note("error: \(down.map(\.target.description).joined(separator: ", ")) can't be reached; nothing was sent")
    return (down, nil)
  }

  /// Returns the plan, the values to print, and this machine's shard (nil without `--shard`). The plan contains the selected steps and the
  /// steps to which `--print` refers. With a shard, the plan contains only the part of these steps that this shard runs.
  private func plan(_ workspace: inout Workspace) throws -> (Plan, [RunPrint], PlanShard?)? {
    guard let complete = workspace.completePlan(), workspace.requireSteps(of: complete) else { return nil }
    if setup.sandbox { workspace.warnOfUnusedSandbox(complete) }
    if workspace.isSending { workspace.warnOfTemplates(inRequestOf: complete) }
    let prints = results.print.compactMap { workspace.compile($0, in: complete) }
    guard prints.count == results.print.count else { return nil }
    workspace.dropUnusedExtracts(namedIn: results.print)
    let needed = prints.flatMap { print in
      print.stepOrdinals.compactMap { ordinal in
        complete.step(ordinal, of: print.workflow).map { "\($0.workflow.file.name)#\($0.step.id)" }
      }
    }
    guard var plan = try workspace.select(from: complete, selection, only: affected, and: needed) else { return nil }
    if let path = failed.report {
      let failed = try workspace.failed(in: path, of: plan, complete: complete, isRerun: !affected.isEmpty)
      guard let failed else { return nil }
      plan = failed
    }
    guard let choice = shards.shard else { return (plan, prints, nil) }
    let shard = try workspace.shard(
      choice, of: plan, past: pace.from.map { path throws(CommandFailure) in try workspace.pastDurations(path, for: plan) },
      repetitions: again.words + load.words, sharesLoad: load.sendsLoad, dividesLoops: !again.repeats)
    return (shard.plan, prints, shard)
  }
}
