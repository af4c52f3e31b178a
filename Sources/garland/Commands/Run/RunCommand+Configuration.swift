import GarlandAuth
import GarlandTransfer
import GarlandPlanner
import GarlandRunner
import Glibc

/// The configuration of a run. The options of the command and the limits of the machine determine this configuration.
extension RunCommand {
  /// Shows notes about the shard, the seed of the random order, and a shortage of file descriptors. With `--quiet`, shows only a seed that
  /// was chosen at random, since the order can't be repeated without it.
  func note(_ shard: PlanShard?, _ budget: DescriptorBudget, _ workspace: Workspace) {
    if let shuffle = pace.shuffle, shuffle.isRandom || !output.quiet {
      workspace.note("Random order; to repeat it, use --shuffle \(shuffle.value).")
    }
    guard !output.quiet else { return }
    if let shard { workspace.note(shard.words) }
    if budget.transfers < wantedTransfers {
      workspace.note(
        "note: \(budget.transfers) transfer\(budget.transfers == 1 ? "" : "s") at once and not \(wantedTransfers): no more than \(DescriptorLimit.current) files and connections may be open (`ulimit -n`)"
      )
    }
  }

  /// Returns the configuration of the run.
  ///
  /// - Parameters:
  ///   - plan: the plan, or this machine's part of it.
  ///   - shard: this machine's part of the plan; nil for a run of the whole plan.
  ///   - budget: the number of transfers that the file descriptors permit.
  ///   - workspace: the documents and their values.
  ///   - memory: the values that earlier runs of `--watch` have stored; nil without `--watch`.
  func configuration(
    for plan: Plan, _ shard: PlanShard?, _ budget: DescriptorBudget, _ workspace: Workspace, _ memory: inout WatchMemory?
  ) throws -> RunConfiguration {
    var configuration = RunConfiguration(
      environment: workspace.variables, workingDirectory: workspace.workingDirectory, files: workspace.files, redactor: workspace.redactor)
    pace.apply(to: &configuration)
    // In a load test, this is the number of concurrent transfers of each user.
    configuration.pace.concurrency =
      loadSettings == nil ? min(wantedTransfers, budget.transfers) : pace.concurrency ?? PaceOptions.defaultConcurrency
    if plan.makesUpData, pace.seed == nil || !output.quiet {
      workspace.note("Generated data; to repeat it, use --seed \(configuration.values.seed).")
    }
    configuration.secrets = workspace.secrets
    configuration.tokens = RunTokens(cache: try tokens.cache(workspace.environment, &memory), browser: browser(workspace.environment))
    if let kept = memory?.values(for: plan, changed: affected) { configuration.reuse.kept = kept }
    configuration.reuse.keepsResults = memory != nil
    configuration.files.willWrite = written.map { WrittenFiles($0).append }
    configuration.recording.shard = shard?.identity
    configuration.items = shard?.items ?? [:]
    configuration.updatesSnapshots = updateSnapshots
    configuration.pace.expectedDurations = try expectedDurations(of: plan, shard?.items ?? [:], workspace)
    configuration.interrupt = MainLoop.shared.interrupt
    return configuration
  }

  /// The number of concurrent transfers that the options specify, or the default. If file descriptors are scarce, the run uses fewer.
  var wantedTransfers: Int { loadSettings?.users ?? (pace.serial ? 1 : pace.concurrency ?? PaceOptions.defaultConcurrency) }

  /// Returns the number of concurrent transfers that the limit of open files allows. Throws an error if the limit is too low for any
  /// transfer. If file descriptors are scarce, also opens in advance the descriptors that are needed later.
  func descriptorBudget() async throws(CommandFailure) -> DescriptorBudget {
    let budget = DescriptorBudget(
      wanted: wantedTransfers, limit: DescriptorLimit.current, open: DescriptorLimit.openCount, hasServer: setup.sandbox,
      reports: results.report.count, threads: loadThreads)
    guard let budget else {
      throw DescriptorLimit.tooFew(
        atLeast: DescriptorBudget.least(open: DescriptorLimit.openCount, hasServer: setup.sandbox, reports: results.report.count))
    }
    await DescriptorLimit.provideForTasks(isScarce: budget.isScarce)
    return budget
  }

  /// Returns the engine that sends requests. It works on the main thread, which would otherwise be idle during the run.
  func engine(_ budget: DescriptorBudget) -> Engine {
    var configuration = EngineConfiguration()
    configuration.connectionsPerOrigin = loadSettings == nil ? pace.perOrigin : budget.transfers
    configuration.idleConnections = max(configuration.idleConnections, loadSettings?.users ?? 0)
    configuration.hasExactTimers = loadSettings?.rate != nil
    configuration.waitingCountsForDeadlines = false
    if budget.isScarce { configuration.idleConnections = min(configuration.idleConnections, budget.transfers) }
    // Without a rate, each thread of a load test has its own engine.
    configuration.threads = loadSettings.map { $0.rate == nil } == true ? 1 : pace.engines ?? 1
    let engine = Engine.hosted(configuration)
    MainLoop.shared.host(engine)
    return engine
  }

  /// Returns the browser in which a user at this terminal completes a login, for logins without `authorize` steps. Returns nil if no user
  /// can complete a login: standard error is not a terminal, or the command runs in CI.
  private func browser(_ environment: [String: String]) -> RunTokens.Browser? {
    guard isatty(STDERR_FILENO) != 0, !TokenOptions.isCI(environment) else { return nil }
    let browser = Browser(environment: environment)
    return { redirect, show in
      LoopbackAgent(redirectURI: redirect) { url in
        await show(url)
        _ = browser.open(url)
      }
    }
  }

  /// Returns the durations of the steps in an earlier run. They come from the report that an option names, otherwise from the report that
  /// this run will replace.
  ///
  /// - Parameter items: for each loop, the items that this run has if it is a shard. Not needed for the report that this run will replace,
  ///   since the report comes from the same shard.
  private func expectedDurations(of plan: Plan, _ items: [Int: ItemShare], _ workspace: Workspace) throws -> [Double]? {
    if let from = pace.from { return try workspace.pastDurations(from, for: plan).weights(of: plan, items: items) }
    return results.report.lazy.filter { $0.format == .json && !$0.isStandardOutput }
      .compactMap { workspace.pastDurations(ifAt: $0.path, for: plan)?.weights(of: plan) }.first
  }
}
